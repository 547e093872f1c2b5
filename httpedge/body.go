package httpedge

import (
	"bytes"
	"io"
	"mime"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"loci/engine/memory"
)

// readBody checks the body's type and undoes its encoding.
func (r *Request) readBody() error {
	if err := checkContentType(r.fast.Request.Header.ContentType()); err != nil {
		return err
	}
	body := r.fast.Request.Body()
	encoding := r.fast.Request.Header.ContentEncoding()
	switch {
	case len(encoding) == 0 || bytes.EqualFold(encoding, []byte("identity")):
		r.body = body
		return nil
	case bytes.EqualFold(encoding, []byte("gzip")), bytes.EqualFold(encoding, []byte("x-gzip")):
		return r.inflate(body, &gunzips)
	case bytes.EqualFold(encoding, []byte("zstd")):
		return r.inflate(body, &unzstds)
	}
	return memory.Refuse(memory.Unsupported, "Content-Encoding must be gzip or zstd, once, or left out")
}

var plainJSON = []byte("application/json")

// checkContentType wants JSON. The plain form, which nearly everybody sends,
// is recognised without parsing.
func checkContentType(given []byte) error {
	if bytes.Equal(given, plainJSON) {
		return nil
	}
	kind, parameters, err := mime.ParseMediaType(string(given))
	charset, named := parameters["charset"]
	if err != nil || kind != string(plainJSON) || named && !strings.EqualFold(charset, "utf-8") {
		return memory.Refuse(memory.Unsupported, "Content-Type must be application/json, in UTF-8")
	}
	return nil
}

// inflater undoes a compression; it can be used again after Reset.
type inflater interface {
	io.Reader
	Reset(io.Reader) error
}

var (
	gunzips = sync.Pool{New: func() any { return new(gzip.Reader) }}
	unzstds = sync.Pool{New: func() any { return newUnzstd() }}
)

// newUnzstd makes a decoder without goroutines. The window bound keeps a frame
// of a few bytes from asking for gigabytes (E5).
func newUnzstd() inflater {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(8<<20))
	if err != nil {
		panic(err) // the options are constants
	}
	return d
}

// inflate decompresses up to the body limit and one byte more, which tells a
// body that fits from a bomb (E5).
func (r *Request) inflate(body []byte, pool *sync.Pool) error {
	in := pool.Get().(inflater)
	defer pool.Put(in)
	if err := in.Reset(bytes.NewReader(body)); err != nil {
		return memory.BadField("body", "is not what Content-Encoding says")
	}
	limit := r.server.options.BodyLimit
	var out bytes.Buffer
	_, err := out.ReadFrom(io.LimitReader(in, int64(limit)+1))
	switch {
	case out.Len() > limit:
		return tooLarge(limit)
	case err != nil:
		return memory.BadField("body", "is not what Content-Encoding says")
	}
	r.body = out.Bytes()
	return nil
}

func tooLarge(limit int) *memory.Error {
	return memory.Refuse(memory.TooLarge, "the body has more than "+strconv.Itoa(limit)+" bytes, counted after decompression")
}
