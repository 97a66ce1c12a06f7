package remote

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/topoi-lda/topoi/internal/objects"
)

// known remembers what the store has said: the Info of objects, and true of folders.
var known sync.Map

// Stat returns what a store says about an object, or has said in a list.
func Stat(path string) (objects.Info, error) {
	if info, ok := known.Load(path); ok && info != true {
		return info.(objects.Info), nil
	}
	at, err := locate(path)
	if err != nil {
		return objects.Info{}, err
	}
	answer, err := at.head()
	if err != nil {
		return objects.Info{}, err
	}
	if answer.Header.Get("X-Ms-Meta-Hdi_isfolder") == "true" {
		return objects.Info{}, &objects.Fault{Path: path, Msg: "this is a folder", Hint: "check the path", Status: http.StatusNotFound}
	}
	return objects.Info{Path: path, Size: answer.ContentLength, ETag: answer.Header.Get("ETag")}, nil
}

// List returns all objects whose path begins with prefix, sorted by path. Names that end in a slash are left out:
// some programs make them to stand for folders.
func List(prefix string) (list []objects.Info, err error) {
	at, err := locate(prefix)
	if err == nil && at.web {
		err = &objects.Fault{Path: prefix, Msg: "a web server does not list its files", Hint: "name each of them"}
	}
	bucket := place{path: prefix, bucket: at.bucket, in: at.in}
	root := strings.TrimSuffix(prefix[:len(prefix)-len(at.key)], "/") + "/"
	marks := map[string]bool{}
	for mark, more := "", true; err == nil && more; more = mark != "" {
		if marks[mark] {
			msg := "the store repeats a page of its list: it gave the same continuation token twice"
			return nil, &objects.Fault{
				Path: prefix, Msg: msg,
				Hint: "the list would have no end; report it to the people who run the store",
			}
		}
		marks[mark] = true
		answer, fault := bucket.send(until(), call{method: http.MethodGet, query: at.in.listing(at.key, mark)})
		if fault != nil {
			return nil, fault
		}
		var page []objects.Info
		if page, mark, err = at.in.entries(answer.Body); err != nil {
			msg := fmt.Sprintf("the answer is no list of objects (%v)", err)
			err = &objects.Fault{Path: prefix, Msg: msg, Hint: elsewhere}
		}
		answer.Body.Close()
		for _, info := range page {
			if !strings.HasSuffix(info.Path, "/") {
				info.Path = root + info.Path
				known.Store(info.Path, info)
				list = append(list, info)
			}
		}
	}
	slices.SortFunc(list, func(a, b objects.Info) int { return cmp.Compare(a.Path, b.Path) })
	return list, err
}

// IsFolder reports whether a path is no object but the beginning of the paths of some.
func IsFolder(path string) (bool, error) {
	at, err := locate(path)
	if is, ok := known.Load(path); err != nil || ok || at.web {
		return is == true, err
	}
	if at.key != "" && !strings.HasSuffix(at.key, "/") {
		info, err := Stat(path)
		if err == nil {
			known.Store(path, info)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		if below, err := List(path + "/"); err != nil || len(below) == 0 {
			return false, err
		}
	}
	known.Store(path, true)
	return true, nil
}

// Glob returns the objects whose path matches a pattern of package path, sorted.
func Glob(pattern string) (match []string, err error) {
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, err
	}
	list, err := List(pattern[:strings.IndexAny(pattern, "*?[")])
	for _, o := range list {
		if ok, _ := path.Match(pattern, o.Path); ok {
			match = append(match, o.Path)
		}
	}
	return match, err
}
