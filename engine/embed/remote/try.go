package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxQuote bounds what is quoted of a server's error (I6).
const maxQuote = 300

var errSlow = errors.New("the server took too long")

// try sends a request once and checks the answer.
func (c *Client) try(ctx context.Context, body []byte, count int) ([][]float32, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.options.Timeout, errSlow)
	defer cancel()
	answer, err := c.post(ctx, body)
	if err != nil {
		return nil, err
	}
	vectors, err := c.wire.decode(answer, count)
	if err != nil {
		return nil, unreadable(err)
	}
	return vectors, c.check(vectors, count)
}

func (c *Client) post(ctx context.Context, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	if c.options.Key != "" {
		request.Header.Set("Authorization", "Bearer "+string(c.options.Key))
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, &passing{cause: because(ctx, err)}
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, c.refused(response)
	}
	return c.read(ctx, response.Body)
}

// because prefers the reason a context ended for over the fact that it did.
func because(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

func (c *Client) read(ctx context.Context, from io.Reader) ([]byte, error) {
	limit := c.options.MaxAnswerBytes
	answer, err := io.ReadAll(io.LimitReader(from, int64(limit)+1))
	if err != nil {
		return nil, &passing{cause: fmt.Errorf("read the answer: %w", because(ctx, err))}
	}
	if len(answer) > limit {
		return nil, fmt.Errorf("the answer is longer than %d bytes", limit)
	}
	return answer, nil
}

// unreadable tells a torn answer, which may pass, from a wrong one.
func unreadable(err error) error {
	err = fmt.Errorf("read the answer: %w", err)
	if _, torn := errors.AsType[*json.SyntaxError](err); torn || errors.Is(err, io.ErrUnexpectedEOF) {
		return &passing{cause: err}
	}
	return err
}

// refused makes an error of any status but 200.
func (c *Client) refused(response *http.Response) error {
	said, _ := io.ReadAll(io.LimitReader(response.Body, 8<<10)) // what could be read is enough
	err := fmt.Errorf("the server answered %d%s", response.StatusCode, c.quote(said))
	switch status := response.StatusCode; {
	case status == http.StatusRequestTimeout, status == http.StatusTooManyRequests, status >= 500 && status != http.StatusNotImplemented:
		return &passing{cause: err, after: comeBack(response.Header, time.Now())}
	}
	return err
}

// comeBack reads Retry-After, in seconds or as a date, and the milliseconds
// that some servers add.
func comeBack(header http.Header, now time.Time) time.Duration {
	const most = 24 * time.Hour
	if n, err := strconv.ParseFloat(header.Get("Retry-After-Ms"), 64); err == nil && n > 0 {
		return min(time.Duration(min(n, 1e9)*float64(time.Millisecond)), most)
	}
	said := header.Get("Retry-After")
	if n, err := strconv.ParseFloat(said, 64); err == nil && n > 0 {
		return min(time.Duration(min(n, 1e6)*float64(time.Second)), most)
	}
	if at, err := http.ParseTime(said); err == nil {
		return min(max(at.Sub(now), 0), most)
	}
	return 0
}

// quote is the server's own message, short and without the key (I3, I6).
func (c *Client) quote(said []byte) string {
	text := message(said)
	if c.options.Key != "" {
		text = strings.ReplaceAll(text, string(c.options.Key), blot)
	}
	if len(text) > maxQuote {
		text = strings.ToValidUTF8(text[:maxQuote], "") + "…"
	}
	if text == "" {
		return ""
	}
	return ": " + strconv.Quote(text)
}

// message finds what a server says in the forms that servers use: an error
// with a message (OpenAI), an error that is one (Ollama), or plain text.
func message(said []byte) string {
	var form struct {
		Error json.RawMessage `json:"error"`
	}
	var inner struct {
		Message string `json:"message"`
	}
	var text string
	switch {
	case json.Unmarshal(said, &form) != nil || form.Error == nil:
		return strings.TrimSpace(string(said))
	case json.Unmarshal(form.Error, &text) == nil:
		return text
	case json.Unmarshal(form.Error, &inner) == nil && inner.Message != "":
		return inner.Message
	}
	return string(form.Error)
}
