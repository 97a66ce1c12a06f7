package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file of tokens that is there and cannot be read is tried again, and told each time; one that is gone is told once.
// Both permit nobody.
func TestTokensThatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	write(t, path, HashToken("secret", "one")+"\n")
	tokens, err := openTokens(path)
	if err != nil {
		t.Fatal(err)
	}
	permitted := func(want bool) {
		t.Helper()
		if got := len(*tokens.hashes.Load()) == 1; got != want {
			t.Errorf("a token is permitted: %v", got)
		}
	}
	permitted(true)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := tokens.reload(); err == nil || !strings.Contains(err.Error(), "cannot read the tokens") {
		t.Errorf("a file that is gone: %v", err)
	}
	permitted(false)
	if err := tokens.reload(); err != nil {
		t.Errorf("a file that is still gone: %v", err)
	}
	if err := os.Mkdir(path, 0o777); err != nil { // which nobody can read as a file
		t.Fatal(err)
	}
	for range 2 {
		if err := tokens.reload(); err == nil || !strings.Contains(err.Error(), "cannot read the tokens") {
			t.Errorf("a file that cannot be read: %v", err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	write(t, path, HashToken("secret", "one")+"\n")
	if err := tokens.reload(); err != nil {
		t.Error(err)
	}
	permitted(true)
}
