package httpedge

import (
	"errors"
	"net"
	"strconv"

	"github.com/valyala/fasthttp"

	"loci/engine/memory"
)

// unreadable answers a request that could not be read as HTTP. fasthttp closes
// the connection afterwards; ours lingers, so that a client which is still
// sending reads the answer instead of a reset.
func (s *Server) unreadable(fast *fasthttp.RequestCtx, err error) {
	k, problem := s.diagnose(err)
	id := requestID(fast)
	fast.Response.Header.Set(headerRequestID, id)
	fast.Response.Header.Set("X-Content-Type-Options", "nosniff")
	writeProblem(fast, s.options.PublicURL, id, k, problem)
	s.metrics.of("(unreadable)").count(methodLabel(nil), k.status)
	if c, ok := fast.Conn().(*conn); ok {
		c.lingers.Store(true)
	}
	if s.options.AccessLog != LogOff {
		s.options.Log.Info("request", keyRequestID, id, keyRoute, "(unreadable)", keyStatus, k.status)
	}
}

func (s *Server) diagnose(err error) (kind, *memory.Error) {
	var small *fasthttp.ErrSmallBuffer
	var netErr net.Error
	switch {
	case errors.Is(err, fasthttp.ErrBodyTooLarge):
		return lookUp(memory.TooLarge), tooLarge(s.options.BodyLimit)
	case errors.As(err, &small):
		return kindBigHeader, memory.Refuse(memory.TooLarge, "the request's header has more than "+strconv.Itoa(readBuffer)+" bytes")
	case errors.As(err, &netErr) && netErr.Timeout():
		return kindSlow, memory.Refuse(memory.Invalid, "the request did not arrive within "+s.options.ReadTimeout.String())
	}
	return lookUp(memory.Invalid), memory.Refuse(memory.Invalid, "the request is not valid HTTP")
}

// busyAnswer is a whole response for a connection that is one too many.
func (s *Server) busyAnswer() []byte {
	id := memory.NewID().String()
	k := lookUp(memory.Overloaded)
	body := appendProblem(nil, s.options.PublicURL, id, k, memory.Busy("too many connections are open", 0))
	s.metrics.of("(refused)").count(methodLabel(nil), k.status)
	answer := []byte("HTTP/1.1 " + strconv.Itoa(k.status) + " " + fasthttp.StatusMessage(k.status) + "\r\nServer: loci\r\nConnection: close\r\nRetry-After: 1\r\n" +
		headerRequestID + ": " + id + "\r\nContent-Type: " + problemType + "\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n")
	return append(answer, body...)
}
