package serve

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
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
	return &limitedConn{heardConn: &heardConn{Conn: c}, release: sync.OnceFunc(func() { <-l.open })}, nil
}

func (l *limitedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type limitedConn struct {
	*heardConn
	release func()
}

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
	seen              fileStates // used by Reload only
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
	for _, path := range []string{c.certFile, c.keyFile} {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("cannot read the certificate: %w", err)
		}
	}
	seen := look("", c.certFile, c.keyFile)
	if seen.same(c.seen) {
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

// tokens holds the hashes of the tokens that clients may have. The file decides: a token that is no longer
// in it is refused, even if the file is empty, gone or partly unreadable.
type tokens struct {
	path   string
	seen   fileStates // used by Reload only
	hashes atomic.Pointer[[][sha256.Size]byte]
}

// NewToken returns a new token with 256 random bits.
func NewToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return "topoi_" + base64.RawURLEncoding.EncodeToString(b[:])
}

// HashToken returns the line that permits a token in a file of tokens: its SHA-256 in hexadecimal, and a
// name for people. Tokens are long and random, so a slow hash would gain nothing.
func HashToken(token, name string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:]) + "  " + name
}

// openTokens reads a file of tokens, which must contain at least one.
func openTokens(path string) (*tokens, error) {
	t := &tokens{path: path}
	err := t.reload()
	if err == nil && len(*t.hashes.Load()) == 0 {
		err = fmt.Errorf("%s: there is no token in the file: serve.HashToken makes a line for one", path)
	}
	return t, err
}

// reload reads the file if it has changed. It returns an error once for each change. Then only tokens on
// valid lines are permitted.
func (t *tokens) reload() error {
	if t == nil {
		return nil
	}
	seen := look("", t.path)
	if seen.same(t.seen) {
		return nil
	}
	var list [][sha256.Size]byte
	data, err := os.ReadFile(t.path)
	if err != nil {
		if seen[0] != nil {
			seen = nil // try again
		}
		err = fmt.Errorf("cannot read the tokens: %w", err)
	} else if list, err = parseTokens(data); err != nil {
		err = fmt.Errorf("%s:%w", t.path, err)
	}
	t.seen = seen
	t.hashes.Store(&list)
	return err
}

// parseTokens reads lines with a hash and a name. Errors begin with the line's number; the list holds the valid lines.
func parseTokens(data []byte) (list [][sha256.Size]byte, err error) {
	// >> of PowerShell writes UTF-16
	text := transform.NewReader(bytes.NewReader(data), unicode.BOMOverride(transform.Nop))
	lines := bufio.NewScanner(text)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		sum, fault := hex.DecodeString(strings.Fields(line)[0])
		if fault != nil || len(sum) != sha256.Size {
			err = cmp.Or(err, fmt.Errorf("%d: expected a SHA-256 hash in hexadecimal and a name, as serve.HashToken writes", n))
			continue
		}
		list = append(list, [sha256.Size]byte(sum))
	}
	if lines.Err() != nil {
		err = fmt.Errorf(" %w", lines.Err())
	}
	return list, err
}

// allow reports whether a request carries one of the tokens, as a bearer token or as the password that a
// browser asks for. The time it takes depends only on the number of tokens.
func (t *tokens) allow(r *http.Request) bool {
	if t == nil {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	given := strings.EqualFold(scheme, "Bearer") // schemes have no case (RFC 9110, 11.1)
	token = strings.TrimLeft(token, " ")
	if _, password, ok := r.BasicAuth(); ok {
		token, given = password, true
	}
	sum := sha256.Sum256([]byte(token))
	found := 0
	for _, hash := range *t.hashes.Load() {
		found |= subtle.ConstantTimeCompare(sum[:], hash[:])
	}
	return given && found == 1
}

// mayHost reports whether a request may use this host name for the server.
func (o *Options) mayHost(host string) bool {
	if slices.Contains(o.Hosts, "*") {
		return true
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	if _, err := netip.ParseAddr(host); err == nil || host == "localhost" || host == "" {
		return true
	}
	return slices.ContainsFunc(o.Hosts, func(h string) bool { return strings.ToLower(h) == host })
}

// crossOrigin tells browsers whether scripts of other web pages may read the answer, and answers preflight
// requests. It reports whether the request has been answered.
func (o *Options) crossOrigin(a *answer, r *http.Request) bool {
	if len(o.Origins) == 0 {
		return false
	}
	h := a.Header()
	h.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if origin == "" || !slices.Contains(o.Origins, "*") && !slices.Contains(o.Origins, origin) {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	if slices.Contains(o.Origins, "*") {
		h.Set("Access-Control-Allow-Origin", "*")
	}
	h.Set("Access-Control-Expose-Headers", "ETag, Retry-After, Topoi-Fingerprint")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Content-Encoding, If-None-Match")
	h.Set("Access-Control-Max-Age", "600")
	a.WriteHeader(http.StatusNoContent)
	return true
}
