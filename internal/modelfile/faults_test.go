package modelfile

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/labelsfile"
	_ "github.com/topoi-lda/topoi/internal/remote"
)

// A corpus file is told by its fingerprint, an object by what its store says of it, and neither if it cannot be had.
func TestObserveCorpusAndObject(t *testing.T) {
	path := filepath.Join(t.TempDir(), "news.topoi")
	if err := documents().Save(path); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/news.csv" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", `"abc"`)
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader("id,text\n"))
	}))
	defer server.Close()
	damaged := filepath.Join(t.TempDir(), "damaged.topoi")
	if err := os.WriteFile(damaged, []byte("not a corpus"), 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]Input{
		path:                     {path, info.Size(), "corpus:" + documents().Fingerprint()},
		server.URL + "/news.csv": {server.URL + "/news.csv", 8, `etag:"abc"`},
		server.URL + "/none.csv": {server.URL + "/none.csv", 0, ""},
	} {
		if got := observe(path); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if got := observe(damaged); got.Bytes != 12 || strings.HasPrefix(got.Checksum, "corpus:") {
		t.Errorf("a damaged corpus: %+v", got)
	}
	begin := time.Now()
	end := Observe("m", "v", nil, source.Options{})
	time.Sleep(time.Millisecond)
	facts := end()
	took := time.Since(begin).Seconds()
	if facts.Seconds < 0.001 || facts.Seconds > took || facts.Began.After(time.Now()) {
		t.Errorf("%+v of a run of %v seconds", facts, took)
	}
	if facts.Inputs == nil || facts.Began.Nanosecond() != 0 || facts.Began.Location() != time.UTC {
		t.Errorf("%+v", facts)
	}
}

// A manifest that is damaged is refused with the name of its directory.
func TestDamagedManifest(t *testing.T) {
	dir := t.TempDir()
	if err := Put(filepath.Join(dir, Manifest), append(sealed(t, 1, "text"), ' ')); err != nil {
		t.Fatal(err)
	}
	if err := ReadManifest(dir, new(described)); !errors.Is(err, ErrDamaged) || !strings.HasPrefix(err.Error(), dir+": ") {
		t.Errorf("%v", err)
	}
	path := filepath.Join(dir, Manifest)
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o777)); err != nil {
		t.Fatal(err)
	}
	err := ReadManifest(dir, new(described))
	if err == nil || errors.Is(err, ErrNotModel) || !strings.HasPrefix(err.Error(), "cannot open the model: ") {
		t.Errorf("a manifest that cannot be read: %v", err)
	}
	nothing := struct{ X, Checksum any }{math.NaN(), ""}
	if _, err := Seal(&nothing, new(string)); err == nil {
		t.Error("what JSON cannot hold is sealed")
	}
}

// What cannot be written, copied or put in place is told.
func TestFilesThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	none := filepath.Join(dir, "none", "file")
	if err := Put(none, []byte("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("put: %v", err)
	}
	a := Array{Name: Words, Type: "bytes"}
	if err := a.Write(none, func(put func([]byte) error) error { return put(nil) }); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("written: %v", err)
	}
	err := a.Write(filepath.Join(dir, "words"), func(func([]byte) error) error { return io.ErrClosedPipe })
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("an array that cannot be had: %v", err)
	}
	s := save(t)
	if err := s.Copy(filepath.Join(dir, "copy"), "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("copied from nowhere: %v", err)
	}
	if err := s.Copy(none, Alpha); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("copied to nowhere: %v", err)
	}
	for from, files := range map[string]*Files{"files": s, "memory": nil} {
		if err := WriteAll(filepath.Join(dir, "none"), Specs(3, true), files, content(), documents()); err == nil {
			t.Errorf("arrays from %s are written to nowhere", from)
		}
	}
	streamed := &Files{Dir: filepath.Join(dir, "none"), Arrays: Specs(3, true)}
	if err := streamed.Stream(content(), stream{}); err == nil || !strings.Contains(err.Error(), Rows) {
		t.Errorf("streamed: %v", err)
	}
	s.Arrays = append([]Array{{Name: "none", Type: "u64"}}, s.Arrays[1:]...)
	if _, err := s.Map(3, 6, 6); err == nil || !strings.Contains(err.Error(), "the file none is missing") {
		t.Errorf("mapped: %v", err)
	}
	s.Arrays[0].Name = "directory"
	if err := os.Mkdir(filepath.Join(s.Dir, "directory"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Map(3, 6, 6); err == nil || strings.Contains(err.Error(), "is missing") {
		t.Errorf("a directory is mapped: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// A model is not put in a place that another process has taken meanwhile.
func TestPutInPlaceOfOthers(t *testing.T) {
	dir := t.TempDir()
	target, temporary := filepath.Join(dir, "model"), filepath.Join(dir, "temporary")
	_, own, err := claim.Hold(t.Context(), claim.At(target))
	if err != nil {
		t.Fatal(err)
	}
	defer own.Release()
	lock := filepath.Join(dir, ".model.topoi-lock")
	err = errors.Join(os.Mkdir(temporary, 0o777), os.WriteFile(lock, []byte(`{"token":"other","pid":17}`), 0o666))
	if err != nil {
		t.Fatal(err)
	}
	if err := PutInPlace(temporary, target); !errors.Is(err, claim.ErrTaken) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(target); err == nil {
		t.Error("it was put there all the same")
	}
}

// The mark beside labels is no reason to keep a model: the labels decide.
func TestCheckTargetWithMark(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{Manifest: string(sealed(t, 1, "")), labelsfile.Mark: ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := CheckTarget(dir, true); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, labelsfile.Name), []byte("no labels"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := CheckTarget(dir, true); err == nil || !strings.Contains(err.Error(), "holds the names of topics") {
		t.Errorf("labels that cannot be read: %v", err)
	}
}

// There is no array of another name.
func TestUnknownArray(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an array that no model has is written")
		}
	}()
	_ = content().EachChunk("beta.f64", func([]byte) error { return nil })
}
