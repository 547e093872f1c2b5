package minilm

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	// StaticDim is the length of a static vector.
	StaticDim = 256
	// StaticMagic opens static256.bin: 8 bytes of magic, uint32 tokens, uint32
	// dimensions, a float32 scale for each token, then the int8 codes, token
	// after token; little endian. Command fit makes it.
	StaticMagic = "LOCISTA1"

	staticHeader = 16
)

//go:embed static256.bin
var staticFile []byte

// ErrNoStatic: the binary was built without a static table.
var ErrNoStatic = errors.New("no static table")

// Static is the table of one vector for each token, made from the model: a text
// is the weighted mean of its tokens. It costs microseconds where the model
// costs milliseconds, and knows no word order and no context. Its vectors and
// the model's never mix: they have different dimensions and directions.
type Static struct {
	scales []float32
	codes  []int8
}

// LoadStatic gives the table in the binary. It reads nothing until it is used.
func LoadStatic() (*Static, error) { return openStatic(staticFile) }

func openStatic(file []byte) (*Static, error) {
	if len(file) == 0 {
		return nil, ErrNoStatic
	}
	if len(file) < staticHeader || string(file[:8]) != StaticMagic {
		return nil, fmt.Errorf("open static table: no header: %w", ErrFormat)
	}
	rows, cols := int(binary.LittleEndian.Uint32(file[8:])), int(binary.LittleEndian.Uint32(file[12:]))
	if cols != StaticDim || rows > len(file) || len(file) != staticHeader+rows*(4+cols) {
		return nil, fmt.Errorf("open static table: %d × %d in %d bytes: %w", rows, cols, len(file), ErrFormat)
	}
	body := file[staticHeader:]
	return &Static{scales: asFloats(body[:4*rows]), codes: asInt8(body[4*rows:])}, nil
}

// Embed writes the unit vector of a text into dst, StaticDim long. weight gives
// what a token counts, such as its IDF among the tenant's memories; nil counts
// all alike. [CLS] and [SEP] count nothing. A text of no weight at all gives the
// zero vector.
func (s *Static) Embed(text []int32, weight func(id int32) float32, dst []float32) error {
	if len(dst) != StaticDim {
		return fmt.Errorf("embed static: a vector of %d: %w", len(dst), ErrTokens)
	}
	clear(dst)
	for _, id := range text {
		if id < 0 || int(id) >= len(s.scales) {
			return fmt.Errorf("embed static: token id %d of %d: %w", id, len(s.scales), ErrTokens)
		}
		if id == classToken || id == endToken {
			continue
		}
		w := s.scales[id]
		if weight != nil {
			w *= weight(id)
		}
		codes := s.codes[int(id)*StaticDim:][:StaticDim]
		for j := range codes {
			dst[j] += w * float32(codes[j])
		}
	}
	scaleBy(dst, inverseLength(dst))
	return nil
}

// The tokens that stand around every text.
const (
	classToken = 101
	endToken   = 102
)
