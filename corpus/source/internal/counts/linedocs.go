package counts

import (
	"bytes"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// lines is what was parsed of a piece whose lines are documents.
type lines struct {
	docs   []lineDoc
	bag    Bag            // of all documents, one after the other
	fields [][]byte       // of the line at hand
	where  *input.Scanner // the line at hand, for messages
	err    error          // of the line behind the last document
}

// lineDoc is a document that is a line.
type lineDoc struct {
	id, label []byte // parts of the text; both empty for those that have none
	end       int    // of its words in the bag
	line      int    // its number
}

// lineReader hands out documents that are lines. It has a line parsed by the goroutines of pieces.
type lineReader struct {
	from *pieces[lines]
	at   *lines
	next int // of at.docs
}

// newLineReader reads a document from every line that is not blank. parse adds its words to l.bag and returns
// id and label; ok is false for a line that is no document.
func newLineReader(in *input.Scanner, threads int, parse func(l *lines, line []byte) (doc lineDoc, ok bool, err error)) lineReader {
	name, repair := in.Name, in.Repair
	all := func(p *piece[lines]) {
		l := &p.out
		l.docs, l.err = l.docs[:0], nil
		l.bag.Reset()
		l.where = &input.Scanner{Name: name, Repair: repair, Line: p.line}
		for text := p.text; len(text) > 0 && l.err == nil; {
			end := bytes.IndexByte(text, '\n')
			line := input.TrimCR(text[:end])
			text = text[end+1:]
			l.where.Line++
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			number := l.where.Line
			doc, ok, err := parse(l, line)
			if l.err = err; ok && err == nil {
				doc.end, doc.line = len(l.bag.Words), number
				l.docs = append(l.docs, doc)
			}
		}
	}
	return lineReader{from: newPieces(in, threads, all), at: new(lines)}
}

// Next fills doc.
func (r *lineReader) Next(doc *Document) error {
	for r.next == len(r.at.docs) {
		if r.at.err != nil {
			return r.at.err
		}
		p, err := r.from.next()
		if err != nil {
			return err
		}
		r.at, r.next = &p.out, 0
	}
	begin := 0
	if r.next > 0 {
		begin = r.at.docs[r.next-1].end
	}
	d := r.at.docs[r.next]
	r.next++
	doc.ID, doc.Label = d.id, d.label
	doc.Words, doc.Counts = r.at.bag.Words[begin:d.end:d.end], r.at.bag.Counts[begin:d.end:d.end]
	return nil
}

// Line returns the line of the document that Next gave last.
func (r *lineReader) Line() int { return r.at.docs[r.next-1].line }
