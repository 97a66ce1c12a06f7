package serve

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// tokens are those that clients may have, by their hashes. The file decides: a token that is not in it any more is
// refused, also when the file is empty, gone or partly unreadable.
type tokens struct {
	path   string
	seen   string // what the file looked like; of Reload
	hashes atomic.Pointer[[][sha256.Size]byte]
}

// NewToken returns a new token, of 256 random bits.
func NewToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return "topoi_" + base64.RawURLEncoding.EncodeToString(b[:])
}

// HashToken returns the line of a file of tokens that allows a token: its SHA-256 in hexadecimal, and a name for
// people. Tokens are long and random, so a slow hash would gain nothing.
func HashToken(token, name string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:]) + "  " + name
}

// openTokens reads a file of tokens, which must hold one.
func openTokens(path string) (*tokens, error) {
	t := &tokens{path: path}
	err := t.reload()
	if err == nil && len(*t.hashes.Load()) == 0 {
		err = fmt.Errorf("%s: there is no token in the file: serve.HashToken makes a line for one", path)
	}
	return t, err
}

// reload reads the file if it has changed. It returns an error once for each change: lines that can be read count
// then, and no other token is allowed.
func (t *tokens) reload() error {
	if t == nil {
		return nil
	}
	info, err := os.Stat(t.path)
	seen := fmt.Sprint(err)
	if err == nil {
		seen = fmt.Sprint(info.Size(), info.ModTime().UnixNano(), identity(info))
	}
	if seen == t.seen {
		return nil
	}
	var list [][sha256.Size]byte
	data, err := os.ReadFile(t.path)
	if err != nil {
		seen = err.Error()
		err = fmt.Errorf("cannot read the tokens: %w", err)
	} else if list, err = parseTokens(data); err != nil {
		err = fmt.Errorf("%s:%w", t.path, err)
	}
	t.seen = seen
	t.hashes.Store(&list)
	return err
}

// parseTokens reads lines of a hash and a name. Errors begin with the line's number; the list has the lines that can
// be read.
func parseTokens(data []byte) (list [][sha256.Size]byte, err error) {
	text := transform.NewReader(bytes.NewReader(data), unicode.BOMOverride(transform.Nop)) // as >> of PowerShell writes it
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

// allow says whether a request carries one of the tokens, as a bearer or as the password that a browser asks for. The
// time it takes depends on the number of tokens alone.
func (t *tokens) allow(r *http.Request) bool {
	if t == nil {
		return true
	}
	token, given := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
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

// checkOrigin returns what is wrong with an allowed origin.
func checkOrigin(origin string) error {
	u, err := url.Parse(origin)
	if origin == "*" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" &&
		u.Scheme+"://"+u.Host == origin {
		return nil
	}
	return fmt.Errorf("%q is not the origin of a web page: write it as https://example.org, or *", origin)
}

// mayHost says whether a request may name the server so.
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

// crossOrigin tells browsers whether scripts of another web page may read the answer, and answers the question that
// they ask before. It says whether all is answered.
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
