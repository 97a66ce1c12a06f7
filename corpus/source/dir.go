package source

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// textFiles reads text files, one document each. The id of a document is its path relative to the root, with forward
// slashes; its label is the directory part of the id, empty at the root. The root is the directory given, or the
// common directory of all inputs when there are several.
type textFiles struct {
	plain
	o      *Options
	name   string // the input, for messages
	next   func() (string, error, bool)
	stop   func()
	in     *input.Scanner // a single file that is already open; nil for a directory
	any    bool           // a file has been read
	id     []byte
	names  *namePattern   // what names tell; nil: nothing
	fitted bool           // some name did
	buffer *input.Scanner // kept for its buffer
}

func openText(path string, in *input.Scanner, o *Options) (Source, error) {
	t := &textFiles{o: o, name: input.DisplayName(path), in: in}
	t.names, _ = newNamePattern(o.NamePattern) // it was checked with the options
	t.names.tell(o.taken)
	if in != nil {
		t.next, t.stop = func() (string, error, bool) { return path, nil, !t.any }, func() {}
		return t, nil
	}
	t.next, t.stop = iter.Pull2(walk(path, o.Pattern, o.taken))
	return t, nil
}

// walk yields the files below root that match pattern. The files and
// directories of each directory come in the order of their names. It tells taken of what it leaves out: other
// kinds of files, and named pipes and devices, which would be read for ever or wait for ever.
func walk(root, pattern string, taken *Taken) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		// The separator makes WalkDir follow a root that is a symbolic link.
		err := filepath.WalkDir(root+string(filepath.Separator), func(p string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() || strings.HasPrefix(d.Name(), "."):
			case !input.IsFile(p, d):
				taken.leave(d.Name() + " (a pipe or device)")
			case !matches(pattern, d.Name()):
				taken.leave(cmp.Or(strings.ToLower(filepath.Ext(d.Name())), "nameless"))
			case !yield(p, nil):
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield("", err)
		}
	}
}

func matches(pattern, name string) bool {
	ok, _ := path.Match(cmp.Or(pattern, "*.txt"), input.PlainName(name))
	return ok
}

func checkPattern(pattern string) error {
	if _, err := path.Match(pattern, ""); err != nil {
		return fmt.Errorf("malformed file pattern %q: close every [ with ]", pattern)
	}
	return nil
}

func (t *textFiles) Close() error {
	t.stop()
	return nil
}

func (t *textFiles) Next(doc *Document) error {
	p, err, ok := t.next()
	if err != nil {
		name := t.name
		if where, ok := errors.AsType[*fs.PathError](err); ok {
			name = where.Path
		}
		return input.OpenError(name, err)
	}
	if !ok {
		if !t.any {
			e := &input.Error{File: t.name, Msg: fmt.Sprintf("no file below this directory matches %q%s",
				cmp.Or(t.o.Pattern, "*.txt"), t.o.taken.held())}
			return e.WithHint("choose other files with Options.Pattern, for example Options.Pattern = '*'")
		}
		if t.names != nil && !t.fitted {
			e := &input.Error{File: t.name, Msg: fmt.Sprintf("no file name matches the pattern %q", t.o.NamePattern)}
			return e.WithHint("the last one read is %q", t.id)
		}
		return io.EOF
	}
	t.any = true
	text, err := t.read(p)
	if err != nil {
		return err
	}
	doc.ID, doc.Label = t.identify(p)
	if t.names != nil && t.names.read(input.PlainName(string(doc.ID)), doc) {
		t.fitted = true
	}
	doc.Text = text
	return nil
}

// read returns the content of a file, valid until the next call.
func (t *textFiles) read(p string) ([]byte, error) {
	in := t.in
	if in == nil {
		f, err := input.OpenFile(p, t.o.text(), nil)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if t.buffer == nil {
			t.buffer = input.NewScanner("", nil)
		}
		in = t.buffer
		if _, err := in.BeginFile(p, f); err != nil {
			return nil, err
		}
	}
	text, err := in.All()
	if err != nil {
		return nil, err
	}
	in.Line = 1
	return input.CheckText(text, in, 0)
}

// identify returns id and label of the document in file p.
func (t *textFiles) identify(p string) (id, label []byte) {
	if p == "-" {
		return nil, nil
	}
	rel, err := filepath.Rel(t.o.root, p)
	if err != nil {
		rel = p
	}
	t.id = append(t.id[:0], filepath.ToSlash(rel)...)
	if dir := path.Dir(filepath.ToSlash(rel)); dir != "." {
		label = t.id[:len(dir)]
	}
	return t.id, label
}

// commonDir returns the directory that ids of text files are relative to: the
// deepest one that contains all inputs. A directory contains itself.
func commonDir(inputs []string) string {
	common := ""
	for i, in := range inputs {
		dir := filepath.Clean(in)
		if !input.IsDir(in) {
			dir = filepath.Dir(dir)
		}
		if i == 0 {
			common = dir
		}
		for common != "." && common != dir && !strings.HasPrefix(dir, strings.TrimSuffix(common, "/")+"/") {
			parent := filepath.Dir(common)
			if parent == common {
				break
			}
			common = parent
		}
	}
	return common
}
