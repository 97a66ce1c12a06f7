package redistest

import (
	"crypto/tls"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/topoi-lda/topoi/internal/innerstore"
)

// Each runs a test with Redis or Valkey, and with the store inside the program.
func Each(t *testing.T, c Config, test func(t *testing.T, s *Server)) {
	t.Helper()
	t.Run("redis", func(t *testing.T) {
		Require(t)
		test(t, Start(t, c))
	})
	c.Inner = true
	t.Run("inner", func(t *testing.T) { test(t, Start(t, c)) })
}

// fitsInner reports whether the store inside the program has what a configuration asks for. It has no rules, because it
// offers nothing but what workers need.
func (c Config) fitsInner() bool { return !c.Persistent && len(c.Lines) == 0 }

// startInner starts the store inside the program, at an address and at a socket.
func (s *Server) startInner() error {
	var secure *tls.Config
	if s.TLS {
		pair, err := tls.LoadX509KeyPair(s.CAFile, filepath.Join(s.certificates, keyFile))
		if err != nil {
			return err
		}
		secure = &tls.Config{Certificates: []tls.Certificate{pair}}
	}
	s.Socket = filepath.Join(s.dir, "store.sock")
	s.inner = innerstore.New(innerstore.Options{User: s.User, Password: s.Password, Memory: int64(s.MaxMemory)})
	_, err := s.inner.Listen("tcp", s.Addr, secure)
	if err == nil {
		_, err = s.inner.Listen("unix", s.Socket, nil)
	}
	if err != nil {
		s.inner.Close()
	}
	return err
}

// SetMaxMemory changes how many bytes of data a server takes; 0 is no bound.
func (s *Server) SetMaxMemory(bytes int) {
	s.tb.Helper()
	if s.Inner {
		s.inner.SetMemory(int64(bytes))
		return
	}
	s.Do("CONFIG", "SET", "maxmemory", strconv.Itoa(bytes))
}

// OtherType puts a list under a key, whatever was there, at one moment.
func (s *Server) OtherType(key string) {
	s.tb.Helper()
	s.Do("RPUSH", "a list", "x")
	s.Do("RENAME", "a list", key)
}
