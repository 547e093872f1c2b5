package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// Client is the desk of a running server.
type Client struct {
	http *http.Client
}

var _ Office = (*Client)(nil)

// dialTimeout is generous: a socket on this machine answers in microseconds or
// not at all.
const dialTimeout = 2 * time.Second

// dial connects to the socket once, to see that a server is behind it.
func dial(ctx context.Context, path string) (*Client, error) {
	dialer := net.Dialer{Timeout: dialTimeout}
	first, err := dialer.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := first.Close(); err != nil {
		return nil, err
	}
	return &Client{http: &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, "unix", path)
		},
	}}}, nil
}

// Do carries out an operation on the running server. It has no timeout of its
// own: a check of a big store takes long, and the context can end it.
func (c *Client) Do(ctx context.Context, op string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://admin.sock/"+op, bytes.NewReader(body))
	if err != nil {
		return err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return fmt.Errorf("ask the running server: %w", err)
	}
	defer response.Body.Close()
	if body, err = io.ReadAll(response.Body); err != nil {
		return fmt.Errorf("ask the running server: %w", err)
	}
	return readAnswer(response.StatusCode, body, out)
}

func readAnswer(status int, body []byte, out any) error {
	if status == http.StatusOK {
		return json.Unmarshal(body, out)
	}
	var refused failure
	if err := json.Unmarshal(body, &refused); err != nil || refused.Error == "" {
		return fmt.Errorf("ask the running server: status %d", status)
	}
	return errors.New(refused.Error)
}

// Close lets the connection go.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}
