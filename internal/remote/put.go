package remote

import (
	"crypto/md5"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/objects"
)

const (
	partSize = 16 << 20 // bytes of a part of an upload, more where a store would need more than 10,000 of them
	uploads  = 4        // parts that travel at once
)

// put uploads a file. The object is there when all of it has arrived and agrees with its checksums, and not before.
func put(path, local string) error {
	at, err := locate(path)
	if err == nil && at.web {
		err = &objects.Fault{Path: path, Msg: "topoi cannot write to a web server", Hint: "write to s3://, gs:// or az://"}
	}
	if err != nil {
		return err
	}
	known.Delete(path)
	f, err := os.Open(local)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var parts []part
	if info.Size() <= partSize {
		_, err = at.putPart(f, nil, 0, info.Size())
	} else {
		parts, err = at.putParts(f, info.Size())
	}
	if err != nil {
		return err
	}
	return at.verify(f, info.Size(), parts)
}

// putPart uploads a section of a file, as an object of its own or as a part. The store compares the checksum.
func (p place) putPart(f *os.File, query url.Values, offset, size int64) (part, error) {
	data := make([]byte, size)
	if _, err := f.ReadAt(data, offset); err != nil && (err != io.EOF || size > 0) {
		return part{}, err
	}
	header := p.in.seal(data)
	answer, err := p.send(until(), call{method: http.MethodPut, query: query, header: header, body: data})
	if err != nil {
		return part{}, err
	}
	answer.Body.Close()
	sum := md5.Sum(data)
	sent := part{ETag: answer.Header.Get("ETag"), ChecksumCRC32C: header[amazonSum], md5: sum[:]}
	return sent, p.verifyPart(answer.Header, sent)
}

// putParts uploads a large file in parts, and gives the upload up if one fails.
func (p place) putParts(f *os.File, size int64) (parts []part, err error) {
	upload, err := p.in.begin(p)
	if err != nil {
		return nil, err
	}
	length := max(partSize, size/9999+1)
	parts = make([]part, (size+length-1)/length)
	faults := make([]error, len(parts))
	var group guard.Group
	slots := make(chan struct{}, uploads)
	for i := range parts {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			parts[i], faults[i] = p.putPart(f, p.in.segment(upload, i+1), int64(i)*length,
				min(length, size-int64(i)*length))
			parts[i].PartNumber = i + 1
		})
	}
	group.Wait()
	if err = errors.Join(faults...); err == nil {
		err = p.in.finish(p, upload, parts, f)
	}
	if err != nil {
		p.in.cancel(p, upload)
	}
	return parts, err
}

// Store uploads a file, or all files below a directory. In a directory, the file called last goes first and comes
// last: without it the others are nothing.
func Store(local, path, last string) error {
	if info, err := os.Stat(local); err != nil || !info.IsDir() {
		return put(path, local)
	}
	path = strings.TrimSuffix(path, "/") + "/"
	if _, err := os.Stat(filepath.Join(local, last)); err != nil || last == "" {
		return putAll(local, path, "")
	}
	at, err := locate(path + last)
	if err == nil {
		err = at.do(call{method: http.MethodDelete})
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = putAll(local, path, last)
	}
	if err != nil {
		return err
	}
	return put(path+last, filepath.Join(local, last))
}

// putAll uploads all files below a directory but one.
func putAll(local, path, but string) error {
	return fs.WalkDir(os.DirFS(local), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == but {
			return err
		}
		return put(path+name, filepath.Join(local, name))
	})
}

// Fetch saves an object, or all objects below a folder, at a local path, and compares them with their checksums.
func Fetch(path, local string) error {
	folder, err := IsFolder(path)
	if err != nil || !folder {
		return fetch(path, local, err)
	}
	path = strings.TrimSuffix(path, "/") + "/"
	list, err := List(path)
	if err == nil && len(list) == 0 {
		err = &objects.Fault{Path: path, Msg: "there is no object below this path", Hint: "check the path"}
	}
	for i, o := range list {
		for _, next := range list[i:min(i+uploads, len(list))] {
			Prepare(next.Path)
		}
		name := filepath.FromSlash(o.Path[len(path):])
		if !filepath.IsLocal(name) {
			return &objects.Fault{Path: o.Path, Msg: "its name is not that of a file", Hint: "rename it"}
		}
		err = fetch(o.Path, filepath.Join(local, name), err)
	}
	return err
}

// fetch saves one object unless something went wrong before.
func fetch(path, local string, err error) error {
	if err != nil {
		return err
	}
	o, err := Take(path)
	if err != nil {
		return err
	}
	defer o.Close()
	if err := os.MkdirAll(filepath.Dir(local), 0o777); err != nil {
		return err
	}
	f, err := os.Create(local)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, o)
	return errors.Join(err, f.Close())
}
