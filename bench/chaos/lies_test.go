package chaos

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// liar is an object store in memory that speaks as much of Amazon's protocol as an import needs, and that lies.
type liar struct {
	mutex   sync.Mutex
	objects map[string][]byte
	lie     string
}

// lies are the faults of a store that reports success.
var lies = []string{"", "lose", "cut", "flip", "page", "other", "short", "repeat"}

func (l *liar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	body, _ := io.ReadAll(r.Body)
	switch r.Method {
	case http.MethodPut:
		l.put(w, r.URL.Path, body)
	case http.MethodDelete:
		delete(l.objects, r.URL.Path)
		w.WriteHeader(http.StatusNoContent)
	default:
		if r.URL.Query().Has("list-type") {
			l.list(w, r)
			return
		}
		l.get(w, r)
	}
}

func (l *liar) put(w http.ResponseWriter, key string, body []byte) {
	sum := fmt.Sprintf(`"%x"`, md5.Sum(body)) // of what came, whatever happens to it
	switch l.lie {
	case "lose":
		body = nil
	case "cut":
		body = body[:len(body)/2]
	case "flip":
		body[len(body)/2] ^= 1
	}
	if l.lie != "lose" {
		l.objects[key] = body
	}
	w.Header().Set("ETag", sum)
}

func (l *liar) list(w http.ResponseWriter, r *http.Request) {
	bucket := strings.TrimSuffix(r.URL.Path, "/") + "/"
	fmt.Fprint(w, "<ListBucketResult>")
	for key, b := range l.objects {
		if name, ok := strings.CutPrefix(key, bucket); ok && strings.HasPrefix(name, r.URL.Query().Get("prefix")) {
			fmt.Fprintf(w, "<Contents><Key>%s</Key><Size>%d</Size><ETag>%x</ETag></Contents>", name, len(b), md5.Sum(b))
		}
	}
	if l.lie == "repeat" {
		fmt.Fprint(w, "<NextContinuationToken>again</NextContinuationToken>")
	}
	fmt.Fprint(w, "</ListBucketResult>")
}

func (l *liar) get(w http.ResponseWriter, r *http.Request) {
	b, there := l.objects[r.URL.Path]
	if !there {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	page := []byte("<html><body>Please log in before you read this text, which nobody wants to have in a corpus.</body></html>")
	crc := binary.BigEndian.AppendUint32(nil, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
	switch {
	case l.lie == "page" && r.Method == http.MethodGet:
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(page)
		return
	case l.lie == "other":
		b = page
	case l.lie == "short":
		b = b[:len(b)/2]
	default:
		w.Header().Set("X-Amz-Checksum-Crc32c", base64.StdEncoding.EncodeToString(crc))
	}
	w.Header().Set("ETag", fmt.Sprintf(`"%x"`, md5.Sum(b)))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b))
}

// disturbLies imports a folder of a store that lies, back into that store. It ends with the bytes of an undisturbed
// import or with one sentence, and when the store tells the truth again, with those bytes.
func (s *schedule) disturbLies() error {
	input := s.text[s.random.IntN(len(s.text))]
	want, err := s.imported(input)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(input)
	if err != nil {
		return err
	}
	name := filepath.Base(input)
	l := &liar{objects: map[string][]byte{"/b/docs/" + name: text}, lie: lies[s.random.IntN(len(lies))]}
	server := httptest.NewServer(l)
	defer server.Close()
	store := fixture{program: s.program}
	store.environment = []string{
		"AWS_ENDPOINT_URL=" + server.URL, "AWS_ACCESS_KEY_ID=user", "AWS_SECRET_ACCESS_KEY=key", "AWS_REGION=us-east-1",
	}
	s.fault("lie", "%q", l.lie)
	args := []string{"import", "s3://b/docs/", "-o", "s3://b/out.topoi", "--quiet"}
	for _, lying := range []bool{true, false} {
		p, err := store.start(s.dir, 0, args...)
		if err != nil {
			return err
		}
		ok, err := p.wait(false)
		if err != nil {
			return err
		}
		l.mutex.Lock()
		got := l.objects["/b/out.topoi"]
		l.lie = ""
		l.mutex.Unlock()
		switch {
		case ok && !bytes.Equal(got, want):
			return fmt.Errorf("%w: the store holds %d bytes, expected %d", errDifferent, len(got), len(want))
		case ok:
			return nil
		case !lying:
			return errors.New("something lost: " + p.sentence())
		}
		s.refuse = true
		s.say("it says: %s", p.sentence())
		l.mutex.Lock()
		delete(l.objects, "/b/out.topoi")
		l.mutex.Unlock()
	}
	return nil
}
