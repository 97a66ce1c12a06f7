package remote

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// liars are stores in memory of all three kinds, by the beginning of their paths.
func liars(t *testing.T) map[string]*cloud {
	t.Helper()
	amazon, at := newCloud(t, false, version4("user", "very/secret+key"))
	google, atGoogle := newCloud(t, false, version4("id", "secret"))
	azure, atAzure := newCloud(t, true, sharedKey("news", []byte("secret")))
	use(t, map[string]string{
		"STORAGE_EMULATOR_HOST": atGoogle, "GS_ACCESS_KEY_ID": "id", "GS_SECRET_ACCESS_KEY": "secret",
		"AZURE_STORAGE_ACCOUNT": "news", "AZURE_STORAGE_SERVICE_ENDPOINT": atAzure,
		"AZURE_STORAGE_KEY": base64.StdEncoding.EncodeToString([]byte("secret")),
	})
	(&faults{}).use(t, at)
	return map[string]*cloud{"s3://bucket/": amazon, "gs://bucket/": google, "az://container/": azure}
}

// Uploads that a store says it has taken, and loses, cuts or changes, do not count as saved.
func TestLyingStores(t *testing.T) {
	defer func(before time.Duration) { seenWithin = before }(seenWithin)
	seenWithin = 10 * time.Millisecond
	for root, store := range liars(t) {
		for _, lie := range []string{"", "lose", "cut", "flip"} {
			for _, n := range []int{5000, 2*partSize + 5} {
				store.lie = lie
				err := upload(t, root+fmt.Sprint("x", n, lie), content(n))
				switch {
				case lie == "" && err != nil:
					t.Errorf("%s%d bytes, no lie: %v", root, n, err)
				case lie != "" && (err == nil || !strings.Contains(err.Error(), "the store took the upload and holds") &&
					!strings.Contains(err.Error(), "did not finish the upload")):
					t.Errorf("%s%d bytes, %s: it counts as saved: %v", root, n, lie, err)
				}
			}
		}
	}
}

// A page that a proxy gives in place of an object or a list is refused, also with code 200; so is another object than
// the one that was listed.
func TestForeignAnswers(t *testing.T) {
	f := server(t)
	mustUpload(t, "s3://bucket/folder/x.txt", []byte("some words of a text\n"))
	page := "<html><body>Please log in to continue.</body></html>"
	login := func(etag string) func(int, http.ResponseWriter, *http.Request) bool {
		return func(_ int, w http.ResponseWriter, r *http.Request) bool {
			if etag != "" {
				w.Header().Set("ETag", etag)
			}
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, page)
			return true
		}
	}
	list := func() {
		t.Helper()
		f.disturb = nil
		known.Clear()
		if list, err := List("s3://bucket/folder/"); err != nil || len(list) != 1 {
			t.Fatalf("%v, %v", list, err)
		}
	}
	list()
	for _, etag := range []string{"", `"of the page"`} {
		f.disturb = login(etag)
		_, err := readAll("s3://bucket/folder/x.txt")
		if err == nil || !strings.Contains(err.Error(), "a proxy or a login page") || strings.Contains(err.Error(), "\n") {
			t.Errorf("ETag %q: a page is read in place of an object: %v", etag, err)
		}
		list()
	}
	checkRead(t, "s3://bucket/folder/x.txt", []byte("some words of a text\n"))
	f.disturb = login("")
	known.Clear()
	if list, err := List("s3://bucket/folder/"); err == nil || !strings.Contains(err.Error(), "the answer is no list of objects") {
		t.Errorf("a page is read as a list: %v, %v", list, err)
	}
	if info, err := Stat("s3://bucket/folder/x.txt"); err == nil {
		t.Errorf("a page is taken for an object: %v", info)
	}
}

// A store that repeats its continuation token is refused, and a list that takes long ends with its context.
func TestListEnds(t *testing.T) {
	f := server(t)
	n := 0
	f.disturb = func(_ int, w http.ResponseWriter, r *http.Request) bool {
		n++
		next := "again"
		if n > 1000 {
			next = fmt.Sprint("page ", n)
			time.Sleep(10 * time.Millisecond)
		}
		fmt.Fprintf(w, "<ListBucketResult><Contents><Key>x%d</Key><Size>1</Size><ETag>e</ETag></Contents>"+
			"<NextContinuationToken>%s</NextContinuationToken></ListBucketResult>", n, next)
		return true
	}
	_, err := List("s3://bucket/x")
	if err == nil || !strings.Contains(err.Error(), "the same continuation token twice") || n > 3 {
		t.Errorf("%d pages: %v", n, err)
	}
	n = 1000
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	ended, stop := context.WithCancel(context.Background())
	context.AfterFunc(ctx, stop)
	defer Until(ended)()
	if _, err := List("s3://bucket/x"); !errors.Is(err, context.Canceled) {
		t.Errorf("%d pages after it was interrupted: %v", n-1000, err)
	}
}
