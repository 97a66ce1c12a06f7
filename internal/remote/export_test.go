package remote

import (
	"io"
	"testing"
)

// StartStore starts a store for tests of the program.
func StartStore(t *testing.T) (put func(local, path string), get func(path string) []byte) {
	server(t)
	put = func(local, path string) {
		t.Helper()
		if err := Store(local, path, ""); err != nil {
			t.Fatal(err)
		}
	}
	get = func(path string) []byte {
		t.Helper()
		o, err := Open(path)
		if err != nil {
			t.Error(err)
			return nil
		}
		defer o.Close()
		b, err := io.ReadAll(o)
		if err != nil {
			t.Error(err)
		}
		return b
	}
	return put, get
}
