// Package redistest gives tests a real store: Redis or Valkey, as a single server or a Cluster, with TLS and users,
// bounded in memory, restarted with its data, or behind a proxy that delays and cuts connections; or the store inside
// the program (package innerstore), as a single server.
//
// TOPOI_TEST_STORE=inner in the environment makes Start give the latter to all tests. Where no server program is
// installed it does so by itself. Tests that need what only Redis and Valkey have are skipped then with a message; with
// TOPOI_REQUIRE_REDIS=1 they fail if no server program is installed.
package redistest

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/innerstore"
	"github.com/topoi-lda/topoi/internal/redisserver"
)

// Config describes what server a test needs. The zero value is a plain one.
type Config struct {
	// User and Password are what clients must give; nobody else gets in. With a Password alone the user is "default".
	User, Password string

	// Rules are the user's rights, as ACL SETUSER has them. Default: all.
	Rules string

	// TLS makes the TCP port speak TLS with a certificate made for this test.
	TLS bool

	// Persistent writes every change to a file, so that a killed server comes back with its data.
	Persistent bool

	// MaxMemory is the most bytes of data it takes. Default 0: no limit.
	MaxMemory int

	// Lines are more lines of the server's configuration file.
	Lines []string

	// Inner asks for the store inside the program.
	Inner bool

	certificates string // directory; "": made for this server alone
}

// Server is a server that ends with its test.
type Server struct {
	Config
	Addr   string // host:port of its TCP port
	Socket string // path of its Unix socket
	CAFile string // certificate that clients must trust; "" without TLS

	tb      testing.TB
	dir     string
	process *redisserver.Server // nil for the store inside the program
	inner   *innerstore.Server  // nil for Redis and Valkey
}

// onlyInner reports whether the environment asks for the store inside the program.
func onlyInner() bool { return os.Getenv("TOPOI_TEST_STORE") == "inner" }

// Require skips the test when there is no server program, or fails it if the environment asks for one.
func Require(tb testing.TB) {
	tb.Helper()
	_, err := redisserver.Find()
	switch {
	case onlyInner():
		tb.Skip("skipped: only Redis and Valkey have what this test is about")
	case err == nil:
	case os.Getenv("TOPOI_REQUIRE_REDIS") == "1":
		tb.Fatal(err)
	default:
		tb.Skipf("skipped: %v (TOPOI_REQUIRE_REDIS=1 makes this a failure)", err)
	}
}

// Available reports whether there is a Redis or Valkey for tests that need one for some of what they do. Where the
// environment asks for one, its absence fails the test.
func Available(tb testing.TB) bool {
	tb.Helper()
	_, err := redisserver.Find()
	if err != nil && os.Getenv("TOPOI_REQUIRE_REDIS") == "1" {
		tb.Fatal(err)
	}
	return err == nil && !onlyInner()
}

// Start starts a server.
func Start(tb testing.TB, c Config) *Server {
	tb.Helper()
	if !c.fitsInner() {
		Require(tb)
	} else if _, err := redisserver.Find(); err != nil || onlyInner() {
		c.Inner = true
	}
	s := &Server{Config: c, tb: tb, dir: tempDir(tb)}
	if c.TLS {
		if s.certificates == "" {
			s.certificates = makeCertificates(tb)
		}
		s.CAFile = filepath.Join(s.certificates, certFile)
	}
	// A port that is free now may be taken when the server asks for it.
	var err error
	for range 10 {
		s.Addr = freeAddr(tb)
		if err = s.start(); err == nil {
			tb.Cleanup(s.Kill)
			return s
		}
	}
	tb.Fatal(err)
	return nil
}

// tempDir is tb.TempDir with a path short enough for a socket in it.
func tempDir(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp("", "redistest-*")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// freeAddr returns an address of the loopback interface that nobody listens on.
func freeAddr(tb testing.TB) string {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func (s *Server) start() error {
	if s.Inner {
		return s.startInner()
	}
	_, text, _ := strings.Cut(s.Addr, ":")
	port, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	config := redisserver.Config{Dir: s.dir, Port: port, Lines: s.lines()}
	if s.TLS {
		config.TLS = &redisserver.TLS{Cert: s.CAFile, Key: filepath.Join(s.certificates, keyFile), CA: s.CAFile}
	}
	if s.process, err = redisserver.Start(config); err != nil {
		return err
	}
	s.Socket = s.process.Socket
	return nil
}

// lines returns the lines that a test's configuration adds to redisserver's.
func (s *Server) lines() []string {
	lines, rules := s.Lines, cmp.Or(s.Rules, "~* &* +@all")
	switch {
	case s.User != "":
		lines = append(lines, "user default off", fmt.Sprintf("user %s on >%s %s", s.User, s.Password, rules))
	case s.Password != "":
		lines = append(lines, fmt.Sprintf("user default on >%s %s", s.Password, rules))
	}
	if s.Persistent {
		// Once a second, as is usual, a busy disk delays even what was acknowledged: it would die with the process.
		lines = append(lines, "appendonly yes", "appendfsync no")
	}
	if s.MaxMemory > 0 {
		lines = append(lines, fmt.Sprintf("maxmemory %d", s.MaxMemory), "maxmemory-policy noeviction")
	}
	return lines
}

// URL is the address with user and password, as topoi takes it.
func (s *Server) URL() string { return s.urlFor(s.Addr) }

// SocketURL is URL for the Unix socket.
func (s *Server) SocketURL() string {
	u := url.URL{Scheme: "unix", User: s.userinfo(), Path: s.Socket}
	return u.String()
}

func (s *Server) urlFor(addr string) string {
	u := url.URL{Scheme: "redis", User: s.userinfo(), Host: addr}
	if s.TLS {
		u.Scheme = "rediss"
	}
	return u.String()
}

func (s *Server) userinfo() *url.Userinfo {
	if s.Password == "" {
		return nil
	}
	return url.UserPassword(s.User, s.Password)
}

// Kill ends the server as a power cut would. It does nothing if it has ended.
func (s *Server) Kill() {
	if s.Inner {
		s.inner.Close()
		return
	}
	s.process.Kill()
}

// Restart starts the server again, at the same address, with its data if it is Persistent and with none otherwise.
func (s *Server) Restart() {
	s.tb.Helper()
	s.Kill()
	if err := s.start(); err != nil {
		s.tb.Fatal(err)
	}
}

// Do sends one command over the socket and returns its reply as text.
func (s *Server) Do(args ...string) string {
	s.tb.Helper()
	reply, err := s.Try(args...)
	if err != nil {
		s.tb.Fatalf("%s: %v", strings.Join(args, " "), err)
	}
	return reply
}

// Try is Do for commands that may fail.
func (s *Server) Try(args ...string) (string, error) {
	return redisserver.Do(s.SocketURL(), nil, args...)
}

// Keys returns all keys of the server, sorted.
func (s *Server) Keys() []string {
	s.tb.Helper()
	return slices.Sorted(strings.FieldsFuncSeq(s.Do("KEYS", "*"), func(r rune) bool { return r == '\n' }))
}

// Left returns the keys in order that are there to stay. It leaves out the tombstones of jobs, and blobs that nothing
// has accepted and that the store forgets within a minute: those of a worker that ended before it sent the script.
func (s *Server) Left() []string {
	s.tb.Helper()
	return slices.DeleteFunc(s.Keys(), func(key string) bool {
		if strings.HasPrefix(key, "topoi:ended:") {
			return true
		}
		if !strings.HasSuffix(key, ":new") {
			return false
		}
		left, err := strconv.Atoi(s.Do("PTTL", key))
		if err != nil {
			s.tb.Fatal(err)
		}
		return left != -1 && left <= 60_000 // -1: for ever; -2: forgotten meanwhile
	})
}

// The files in the directory of certificates.
const (
	certFile = "server.crt"
	keyFile  = "server.key"
)

// makeCertificates makes a directory with a certificate for the loopback interface, which signs itself, and its key.
func makeCertificates(tb testing.TB) string {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "redistest server"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	signed, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		tb.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		tb.Fatal(err)
	}
	dir := tempDir(tb)
	for name, block := range map[string]*pem.Block{
		certFile: {Type: "CERTIFICATE", Bytes: signed}, keyFile: {Type: "EC PRIVATE KEY", Bytes: secret},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}
