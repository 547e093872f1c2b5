package rawhttp

import "strconv"

// Request is everything of a POST that does not change from one to the next.
type Request struct{ head []byte }

// NewPost prepares requests to path with a bearer credential; none if it is empty.
func NewPost(host, path, bearer string) *Request {
	head := "POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: application/json\r\n"
	if bearer != "" {
		head += "Authorization: Bearer " + bearer + "\r\n"
	}
	return &Request{head: []byte(head + "Content-Length: ")}
}

// Append adds the whole request with this body to dst.
func (r *Request) Append(dst, body []byte) []byte {
	dst = append(dst, r.head...)
	dst = strconv.AppendInt(dst, int64(len(body)), 10)
	dst = append(dst, "\r\n\r\n"...)
	return append(dst, body...)
}

// Get is the bytes of a plain GET.
func Get(host, path string) []byte {
	return []byte("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
}
