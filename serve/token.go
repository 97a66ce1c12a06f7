package serve

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
)

// tokens are those that clients may have, by their hashes.
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

// HashToken returns the line of a file of tokens that allows a token: its SHA-256 in
// hexadecimal, and a name for people. Tokens are long and random, so a slow hash would gain
// nothing.
func HashToken(token, name string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:]) + "  " + name
}

// openTokens reads a file of tokens.
func openTokens(path string) (*tokens, error) {
	t := &tokens{path: path}
	return t, t.reload()
}

// reload reads the file if it has changed.
func (t *tokens) reload() error {
	if t == nil {
		return nil
	}
	info, err := os.Stat(t.path)
	if err != nil {
		return fmt.Errorf("cannot read the tokens: %w", err)
	}
	seen := fmt.Sprint(info.Size(), info.ModTime().UnixNano(), identity(info))
	if seen == t.seen {
		return nil
	}
	data, err := os.ReadFile(t.path)
	if err != nil {
		return fmt.Errorf("cannot read the tokens: %w", err)
	}
	list, err := parseTokens(data)
	if err != nil {
		return fmt.Errorf("%s:%w", t.path, err)
	}
	t.seen = seen
	t.hashes.Store(&list)
	return nil
}

// parseTokens reads lines of a hash and a name. Errors begin with the line's number.
func parseTokens(data []byte) ([][sha256.Size]byte, error) {
	var list [][sha256.Size]byte
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		sum, err := hex.DecodeString(strings.Fields(line)[0])
		if err != nil || len(sum) != sha256.Size {
			return nil, fmt.Errorf("%d: expected a SHA-256 hash in hexadecimal and a name, as serve.HashToken writes", n)
		}
		list = append(list, [sha256.Size]byte(sum))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf(" %w", err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("1: there is no token: serve.HashToken makes one")
	}
	return list, nil
}

// allow says whether a request carries one of the tokens, as a bearer or as the password
// that a browser asks for. The time it takes depends on the number of tokens alone.
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
