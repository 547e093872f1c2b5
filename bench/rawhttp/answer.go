package rawhttp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// maxBody is more than any answer that a workload asks for.
const maxBody = 64 << 20

type head struct {
	status int
	length int  // -1 if not given
	last   bool // the server closes the connection after this answer
}

// readHead reads the status line and the headers.
func readHead(in *bufio.Reader) (head, error) {
	h := head{length: -1}
	line, err := readLine(in)
	if err != nil {
		return h, err
	}
	if h.status, err = parseStatus(line); err != nil {
		return h, err
	}
	for {
		if line, err = readLine(in); err != nil {
			return h, err
		}
		if len(line) == 0 {
			return h, h.check()
		}
		if err := h.take(line); err != nil {
			return h, err
		}
	}
}

func (h *head) check() error {
	if h.length < 0 && h.status != 204 && h.status != 304 {
		return errors.New("answer without Content-Length")
	}
	return nil
}

// take looks at the three headers that matter and passes over the others,
// most of them by their first letter.
func (h *head) take(line []byte) (err error) {
	switch line[0] | 0x20 {
	case 'c', 't':
	default:
		return nil
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimSpace(value)
	switch {
	case bytes.EqualFold(name, []byte("Content-Length")):
		h.length, err = number(value)
	case bytes.EqualFold(name, []byte("Connection")):
		h.last = bytes.EqualFold(value, []byte("close"))
	case bytes.EqualFold(name, []byte("Transfer-Encoding")):
		err = errors.New("chunked answers are not read")
	}
	return err
}

func parseStatus(line []byte) (int, error) {
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.")) || line[8] != ' ' {
		return 0, fmt.Errorf("status line %q is not HTTP/1", clip(line))
	}
	return number(line[9:12])
}

// number reads digits without the string that strconv would need.
func number(digits []byte) (int, error) {
	n := 0
	for _, d := range digits {
		if d < '0' || d > '9' || n > maxBody {
			return 0, fmt.Errorf("number %q is malformed or too large", clip(digits))
		}
		n = n*10 + int(d-'0')
	}
	if len(digits) == 0 {
		return 0, errors.New("number is empty")
	}
	return n, nil
}

// readLine is valid until the next read; a line longer than the reader's
// buffer is an error.
func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(line[:len(line)-1], []byte("\r")), nil
}

func readBody(in *bufio.Reader, into []byte, length int) ([]byte, error) {
	length = max(length, 0)
	if length > maxBody {
		return into, fmt.Errorf("answer of %d bytes is too large", length)
	}
	if cap(into) < length {
		into = make([]byte, 0, length)
	}
	_, err := io.ReadFull(in, into[:length])
	return into[:length], err
}

func clip(b []byte) []byte { return b[:min(len(b), 80)] }

// StatusError is an answer with a status that the caller did not want.
type StatusError struct {
	Status int
	Body   string
}

// NotOK is nil for a status of 2xx and a *StatusError for any other.
func NotOK(status int, body []byte) error {
	if status >= 200 && status < 300 {
		return nil
	}
	return &StatusError{status, string(body[:min(len(body), 300)])}
}

func (e *StatusError) Error() string {
	return "status " + strconv.Itoa(e.Status) + ": " + e.Body
}

// Kind sorts the error in a load report.
func (e *StatusError) Kind() string { return "status " + strconv.Itoa(e.Status) }
