package httpedge

import (
	"bytes"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// compressFrom is the size below which compressing costs more than it saves:
// such an answer is one packet either way.
const compressFrom = 1 << 10

// compress encodes the answer as the client likes it best.
func (r *Request) compress() {
	body := r.fast.Response.Body()
	if len(body) == 0 {
		return
	}
	r.fast.Response.Header.Add("Vary", "Accept-Encoding")
	accept := r.fast.Request.Header.Peek("Accept-Encoding")
	if len(body) < compressFrom || len(accept) == 0 {
		return
	}
	encoding := choose(string(accept))
	if encoding == "" {
		return
	}
	// The scratch may hold the bytes the body was made from, but the body is
	// a copy of them.
	r.scratch = appendCompressed(r.scratch[:0], encoding, body)
	r.fast.Response.SetBody(r.scratch)
	r.fast.Response.Header.SetContentEncoding(encoding)
}

// choose picks zstd or gzip by the weights of Accept-Encoding; zstd where they
// are equal, and "" where the client would rather have neither.
func choose(accept string) string {
	weights := map[string]float64{}
	for part := range strings.SplitSeq(accept, ",") {
		name, q := weightOf(part)
		weights[name] = q
	}
	of := func(name string, without float64) float64 {
		if q, ok := weights[name]; ok {
			return q
		}
		if q, ok := weights["*"]; ok {
			return q
		}
		return without
	}
	plain, zip, z := of("identity", 0), of("gzip", 0), of("zstd", 0)
	switch {
	case z > 0 && z >= zip && z >= plain:
		return "zstd"
	case zip > 0 && zip >= plain:
		return "gzip"
	}
	return ""
}

// weightOf reads one element of Accept-Encoding. A weight that cannot be read
// is taken as "not at all".
func weightOf(part string) (string, float64) {
	name, parameter, weighted := strings.Cut(part, ";")
	name = strings.ToLower(strings.TrimSpace(name))
	if name == "x-gzip" {
		name = "gzip"
	}
	if !weighted {
		return name, 1
	}
	value, isQ := strings.CutPrefix(strings.ToLower(strings.TrimSpace(parameter)), "q=")
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if !isQ || err != nil || !(q >= 0 && q <= 1) {
		return name, 0
	}
	return name, q
}

var (
	gzips = sync.Pool{New: func() any { w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed); return w }}
	zstds = sync.Pool{New: func() any { return newZstd() }}
)

func newZstd() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<18))
	if err != nil {
		panic(err) // the options are constants
	}
	return e
}

func appendCompressed(dst []byte, encoding string, body []byte) []byte {
	if encoding == "zstd" {
		e := zstds.Get().(*zstd.Encoder)
		defer zstds.Put(e)
		return e.EncodeAll(body, dst)
	}
	w := gzips.Get().(*gzip.Writer)
	defer gzips.Put(w)
	out := bytes.NewBuffer(dst)
	w.Reset(out)
	_, _ = w.Write(body) // a bytes.Buffer takes everything
	_ = w.Close()
	return out.Bytes()
}
