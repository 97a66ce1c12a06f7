package input

import (
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/objects"
	"github.com/topoi-lda/topoi/internal/stdin"
)

// File is an input whose compression and encoding have been undone.
type File struct {
	text   *utf8Reader
	repair bool
	plain  io.Closer
	raw    io.Closer
	closed bool
	stored func() int64 // bytes read of a packed file; nil for others
	out    *Expansion
}

func (f *File) Read(p []byte) (int, error) { return f.text.Read(p) }

// Close may be called more than once.
func (f *File) Close() error {
	if f.closed {
		return nil
	}
	f.closed = true
	return errors.Join(f.plain.Close(), f.raw.Close())
}

// Whole returns the input below s, to be read at any place: the object that is open already, or the file at path.
func (s *Scanner) Whole(path string) (Stored, int64, error) {
	if s != nil {
		if f, ok := s.r.(*File); ok {
			if o, ok := f.raw.(objects.Object); ok {
				return o, o.Len(), nil
			}
		}
	}
	return Open(path)
}

// readAheadFrom is the size in bytes from which a file is read by a goroutine of its own. Tests make it smaller.
var readAheadFrom = int64(64 << 20)

// OpenFile opens path, or standard input for "-", as UTF-8, and counts in read the bytes taken from it.
func OpenFile(path string, o Options, read *atomic.Int64) (*File, error) {
	raw, large := io.NopCloser(o.Stdin), false
	if o.Stdin == nil {
		raw = io.NopCloser(stdin.Reader())
	}
	if path != "-" {
		f, size, err := Open(path)
		if err != nil {
			return nil, err
		}
		_, local := f.(*os.File) // objects of stores are read ahead anyway
		raw, large = f, local && size >= readAheadFrom
	}
	counted := &countingReader{r: raw, n: read, out: o.Out}
	if o.Out == nil {
		counted.out = new(Expansion)
	}
	plain, err := Decompress(counted)
	if err != nil {
		raw.Close()
		if e, ok := errors.AsType[*Error](err); ok {
			e.File = DisplayName(path)
			return nil, e
		}
		return nil, OpenError(path, err)
	}
	f := &File{repair: o.Repair, raw: raw, out: counted.out}
	if _, packed := plain.(*readAhead); packed {
		f.stored = counted.own.Load
	} else if large {
		plain = NewReadAhead(plain, plain.Close)
	}
	f.text, f.plain = newUTF8Reader(plain, o), plain
	return f, nil
}

// OpenScanner opens a file that belongs to an input.
func OpenScanner(path string, o Options) (*File, *Scanner, error) {
	f, err := OpenFile(path, o, nil)
	if err != nil {
		return nil, nil, err
	}
	in := NewScanner("", nil)
	if _, err = in.BeginFile(path, f); err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, in, nil
}

// BeginFile makes s read a file from its beginning, keeping its buffer, and returns what head does. It refuses
// files that hold no documents.
func (s *Scanner) BeginFile(path string, f *File) ([]byte, error) {
	*s = Scanner{Name: DisplayName(path), r: f, buf: s.buf, Max: s.Max, Stored: f.stored, Repair: f.repair, out: f.out}
	head, err := s.Head()
	if err == nil {
		err = refuse(path, head)
	}
	return head, err
}

type countingReader struct {
	r   io.Reader
	n   *atomic.Int64 // of all inputs
	own atomic.Int64
	out *Expansion
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.own.Add(int64(n))
	c.out.Store(n)
	if c.n != nil {
		c.n.Add(int64(n))
	}
	return n, err
}

// Below lists the files below a folder, sorted. Names that begin with . or _ are left out, as Spark and Hive do.
func Below(dir string) (files []string, err error) {
	hidden := func(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") }
	if objects.Is(dir) {
		list, err := objects.List(strings.TrimSuffix(dir, "/") + "/")
		for _, o := range list {
			if !slices.ContainsFunc(strings.Split(o.Path[len(dir):], "/"), hidden) {
				files = append(files, o.Path)
			}
		}
		return files, err
	}
	err = filepath.WalkDir(dir+string(filepath.Separator), func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && hidden(d.Name()):
			return fs.SkipDir
		case !d.IsDir() && !hidden(d.Name()) && IsFile(p, d):
			files = append(files, p)
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}

// IsFile tells whether an entry of a directory is a file, or a link to one.
func IsFile(p string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	info, err := os.Stat(p)
	return err != nil || info.Mode().IsRegular() // opening a link to nothing gives the error
}

// FolderColumns returns what the folders of a path say, as date=2026-11-01/ does.
func FolderColumns(path string) map[string]string {
	var columns map[string]string
	parts := strings.Split(filepath.ToSlash(path), "/")
	for _, part := range parts[:len(parts)-1] {
		name, value, ok := strings.Cut(part, "=")
		if !ok || name == "" {
			continue
		}
		if plain, err := url.PathUnescape(value); err == nil {
			value = plain
		}
		if value == "__HIVE_DEFAULT_PARTITION__" {
			value = ""
		}
		if columns == nil {
			columns = map[string]string{}
		}
		columns[name] = value
	}
	return columns
}
