package serve

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"slices"
	"sync"
)

// A request whose header has both Content-Length and Transfer-Encoding is how attackers make a proxy and a server
// disagree about where the next request begins. net/http takes the second, and hides the first from handlers. So the
// connection keeps what was last read from it.

// headBytes is how much a connection keeps: more than net/http reads ahead, and than a usual header has.
const headBytes = 16 << 10

// headEnd ends a header.
const headEnd = "\r\n\r\n"

// heardConn is a connection that keeps what it read last.
type heardConn struct {
	net.Conn
	mutex sync.Mutex
	last  []byte
}

// connKey is the key of the heardConn in the context of a request.
type connKey struct{}

// hear is http.Server.ConnContext.
func hear(ctx context.Context, c net.Conn) context.Context {
	if limited, ok := c.(*limitedConn); ok { // what comes through TLS cannot be read here
		return context.WithValue(ctx, connKey{}, limited.heardConn)
	}
	return ctx
}

func (c *heardConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.mutex.Lock()
		c.last = append(c.last, p[:n]...)
		if len(c.last) > headBytes {
			c.last = append(c.last[:0], c.last[len(c.last)-headBytes:]...)
		}
		c.mutex.Unlock()
	}
	return n, err
}

// twoLengths reports whether a chunked request has a Content-Length, too.
func twoLengths(r *http.Request) bool {
	c, ok := r.Context().Value(connKey{}).(*heardConn)
	if !ok || !slices.Contains(r.TransferEncoding, "chunked") {
		return false
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	heard := bytes.ToLower(c.last)
	at := bytes.LastIndex(heard, []byte("\ntransfer-encoding:"))
	if at < 0 {
		return false
	}
	begin := 0
	if end := bytes.LastIndex(heard[:at], []byte(headEnd)); end >= 0 {
		begin = end + len(headEnd) // the header follows the request before
	}
	head, _, _ := bytes.Cut(heard[begin:], []byte(headEnd))
	return bytes.Contains(head, []byte("\ncontent-length:"))
}
