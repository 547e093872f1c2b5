package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Bytes is a size. It reads as "1048576", "64KiB", "64k", "1MiB", "2GB": all
// units are powers of 1024, because memory and limits are.
type Bytes int64

var units = []struct {
	name  string
	bytes int64
}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

// UnmarshalText reads a size.
func (b *Bytes) UnmarshalText(text []byte) error {
	number, unit := cutUnit(strings.TrimSpace(string(text)))
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return fmt.Errorf("%q is not a size such as 512KiB or 64MiB", text)
	}
	*b = Bytes(n * unit)
	return nil
}

// cutUnit takes K, KB or KiB, in any case, from the end of a size.
func cutUnit(text string) (number string, unit int64) {
	lower := strings.ToLower(text)
	for _, u := range units {
		letter := strings.ToLower(u.name[:1])
		for _, suffix := range []string{letter + "ib", letter + "b", letter} {
			if n, ok := strings.CutSuffix(lower, suffix); ok {
				return strings.TrimSpace(n), u.bytes
			}
		}
	}
	return strings.TrimSuffix(lower, "b"), 1
}

// String writes the size in the largest unit that divides it.
func (b Bytes) String() string {
	for _, u := range units {
		if b > 0 && int64(b)%u.bytes == 0 {
			return strconv.FormatInt(int64(b)/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(b), 10)
}

// MarshalText writes the size as String does.
func (b Bytes) MarshalText() ([]byte, error) { return []byte(b.String()), nil }
