package source

import (
	"github.com/topoi-lda/topoi/corpus/source/internal/counts"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// counted is the Source that a reader of counts makes.
type counted struct {
	counts.Reader
	doc counts.Document
}

// opener is what the registry wants of a format.
type opener = func(path string, in *input.Scanner, o *Options) (Source, error)

// countsOpener makes an opener of one of counts.
func countsOpener(open func(string, *input.Scanner, *counts.Options) (counts.Reader, error)) opener {
	return func(path string, in *input.Scanner, o *Options) (Source, error) {
		r, err := open(path, in, &counts.Options{
			VocabPath: o.VocabPath, IndexBase: o.IndexBase, Orientation: o.Orientation, Round: o.Round,
			TempDir: o.TempDir, Threads: o.Threads, Text: o.text(), Names: o.names, Read: o.read,
		})
		if err != nil {
			return nil, err
		}
		return &counted{Reader: r}, nil
	}
}

func (c *counted) Content() Content              { return ContentIDs }
func (c *counted) Vocabulary() ([]string, error) { return c.Reader.Vocabulary(), nil }

func (c *counted) Next(doc *Document) error {
	c.doc = counts.Document{}
	err := c.Reader.Next(&c.doc)
	doc.ID, doc.Label, doc.Words, doc.Counts = c.doc.ID, c.doc.Label, c.doc.Words, c.doc.Counts
	return err
}

// Line returns the line of the last document, 0 if it is not one line.
func (c *counted) Line() int {
	if r, ok := c.Reader.(interface{ Line() int }); ok {
		return r.Line()
	}
	return 0
}
