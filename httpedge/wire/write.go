package wire

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"loci/engine/memory"
)

func writeString(dst []byte, v reflect.Value) ([]byte, error) {
	return AppendString(dst, v.String()), nil
}

func writeBool(dst []byte, v reflect.Value) ([]byte, error) {
	return strconv.AppendBool(dst, v.Bool()), nil
}

func writeInt(dst []byte, v reflect.Value) ([]byte, error) {
	return strconv.AppendInt(dst, v.Int(), 10), nil
}

func writeUint(dst []byte, v reflect.Value) ([]byte, error) {
	return strconv.AppendUint(dst, v.Uint(), 10), nil
}

// writeFloat writes a number as ECMAScript does, like encoding/json: plain
// within 1e-6 and 1e21, with an exponent outside.
func writeFloat(dst []byte, v reflect.Value) ([]byte, error) {
	f := v.Float()
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return dst, fmt.Errorf("encode %v: JSON has no such number", f)
	}
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
		if n := len(dst); n >= 4 && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
			dst[n-2] = dst[n-1] // e-09 is e-9
			dst = dst[:n-1]
		}
		return dst, nil
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64), nil
}

func writeTime(dst []byte, v reflect.Value) ([]byte, error) {
	at := *pointerTo[time.Time](v)
	if y := at.Year(); y < 0 || y > 9999 {
		return dst, fmt.Errorf("encode time: year %d is outside of RFC 3339", y)
	}
	return append(at.AppendFormat(append(dst, '"'), time.RFC3339Nano), '"'), nil
}

// writeID writes a UUID; the zero one is empty.
func writeID(dst []byte, v reflect.Value) ([]byte, error) {
	dst = append(dst, '"')
	if id := [16]byte(*pointerTo[memory.ID](v)); id != [16]byte{} {
		dst = appendID(dst, id)
	}
	return append(dst, '"'), nil
}

// pointerTo reaches a value where it lies, which costs nothing; only what
// comes out of a map must be copied first.
func pointerTo[T any](v reflect.Value) *T {
	if !v.CanAddr() {
		copied := reflect.New(v.Type()).Elem()
		copied.Set(v)
		v = copied
	}
	return v.Addr().Interface().(*T)
}

func appendID(dst []byte, id [16]byte) []byte {
	dst = hex.AppendEncode(dst, id[0:4])
	dst = hex.AppendEncode(append(dst, '-'), id[4:6])
	dst = hex.AppendEncode(append(dst, '-'), id[6:8])
	dst = hex.AppendEncode(append(dst, '-'), id[8:10])
	return hex.AppendEncode(append(dst, '-'), id[10:16])
}

// writeRaw writes JSON that Decode made compact and valid when it came in.
func writeRaw(dst []byte, v reflect.Value) ([]byte, error) {
	if v.Len() == 0 {
		return append(dst, "null"...), nil
	}
	return append(dst, v.Bytes()...), nil
}

// writeOther leaves types with a form of their own to encoding/json.
func writeOther(dst []byte, v reflect.Value) ([]byte, error) {
	b, err := json.Marshal(v.Interface())
	return append(dst, b...), err
}

// compileWriteMap writes an object with its names in order: equal results
// give equal bytes.
func compileWriteMap(t reflect.Type) writeFunc {
	inner := writerOf(t.Elem())
	return func(dst []byte, v reflect.Value) (_ []byte, err error) {
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		dst = append(dst, '{')
		for i, key := range keys {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendString(dst, key.String()), ':')
			if dst, err = inner(dst, v.MapIndex(key)); err != nil {
				return dst, err
			}
		}
		return append(dst, '}'), nil
	}
}

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string. Bytes that are not UTF-8 become
// U+FFFD. U+2028 and U+2029 are escaped for the sake of JavaScript; < > & are
// not, since no answer of ours is put into HTML.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		size := 1
		var r rune
		if c >= utf8.RuneSelf {
			if r, size = utf8.DecodeRuneInString(s[i:]); !awkward(r, size) {
				i += size
				continue
			}
		}
		dst = append(dst, s[from:i]...)
		dst = appendEscaped(dst, c, r)
		i += size
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}

func awkward(r rune, size int) bool {
	return r == utf8.RuneError && size == 1 || r == '\u2028' || r == '\u2029'
}

// appendEscaped escapes the byte c, or, if c is not ASCII, the character r.
func appendEscaped(dst []byte, c byte, r rune) []byte {
	switch {
	case r == utf8.RuneError:
		return append(dst, `\ufffd`...)
	case r != 0:
		return append(append(dst, `\u202`...), hexDigits[r&0xf])
	case c == '"' || c == '\\':
		return append(dst, '\\', c)
	case c == '\n':
		return append(dst, `\n`...)
	case c == '\r':
		return append(dst, `\r`...)
	case c == '\t':
		return append(dst, `\t`...)
	case c == '\b':
		return append(dst, `\b`...)
	case c == '\f':
		return append(dst, `\f`...)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
}
