package serve

import (
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
)

// limitConnections lets a listener accept a connection only while fewer than most are open.
func limitConnections(l net.Listener, most int) net.Listener {
	return &limitedListener{Listener: l, open: make(chan struct{}, most), closed: make(chan struct{})}
}

type limitedListener struct {
	net.Listener
	open   chan struct{} // has an element for each open connection
	closed chan struct{}
	once   sync.Once
}

// Accept implements net.Listener.
func (l *limitedListener) Accept() (net.Conn, error) {
	select {
	case l.open <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.open
		return nil, err
	}
	return &limitedConn{Conn: c, release: sync.OnceFunc(func() { <-l.open })}, nil
}

// Close implements net.Listener.
func (l *limitedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type limitedConn struct {
	net.Conn
	release func()
}

// Close implements net.Conn.
func (c *limitedConn) Close() error {
	err := c.Conn.Close()
	c.release()
	return err
}

// CloseWrite ends writing. net/http calls it before it closes a connection whose request it has not read to
// the end, so that the answer arrives.
func (c *limitedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// certificate is the server's certificate, read from disk.
type certificate struct {
	certFile, keyFile string
	seen              string // state of the files; used by Reload only
	current           atomic.Pointer[tls.Certificate]
}

func openCertificate(certFile, keyFile string) (*certificate, error) {
	c := &certificate{certFile: certFile, keyFile: keyFile}
	return c, c.reload()
}

// reload reads the files if they have changed. Existing connections are not affected.
func (c *certificate) reload() error {
	if c == nil {
		return nil
	}
	seen := ""
	for _, path := range []string{c.certFile, c.keyFile} {
		info, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("cannot read the certificate: %w", err)
		}
		seen += fmt.Sprint(info.Size(), info.ModTime().UnixNano(), identity(info), " ")
	}
	if seen == c.seen {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return fmt.Errorf("the certificate %s and the key %s cannot be used: %w", c.certFile, c.keyFile, err)
	}
	c.seen = seen
	c.current.Store(&pair)
	return nil
}

// config returns the configuration of TLS, or nil without a certificate.
func (c *certificate) config() *tls.Config {
	if c == nil {
		return nil
	}
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current.Load(), nil },
	}
}
