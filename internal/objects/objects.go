// Package objects knows the paths of objects that are not on this machine: s3://BUCKET/KEY, https://HOST/FILE and the
// like. It has them read by package remote, which only programs that import corpus/source/all link: it needs HTTP and
// cryptography.
package objects

import (
	"io"
	"io/fs"
	"strings"

	"github.com/topoi-lda/topoi/internal/linked"
)

// Stores is what package remote registers.
var Stores linked.Part[Opener]

// Opener finds and opens objects.
type Opener interface {
	Prepare(paths ...string)
	Take(path string) (Object, error)
	Stat(path string) (Info, error)
	List(prefix string) ([]Info, error)
	Glob(pattern string) ([]string, error)
	IsFolder(path string) (bool, error)
}

// Object is an object that is open. One goroutine at a time reads it.
type Object interface {
	io.ReadCloser
	io.ReaderAt
	Len() int64
}

// Info describes an object of a store.
type Info struct {
	Path string // as Take takes it
	Size int64
	ETag string // changes with the content
}

// Is reports whether a path is that of a remote object rather than of a file.
func Is(path string) bool {
	scheme, _, found := strings.Cut(path, "://")
	switch scheme {
	case "s3", "gs", "az", "abfs", "abfss", "http", "https":
		return found
	}
	return false
}

// Name is the path without what may be secret in it: the query of a URL may hold a signature.
func Name(path string) string {
	if !strings.HasPrefix(path, "http") {
		return path
	}
	path, _, _ = strings.Cut(path, "?")
	if scheme, rest, _ := strings.Cut(path, "://"); strings.Contains(rest, "@") {
		return scheme + "://" + rest[strings.LastIndex(rest, "@")+1:]
	}
	return path
}

// Prepare begins to open objects, so that those of many small files do not wait for each other. Take returns each.
// Paths of files are left out.
func Prepare(paths ...string) {
	if stores, ok := Stores.Get(); ok {
		stores.Prepare(paths...)
	}
}

// Take opens an object, or returns the one that Prepare opened.
func Take(path string) (Object, error) {
	stores, ok := Stores.Get()
	if !ok {
		return nil, missing(path)
	}
	return stores.Take(path)
}

// Stat returns what a store says about an object, or has said in a list.
func Stat(path string) (Info, error) {
	stores, ok := Stores.Get()
	if !ok {
		return Info{}, missing(path)
	}
	return stores.Stat(path)
}

// List returns all objects whose path begins with prefix, sorted by path.
func List(prefix string) ([]Info, error) {
	stores, ok := Stores.Get()
	if !ok {
		return nil, missing(prefix)
	}
	return stores.List(prefix)
}

// Glob returns the objects whose path matches a pattern of package path, sorted.
func Glob(pattern string) ([]string, error) {
	stores, ok := Stores.Get()
	if !ok {
		return nil, missing(pattern)
	}
	return stores.Glob(pattern)
}

// IsFolder reports whether a path is no object but the beginning of the paths of some.
func IsFolder(path string) (bool, error) {
	stores, ok := Stores.Get()
	if !ok {
		return false, missing(path)
	}
	return stores.IsFolder(path)
}

// missing returns the error of a program that cannot read objects.
func missing(path string) error {
	return &Fault{
		Path: path, Msg: "this program was built without the reader of object stores and web servers",
		Hint: "add " + linked.Import,
	}
}

// Fault is a fault of an object, in one sentence. It never holds a secret.
type Fault struct {
	Path   string // as the user wrote it
	Msg    string // what the store said
	Hint   string // what to do
	Status int    // of the store's answer; 0: there was none
}

func (f *Fault) Error() string { return Name(f.Path) + ": " + f.Msg + "; " + f.Hint }

// statusNotFound is the status of HTTP for what is not there.
const statusNotFound = 404

// Is makes errors.Is tell that something is not there.
func (f *Fault) Is(target error) bool {
	return target == fs.ErrNotExist && f.Status == statusNotFound
}
