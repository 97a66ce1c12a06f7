package counts

import (
	"bytes"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// uci reads the bag-of-words format of the UCI repository:
//
//	D          number of documents
//	W          number of words
//	NNZ        number of entries that follow
//	doc word count
//	…
//
// Both ids are 1-based; entries are sorted by document. Documents without an
// entry are empty. An entry may be repeated: the counts add up.
type uci struct {
	words // W of them, or none

	docs, width, entries uint64 // D, W, NNZ of the header

	doc  uint64 // number of the document handed out last
	seen uint64 // entries read

	from  *pieces[uciLines]
	piece *piece[uciLines] // nil before the first
	run   int              // the next of piece.out.runs
	bag   Bag              // a document that two pieces share
}

// uciLines holds the parsed part of a piece: its entries up to the first line that is none.
type uciLines struct {
	runs  []uciRun
	bag   Bag // entries whose count is not 0
	lines int // entries
	rest  int // where in the text the line behind them begins
}

// uciRun is a run of entries of one document.
type uciRun struct {
	doc  uint64 // from 1
	end  int    // of its entries in the bag
	line int    // entries of the piece before it
}

const MaxDocs = 1 << 40 // more documents than this in a header are a mistake

// OpenUCI opens the bag of words of the UCI repository.
func OpenUCI(path string, in *input.Scanner, o *Options) (Reader, error) {
	u := new(uci)
	for _, h := range []struct {
		value *uint64
		what  string
		limit uint64
	}{
		{&u.docs, "the number of documents", MaxDocs},
		{&u.width, "the number of words", math.MaxUint32},
		{&u.entries, "the number of entries", math.MaxInt64},
	} {
		var err error
		if *h.value, err = headerNumber(in, h.what, h.limit); err != nil {
			return nil, err
		}
	}
	u.from = newPieces(in, o.Threads, u.parse)
	dir, base := filepath.Split(input.PlainName(path))
	var beside []string
	if rest, ok := strings.CutPrefix(base, "docword."); ok {
		beside = []string{dir + "vocab." + rest}
	}
	name := FindVocabulary(o.VocabPath, beside...)
	if name == "" {
		return u, nil
	}
	var err error
	if u.vocab, err = ReadVocabulary(name, o.Text); err != nil {
		return nil, err
	}
	if uint64(len(u.vocab)) != u.width {
		e := &input.Error{File: name, Msg: input.Plural(len(u.vocab), "word") + " found, but line 2 of " + in.Name +
			" promises " + input.Plural(u.width, "word")}
		return nil, e.WithHint("give the vocabulary that belongs to this file with Options.VocabPath")
	}
	return u, nil
}

// headerNumber reads a line that holds one number.
func headerNumber(in *input.Scanner, what string, limit uint64) (uint64, error) {
	line, err := in.Next()
	if err == io.EOF {
		in.Line++
		return 0, in.Errorf("the file ends here, but %s is expected",
			what).WithHint("the first three lines must be the numbers of documents, words and entries")
	}
	if err != nil {
		return 0, err
	}
	line = bytes.TrimSpace(line)
	v, n := input.ParseUint(append(line[:len(line):len(line)], '\n'), 0)
	if len(line) == 0 || n != len(line) || v > limit {
		return 0, in.Errorf("found %s, expected %s", input.Quote(line),
			what).WithHint("the first three lines must be the numbers of documents, words and entries")
	}
	return v, nil
}

func (u *uci) NumWords() int { return int(u.width) }

// parse reads the lines of a piece as long as they are sound entries. It is long because it holds the loop
// that all import speed of this format rests on: one round per entry, no call but ParseUint.
func (u *uci) parse(p *piece[uciLines]) {
	out := &p.out
	out.runs, out.lines = out.runs[:0], 0
	w, c := out.bag.Words[:0], out.bag.Counts[:0]
	last := uint64(0)
	at := 0
	for b := p.text; at < len(b); {
		i := skipBlanks(b, at)
		d, j := input.ParseUint(b, i)
		k := skipBlanks(b, j)
		word, l := input.ParseUint(b, k)
		m := skipBlanks(b, l)
		count, n := input.ParseUint(b, m)
		end := skipBlanks(b, n)
		if b[end] == '\r' {
			end++
		}
		// One test for all faults keeps the loop short; explain sorts them out. Zero ids wrap around to the largest values.
		if j == i || k == j || l == k || m == l || n == m || b[end] != '\n' || d-1 >= u.docs || word-1 >= u.width ||
			count > math.MaxUint32 {
			break
		}
		at = end + 1
		if d != last {
			if last != 0 {
				out.runs[len(out.runs)-1].end = len(w)
			}
			out.runs = append(out.runs, uciRun{doc: d, line: out.lines})
			last = d
		}
		out.lines++
		if count > 0 {
			w, c = append(w, uint32(word-1)), append(c, uint32(count))
		}
	}
	if last != 0 {
		out.runs[len(out.runs)-1].end = len(w)
	}
	out.bag.Words, out.bag.Counts, out.rest = w, c, at
}

// Next fills doc with the entries of the next document, which are one run unless pieces cut it.
func (u *uci) Next(doc *Document) error {
	if u.doc == u.docs {
		return u.finish()
	}
	u.doc++
	u.bag.Reset()
	for {
		r, err := u.ahead()
		if err != nil && err != io.EOF {
			return err
		}
		if err == io.EOF || r.doc != u.doc {
			doc.Words, doc.Counts = u.bag.Words, u.bag.Counts
			return nil
		}
		out := &u.piece.out
		begin, lines := 0, out.lines-r.line
		if u.run > 0 {
			begin = out.runs[u.run-1].end
		}
		u.run++
		last := u.run == len(out.runs)
		if !last {
			lines = out.runs[u.run].line - r.line
		}
		if u.seen += uint64(lines); u.seen > u.entries {
			return u.explainEntry(r.line + lines - int(u.seen-u.entries))
		}
		w, c := out.bag.Words[begin:r.end:r.end], out.bag.Counts[begin:r.end:r.end]
		if !last && len(u.bag.Words) == 0 {
			doc.Words, doc.Counts = w, c
			_, err := u.ahead()
			return err
		}
		u.bag.Words, u.bag.Counts = append(u.bag.Words, w...), append(u.bag.Counts, c...)
	}
}

// ahead returns the next run, which is of the current document or a later one, or io.EOF.
func (u *uci) ahead() (uciRun, error) {
	for u.piece == nil || u.run == len(u.piece.out.runs) {
		if err := u.advance(); err != nil {
			return uciRun{}, err
		}
	}
	r := u.piece.out.runs[u.run]
	if r.doc < u.doc || u.seen == u.entries {
		return r, u.explainEntry(r.line)
	}
	return r, nil
}

// advance goes on with what is behind the runs of a piece: a line that is no entry, or the next piece.
func (u *uci) advance() error {
	u.run = 0
	p := u.piece
	if p == nil || p.out.rest == len(p.text) {
		var err error
		if u.piece, err = u.from.next(); err != nil {
			u.piece = nil
		}
		return err
	}
	p.line += p.out.lines + 1
	line := p.text[p.out.rest:]
	line = line[:bytes.IndexByte(line, '\n')]
	if err := u.explain(line, p.line); err != nil {
		return err
	}
	p.text = p.text[p.out.rest+len(line)+1:]
	u.parse(p)
	return nil
}

func skipBlanks(b []byte, i int) int {
	for b[i] == ' ' || b[i] == '\t' {
		i++
	}
	return i
}

// finish checks that nothing is left after the last document.
func (u *uci) finish() error {
	r, err := u.ahead()
	if err == nil {
		return u.explainEntry(r.line)
	}
	if err == io.EOF && u.seen < u.entries {
		return u.from.in.Errorf("the file ends after %s, but line 3 announces %d", input.Plural(u.seen, "entry"),
			u.entries).WithHint("the file is incomplete; copy or download it again")
	}
	return err
}

// explainEntry is explain for an entry of the current piece, in which n are before it.
func (u *uci) explainEntry(n int) error {
	text := u.piece.text
	for range n {
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	u.seen = min(u.seen, u.entries)
	return u.explain(text[:bytes.IndexByte(text, '\n')], u.piece.line+n+1)
}

// explain returns what is wrong with a line. Nothing is, if it is blank.
func (u *uci) explain(line []byte, number int) error {
	at := &input.Scanner{Name: u.from.in.Name, Line: number}
	fields := bytes.Fields(line)
	if len(fields) == 0 {
		return nil
	}
	if u.seen == u.entries {
		return at.Errorf("found more entries than the %d that line 3 announces",
			u.entries).WithHint("correct the number of entries on line 3")
	}
	if len(fields) != 3 {
		return at.Errorf("found %s, expected: document word count",
			input.Quote(bytes.TrimSpace(line))).WithHint("every line after the third must hold three whole numbers")
	}
	d, err := input.NumberField(at, fields[0], "document id", 1, u.docs)
	if err != nil {
		return err
	}
	if _, err := input.NumberField(at, fields[1], "word id", 1, u.width); err != nil {
		return err
	}
	if _, err := input.NumberField(at, fields[2], "count", 0, math.MaxUint32); err != nil {
		return err
	}
	return at.Errorf("document %d comes after document %d", d,
		u.doc).WithHint("sort the entries by document, keeping the three lines of the header")
}
