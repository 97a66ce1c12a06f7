package remote

import (
	"crypto/md5"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/objects"
)

// answering is a store that gives every request the answer of a function.
func answering(t *testing.T, answer http.HandlerFunc) {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	(&faults{}).use(t, s.URL)
	known.Clear()
}

// What a store says that it holds may differ from what was sent in one thing alone: in the size, in the MD5, or in the
// ETag of its parts.
func TestEveryDifferenceOfAnUpload(t *testing.T) {
	defer func(before time.Duration) { seenWithin = before }(seenWithin)
	seenWithin = 10 * time.Millisecond
	text := content(1000)
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sum := func(b []byte) []byte { s := md5.Sum(b); return s[:] }
	parts := []part{{md5: sum(text[:600])}, {md5: sum(text[600:])}}
	together, _ := etagOfParts(parts)
	for _, c := range []struct {
		etag  string
		size  int
		parts []part
		want  string
	}{
		{fmt.Sprintf("%x", sum(text)), 1000, nil, ""},
		{"opaque", 1000, nil, ""},
		{together, 1000, parts, ""},
		{"opaque", 999, nil, "holds 999 bytes instead of 1000"},
		{fmt.Sprintf("%x", sum(text[1:])), 1000, nil, "an object with the checksum"},
		{"0" + together[1:], 1000, parts, "an object with the ETag 0"},
		{"", 0, nil, "holds nothing"},
	} {
		answering(t, func(w http.ResponseWriter, _ *http.Request) {
			if c.etag == "" {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			w.Header().Set("ETag", `"`+c.etag+`"`)
			w.Header().Set("Content-Length", fmt.Sprint(c.size))
		})
		at, err := locate("s3://bucket/x")
		if err != nil {
			t.Fatal(err)
		}
		err = at.verify(f, 1000, c.parts)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("ETag %s, %d bytes: %v, want %q", c.etag, c.size, err, c.want)
		}
	}
}

// An object that differs from the one listed in its size alone, or in its ETag alone, is refused.
func TestEveryDifferenceFromTheList(t *testing.T) {
	for _, c := range []struct {
		etag string
		size int
		want string
	}{
		{"one", 5, ""},
		{"one", 4, "4 bytes with the ETag one came, and the store listed 5 bytes with one"},
		{"two", 5, "5 bytes with the ETag two came, and the store listed 5 bytes with one"},
	} {
		answering(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("ETag", `"`+c.etag+`"`)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes 0-%d/%d", c.size-1, c.size))
			w.WriteHeader(http.StatusPartialContent)
			_, _ = io.WriteString(w, "words"[:c.size])
		})
		known.Store("s3://bucket/x", objects.Info{Path: "s3://bucket/x", Size: 5, ETag: "one"})
		_, err := readAll("s3://bucket/x")
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("ETag %s, %d bytes: %v, want %q", c.etag, c.size, err, c.want)
		}
	}
	known.Clear()
}
