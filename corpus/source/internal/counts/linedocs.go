package counts

import (
	"bytes"
	"cmp"
	"runtime"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/internal/guard"
)

// lines holds the parsed part of a piece whose lines are documents.
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
func newLineReader(in *input.Scanner, threads int, parse func(l *lines, line []byte) (doc lineDoc, ok bool,
	err error),
) lineReader {
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

// smallPiece is the size up to which a piece is parsed at once instead of by another goroutine: so little comes at a
// time only at the end of a file, or from somebody who types.
const smallPiece = 32 << 10

// piece is a run of whole lines and what was parsed of it.
type piece[T any] struct {
	text  []byte // every line ended by '\n'
	line  int    // lines of the file before it
	out   T
	ready chan struct{} // closed when out is there
}

// pieces cuts a file at line ends, parses the pieces by several goroutines and hands them out in order. The
// file is read by the caller of next, so nothing is left behind when it stops.
type pieces[T any] struct {
	in    *input.Scanner
	most  int // pieces under way
	parse func(*piece[T])
	queue []*piece[T] // under way, in order
	free  []*piece[T]
	given *piece[T] // what next returned last
	err   error     // why there is nothing more to read
}

// newPieces reads what is left of in. parse fills out from text and line; it must not look at anything that
// changes. threads 0 means all cores.
func newPieces[T any](in *input.Scanner, threads int, parse func(*piece[T])) *pieces[T] {
	threads = cmp.Or(threads, runtime.GOMAXPROCS(0))
	return &pieces[T]{in: in, most: threads, parse: parse}
}

// next returns the next piece, valid until the following call, or the error that ended the file: io.EOF if all
// is well. in.Line is the number of lines read by then.
func (p *pieces[T]) next() (*piece[T], error) {
	if p.given != nil {
		p.free = append(p.free, p.given)
		p.given = nil
	}
	for p.err == nil && len(p.queue) < p.most && !p.headReady() {
		p.read()
	}
	if len(p.queue) == 0 {
		return nil, p.err
	}
	p.given, p.queue = p.queue[0], p.queue[1:]
	<-p.given.ready
	return p.given, nil
}

// headReady tells whether the next piece has been parsed.
func (p *pieces[T]) headReady() bool {
	if len(p.queue) == 0 {
		return false
	}
	select {
	case <-p.queue[0].ready:
		return true
	default:
		return false
	}
}

// read reads a piece and has it parsed.
func (p *pieces[T]) read() {
	text, err := p.in.Block()
	if err != nil {
		p.err = err
		return
	}
	next := new(piece[T])
	if n := len(p.free); n > 0 {
		next, p.free = p.free[n-1], p.free[:n-1]
	}
	next.text, next.line, next.ready = append(next.text[:0], text...), p.in.Line, make(chan struct{})
	p.in.Line += bytes.Count(text, []byte("\n"))
	p.queue = append(p.queue, next)
	if p.most == 1 || len(text) < smallPiece {
		p.parse(next)
		close(next.ready)
		return
	}
	guard.Go(func() {
		defer close(next.ready)
		p.parse(next)
	})
}
