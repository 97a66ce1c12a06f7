// Package labelsfile reads and writes labels.json, the file with the names of topics in a model's directory.
package labelsfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi/internal/sealed"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/topic"
)

// Name is the name of the file with labels in a model's directory. Mark is that of a file that lies beside it, so that
// its loss is noticed.
const Name, Mark = "labels.json", "labels.mark"

// markText is the content of Mark.
const markText = "Topics of this model have names, in labels.json. To go on without names, remove this file too.\n"

// maxSize is the largest number of bytes of a file of labels.
const maxSize = 64 << 20

// complete returns a copy in which all fields appear in JSON.
func complete(l topic.Labels) topic.Labels {
	l = l.Clone()
	if l.Hidden == nil {
		l.Hidden = []int{}
	}
	return l
}

// Encode returns labels as JSON, the same bytes for the same labels. It is what Save writes, but without the
// checksum, so that people can edit it.
func Encode(l topic.Labels) []byte {
	l = complete(l)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(l) // encoding these values never fails
	return b.Bytes()
}

// Read reads a labels.json. Errors name the file. The topic numbers are checked when a model takes the labels.
func Read(path string) (topic.Labels, error) {
	f, err := os.Open(path)
	if err != nil {
		return topic.Labels{}, fmt.Errorf("cannot read the names of topics: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return topic.Labels{}, fmt.Errorf("cannot read the names of topics: %w", err)
	}
	l, err := Parse(b)
	if err != nil {
		return topic.Labels{}, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

// Parse reads the bytes of a labels.json.
func Parse(b []byte) (topic.Labels, error) {
	const form = `{"fingerprint": "…", "labels": {"3": "energy"}, "hidden": [7]}`
	var l topic.Labels
	if len(b) > maxSize {
		return l, fmt.Errorf("a file of names has at most %d MB: this is another file", maxSize>>20)
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if _, err := sealed.Unmarshal(b, &l); err != nil {
		var syntax *json.SyntaxError
		if errors.Is(err, sealed.ErrAltered) {
			return l, fmt.Errorf("%w; if the names are right, remove the line of \"checksum\"", err)
		}
		if errors.As(err, &syntax) {
			line := 1 + bytes.Count(b[:min(int(syntax.Offset), len(b))], []byte("\n"))
			return l, fmt.Errorf("line %d: not valid JSON (%w); names look like %s", line, err, form)
		}
		return l, fmt.Errorf("this is not a file of names (%w); it looks like %s", err, form)
	}
	if l.Names == nil && l.Hidden == nil {
		return l, fmt.Errorf("this is not a file of names: it has neither \"labels\" nor \"hidden\"; it looks like %s",
			form)
	}
	return l, nil
}

// Save writes labels.json and its mark into a model's directory, or removes both if l is empty. The mark is there
// only while the labels are, whenever the process ends.
func Save(l topic.Labels, dir string) error {
	path, mark := filepath.Join(dir, Name), filepath.Join(dir, Mark)
	if l.Empty() {
		for _, p := range []string{mark, path} {
			if err := os.Remove(p); err != nil && !errors.Is(err, os.ErrNotExist) {
				return wholefile.Explain(p, err)
			}
		}
		return wholefile.SyncDir(dir)
	}
	b, err := sealed.Marshal(complete(l), "  ")
	if err != nil {
		return err
	}
	if err := wholefile.Put(path, b); err != nil {
		return err
	}
	return wholefile.Put(mark, []byte(markText))
}

// Lost returns an error if labels.json was removed from a model's directory by something else than Save.
func Lost(dir string) error {
	path, mark := filepath.Join(dir, Name), filepath.Join(dir, Mark)
	_, missing := os.Lstat(path)
	if _, err := os.Lstat(mark); err != nil || !errors.Is(missing, os.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("%s is missing, and topics of the model have names: copy it again, or remove %s to go on without names",
		path, mark)
}
