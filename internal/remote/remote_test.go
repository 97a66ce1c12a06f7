package remote

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"
)

// content returns n bytes that look random.
func content(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{7}).Read(b)
	return b
}

func upload(t *testing.T, path string, b []byte) error {
	t.Helper()
	local := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(local, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return Store(local, path, "manifest.json")
}

func mustUpload(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := upload(t, path, b); err != nil {
		t.Fatal(err)
	}
}

func readAll(path string) ([]byte, error) {
	o, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	return io.ReadAll(o)
}

func checkRead(t *testing.T, path string, want []byte) {
	t.Helper()
	if got, err := readAll(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: read %d bytes of %d: %v", path, len(got), len(want), err)
	}
}

// Objects of every size come back as they were, under names that need escaping, and one request reads a small one.
func TestRoundTrip(t *testing.T) {
	f := server(t)
	for _, n := range []int{0, 1, blockSize - 1, blockSize, blockSize + 1, partSize, partSize + 1, 3*partSize + 5} {
		b := content(n)
		path := "s3://bucket/a folder/ü+=%&'*,;:@!()~ " + strconv.Itoa(n)
		mustUpload(t, path, b)
		f.count()
		checkRead(t, path, b)
		if got := f.count(); n <= blockSize && n > 0 && got != "map[GET:1]" {
			t.Errorf("%d bytes took the requests %s", n, got)
		}
		o, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		at, some := int64(n)*2/3, make([]byte, min(n/3, 5000))
		if _, err := o.ReadAt(some, at); err != nil || !bytes.Equal(some, b[at:][:len(some)]) {
			t.Errorf("%d bytes: ReadAt differs: %v", n, err)
		}
		if info, err := Stat(path); err != nil || info.Size != int64(n) {
			t.Errorf("Stat says %+v, %v", info, err)
		}
		o.Close()
	}
}

func TestListAndFolders(t *testing.T) {
	server(t)
	want := []string{"s3://bucket/d/a.csv", "s3://bucket/d/day=1/b.csv", "s3://bucket/d/day=2/c.csv", "s3://bucket/dx.csv"}
	for _, path := range want {
		mustUpload(t, path, []byte("x"))
	}
	list, err := List("s3://bucket/d")
	if err != nil || len(list) != 4 {
		t.Fatal(list, err)
	}
	for i, o := range list {
		if o.Path != want[i] || o.Size != 1 || o.ETag == "" {
			t.Errorf("%d: %+v", i, o)
		}
	}
	known.Clear()
	for path, want := range map[string]bool{"s3://bucket/d": true, "s3://bucket/d/": true, "s3://bucket/d/a.csv": false, "s3://bucket": true} {
		if got, err := IsFolder(path); got != want || err != nil {
			t.Errorf("%s is a folder: %v, %v", path, got, err)
		}
	}
	if got, err := Glob("s3://bucket/d/day=*/?.csv"); err != nil || len(got) != 2 || got[0] != want[1] {
		t.Error(got, err)
	}
	local := t.TempDir()
	if err := Fetch("s3://bucket/d", local); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(local, "day=2", "c.csv")); err != nil || string(b) != "x" {
		t.Error(b, err)
	}
}

// A connection that is cut again and again, a store that says 503, and one that is slow change nothing.
func TestGoesOn(t *testing.T) {
	f := server(t)
	b := content(5*blockSize + 99)
	f.disturb = func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n%2 == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return n%2 == 1
	}
	mustUpload(t, "s3://bucket/x", b)
	for name, disturb := range map[string]func(n int, w http.ResponseWriter, r *http.Request) bool{
		"busy": f.disturb,
		"cut": func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n%3 > 0 {
				f.cut(w, r, blockSize/3*(n%3))
			}
			return false
		},
		"slow": func(n int, w http.ResponseWriter, r *http.Request) bool {
			time.Sleep(50 * time.Millisecond)
			return false
		},
	} {
		f.disturb = disturb
		t.Run(name, func(t *testing.T) { checkRead(t, "s3://bucket/x", b) })
	}
}

// A byte that changed on the way, and an object that was replaced, are told, not read.
func TestNoticesChanges(t *testing.T) {
	f := server(t)
	b := content(3 * blockSize)
	mustUpload(t, "s3://bucket/x", b)
	f.change = func(r *http.Request, body []byte) []byte {
		if len(body) == blockSize && !strings.HasPrefix(r.Header.Get("Range"), "bytes=0-") {
			body[100] ^= 1
		}
		return body
	}
	if _, err := readAll("s3://bucket/x"); err == nil || !strings.Contains(err.Error(), "bytes changed on the way") {
		t.Errorf("a flipped bit: %v", err)
	}
	f.change = nil
	o, err := Open("s3://bucket/x")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	mustUpload(t, "s3://bucket/x", content(3 * blockSize)[1:])
	if _, err := io.ReadAll(o); err == nil || !strings.Contains(err.Error(), "was changed while it was read") {
		t.Errorf("a new object: %v", err)
	}
}

// An upload that fails leaves nothing that can be read, and what was there before stays.
func TestWholeOrNotAtAll(t *testing.T) {
	f := server(t)
	old := content(10)
	mustUpload(t, "s3://bucket/x", old)
	for name, disturb := range map[string]func(n int, w http.ResponseWriter, r *http.Request) bool{
		"refused part": func(_ int, w http.ResponseWriter, r *http.Request) bool {
			refuse := r.Method == http.MethodPut && r.URL.Query().Get("partNumber") == "2"
			if refuse {
				http.Error(w, "<Error><Code>AccessDenied</Code><Message>No.</Message></Error>", http.StatusForbidden)
			}
			return refuse
		},
		"damaged part": func(_ int, w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Get("partNumber") == "2" {
				r.Body = io.NopCloser(io.MultiReader(strings.NewReader("?"), io.LimitReader(skipOne(r.Body), r.ContentLength-1)))
			}
			return false
		},
	} {
		t.Run(name, func(t *testing.T) {
			if f.simple && name == "damaged part" {
				t.Skip("this server does not compare checksums")
			}
			f.disturb = disturb
			if err := upload(t, "s3://bucket/x", content(2*partSize)); err == nil {
				t.Error("the upload succeeded")
			}
			f.disturb = nil
			checkRead(t, "s3://bucket/x", old)
			if left := f.uploads(t); strings.Contains(left, "<UploadId>") {
				t.Errorf("parts are left: %s", left)
			}
		})
	}
}

func skipOne(r io.Reader) io.Reader {
	_, _ = io.ReadFull(r, make([]byte, 1))
	return r
}

// The manifest of a directory is the last to arrive, and the first to go.
func TestManifestLast(t *testing.T) {
	f := server(t)
	dir := t.TempDir()
	for _, name := range []string{"a", "manifest.json", "z"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := Store(dir, "s3://bucket/model", "manifest.json"); err != nil {
		t.Fatal(err)
	}
	f.disturb = func(_ int, w http.ResponseWriter, r *http.Request) bool {
		refuse := strings.HasSuffix(r.URL.Path, "/z")
		if refuse {
			w.WriteHeader(http.StatusForbidden)
		}
		return refuse
	}
	if err := Store(dir, "s3://bucket/model", "manifest.json"); err == nil {
		t.Error("Store succeeded")
	}
	f.disturb = nil
	if _, err := Stat("s3://bucket/model/manifest.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the manifest of a broken model is there: %v", err)
	}
}

// Faults are one sentence each that names the object and never a secret.
func TestSentences(t *testing.T) {
	f := server(t)
	before := tries
	tries = 2
	defer func() { tries = before }()
	check := func(path, want string) {
		t.Helper()
		_, err := readAll(path)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want …%s…", path, err, want)
		}
	}
	check("s3://bucket/nothing", "s3://bucket/nothing: the store answered 404 NoSuchKey")
	check("s3://other/nothing", "404 NoSuchBucket")
	check("s3://", "write s3://BUCKET/KEY")
	check("az://container/x", "set AZURE_STORAGE_ACCOUNT")
	check("https://nowhere.invalid/x?sig=secret", "https://nowhere.invalid/x: the store does not answer")
	settings().given = credentials.NewStaticCredentialsProvider("user", "wrong secret", "")
	check("s3://bucket/nothing", "AWS_ACCESS_KEY_ID")
	settings().given = credentials.NewStaticCredentialsProvider("user", "very/secret+key", "")
	f.disturb = func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("X-Amz-Bucket-Region", "eu-west-1")
		w.WriteHeader(http.StatusMovedPermanently)
		return true
	}
	check("s3://bucket/x", "AWS_REGION=eu-west-1")
}

// Files of web servers are read in parts, and a change is noticed.
func TestWeb(t *testing.T) {
	b := content(2*blockSize + 10)
	var tag atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"`+strings.Repeat("a", 1+int(tag.Load()))+`"`)
		if r.URL.Path == "/stream" {
			_, _ = io.Copy(w, bytes.NewReader(b))
			return
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b))
	}))
	defer web.Close()
	checkRead(t, web.URL+"/x?sig=1", b)
	if _, err := readAll(web.URL + "/stream"); err == nil || !strings.Contains(err.Error(), "download it first") {
		t.Error(err)
	}
	o, err := Open(web.URL + "/x")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	tag.Add(1)
	if _, err := io.ReadAll(o); err == nil || !strings.Contains(err.Error(), "was changed while it was read") {
		t.Error(err)
	}
	if err := upload(t, web.URL+"/x", b); err == nil || !strings.Contains(err.Error(), "cannot write to a web server") {
		t.Error(err)
	}
}
