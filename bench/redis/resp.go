package redis

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// maxBulk is more than any reply asked for here.
const maxBulk = 64 << 20

// reply is one answer of RESP2. bytes is the text of a simple string or the
// content of a bulk string, nil for the null bulk string.
type reply struct {
	kind   byte
	bytes  []byte
	number int64
}

// Error is an error reply.
type Error string

func (e Error) Error() string { return "redis: " + string(e) }

// Kind sorts the error in a load report: by its first word, as "OOM".
func (e Error) Kind() string {
	for i := range len(e) {
		if e[i] == ' ' {
			return "redis " + string(e[:i])
		}
	}
	return "redis " + string(e)
}

// readReply reads one reply; its bytes stand in scratch or in the reader's
// buffer and are valid until the next read.
func readReply(in *bufio.Reader, scratch []byte) (reply, []byte, error) {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return reply{}, scratch, err
	}
	if len(line) < 3 || line[len(line)-2] != '\r' {
		return reply{}, scratch, fmt.Errorf("reply line %q is malformed", line)
	}
	r := reply{kind: line[0], bytes: line[1 : len(line)-2]}
	switch r.kind {
	case '+':
		return r, scratch, nil
	case '-':
		return r, scratch, Error(r.bytes)
	case ':':
		r.number, err = strconv.ParseInt(string(r.bytes), 10, 64)
		return r, scratch, err
	case '$':
		return readBulk(in, r.bytes, scratch)
	}
	return reply{}, scratch, fmt.Errorf("reply of type %q is not understood", r.kind)
}

func readBulk(in *bufio.Reader, length, scratch []byte) (reply, []byte, error) {
	size, err := strconv.Atoi(string(length))
	if err != nil || size < -1 || size > maxBulk {
		return reply{}, scratch, fmt.Errorf("bulk length %q is malformed or too large", length)
	}
	if size == -1 {
		return reply{kind: '$'}, scratch, nil
	}
	if cap(scratch) < size+2 {
		scratch = make([]byte, size+2)
	}
	scratch = scratch[:size+2]
	if _, err := io.ReadFull(in, scratch); err != nil {
		return reply{}, scratch, err
	}
	if scratch[size] != '\r' || scratch[size+1] != '\n' {
		return reply{}, scratch, errors.New("bulk string does not end where it says")
	}
	return reply{kind: '$', bytes: scratch[:size]}, scratch, nil
}

// appendCommand adds a command as an array of bulk strings.
func appendCommand(dst []byte, words ...[]byte) []byte {
	dst = appendHeader(dst, '*', len(words))
	for _, word := range words {
		dst = appendHeader(dst, '$', len(word))
		dst = append(dst, word...)
		dst = append(dst, "\r\n"...)
	}
	return dst
}

func appendHeader(dst []byte, kind byte, n int) []byte {
	dst = append(dst, kind)
	dst = strconv.AppendInt(dst, int64(n), 10)
	return append(dst, "\r\n"...)
}
