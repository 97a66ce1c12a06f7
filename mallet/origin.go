package mallet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// origin says where the texts of a corpus are and how they are cut into documents. A corpus has no order of
// words; a report of phrases reads the texts again.
type origin struct {
	File       string   `json:"file,omitempty"`   // with a document on every line
	Line       string   `json:"line,omitempty"`   // what a line is; empty: MALLET's default
	Groups     [3]int   `json:"groups"`           // of name, label and text in it
	Dirs       []string `json:"dirs,omitempty"`   // with a document in every file
	SkipHeader bool     `json:"header,omitempty"` // leave out headers of files
	SkipHTML   bool     `json:"html,omitempty"`   // leave out tags
	Encoding   string   `json:"encoding"`
}

// originOf returns the name of the file beside a corpus that keeps its origin.
func originOf(corpus string) string { return corpus + ".source" }

// open opens the texts.
func (o origin) open() (source.Source, error) {
	if o.File == "" {
		s := &dirSource{dirs: o.Dirs, options: source.Options{Format: "text", Pattern: "[^.]*", Encoding: o.Encoding}, header: o.SkipHeader, html: o.SkipHTML}
		return s, s.open()
	}
	r, err := source.Open([]string{o.File}, source.Options{Format: "lines", Encoding: o.Encoding})
	if err != nil {
		return nil, err
	}
	s := &lineSource{Reader: r, file: o.File, groups: o.Groups}
	if o.Line != "" {
		s.pattern, err = regexp.Compile(o.Line)
	}
	return s, err
}

// keep writes the origin beside a corpus. Standard input cannot be read again.
func (o origin) keep(corpus string) (err error) {
	if o.File == "-" {
		if err := os.Remove(originOf(corpus)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if o.File != "" {
		o.File, err = filepath.Abs(o.File)
	}
	dirs := o.Dirs
	o.Dirs = nil
	for _, dir := range dirs {
		path, fault := filepath.Abs(dir)
		o.Dirs, err = append(o.Dirs, path), errors.Join(err, fault)
	}
	if err != nil {
		return err
	}
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return wholefile.Write(originOf(corpus), func(w io.Writer) error { _, err := w.Write(append(data, '\n')); return err })
}

// readOrigin returns the origin of a corpus.
func readOrigin(corpus string) (o origin, err error) {
	data, err := os.ReadFile(originOf(corpus))
	if err != nil {
		return o, fmt.Errorf("--xml-topic-phrase-report needs the order of words, which is read from the imported text: %w; import it again with import-file or import-dir, from a file", err)
	}
	if err := json.Unmarshal(data, &o); err != nil {
		return o, fmt.Errorf("%s: %w; import the text again", originOf(corpus), err)
	}
	return o, nil
}
