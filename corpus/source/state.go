package source

import (
	"bytes"
	"io"
	"math"
	"strconv"

	"github.com/topoi-lda/topoi/corpus/source/internal/counts"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// stateToken is a line of a MALLET state without its topic. Its slices are valid until the next line is read.
type stateToken struct {
	doc    int    // from 0
	source []byte // name of the document, "NA" when unknown
	index  uint32 // of the word
	word   []byte
}

// stateReader reads the Gibbs state that MALLET writes with --output-state:
//
//	#doc source pos typeindex type topic
//	#alpha : a0 a1 …
//	#beta : b
//	doc source pos typeindex type topic
//	…
//
// separated by single blanks. Documents must be in order; the two lines of hyper-parameters may be missing.
type stateReader struct {
	in  *input.Scanner
	doc int // document of the last line
}

var (
	stateBanner = []byte("#doc source pos typeindex type topic")
	blank       = []byte(" ")
)

func newStateReader(in *input.Scanner) (*stateReader, error) {
	line, err := in.Next()
	if err != nil && err != io.EOF {
		return nil, err
	}
	if !bytes.Equal(bytes.TrimSpace(line), stateBanner) {
		return nil, in.Errorf("found %s, expected %q", input.Quote(line),
			stateBanner).WithHint("give the file that MALLET writes with --output-state")
	}
	r := &stateReader{in: in}
	for {
		if rest := in.Peek(); len(rest) == 0 || rest[0] != '#' {
			return r, nil
		}
		line, err := in.Next()
		if err != nil {
			return nil, err
		}
		if err := r.header(line); err != nil {
			return nil, err
		}
	}
}

// header checks a line "#alpha : …" or "#beta : …".
func (r *stateReader) header(line []byte) error {
	_, values, ok := bytes.Cut(line, []byte(" : "))
	if !ok {
		return r.in.Errorf("found %s, expected \"#alpha : …\" or \"#beta : …\"",
			input.Quote(line)).WithHint("remove the line")
	}
	for _, f := range bytes.Fields(values) {
		if _, err := strconv.ParseFloat(string(f), 64); err != nil {
			return r.in.Errorf("found %s, expected a number", input.Quote(f)).WithHint("check the line")
		}
	}
	return nil
}

// next fills t with the next token, or returns io.EOF after the last.
func (r *stateReader) next(t *stateToken) error {
	line, err := r.in.Checked(r.in.NextNonBlank())
	if err != nil {
		return err
	}
	// The name of a document may hold blanks, so it is what remains after
	// one field has been cut from the left and four from the right.
	doc, rest, ok := bytes.Cut(line, blank)
	var right [4][]byte // pos, typeindex, type, topic
	for i := len(right) - 1; i >= 0 && ok; i-- {
		at := bytes.LastIndexByte(rest, ' ')
		if ok = at >= 0; ok {
			right[i], rest = rest[at+1:], rest[:at]
		}
	}
	if !ok || len(right[2]) == 0 {
		return r.in.Errorf("found %s, expected: doc source pos typeindex type topic",
			input.Quote(line)).WithHint("check that the file is complete")
	}
	t.source, t.word = rest, right[2]
	var index, ignored int
	for _, f := range []struct {
		field []byte
		what  string
		most  uint64
		into  *int
	}{
		{doc, "document", counts.MaxDocs, &t.doc},
		{right[0], "position", math.MaxInt32, &ignored},
		{right[1], "type index", counts.MaxWordID, &index},
		{right[3], "topic", math.MaxInt32, &ignored},
	} {
		v, ok := input.Digits(f.field)
		if !ok || v > f.most {
			_, err := input.NumberField(r.in, f.field, f.what, 0, f.most)
			return err
		}
		*f.into = int(v)
	}
	t.index = uint32(index)
	if t.doc < r.doc {
		return r.in.Errorf("document %d comes after document %d", t.doc, r.doc).WithHint("sort the lines by document")
	}
	r.doc = t.doc
	return nil
}

// state reads the documents of a MALLET state: its words without the topics. Words are numbered as they appear,
// because a state does not list the types that never occur. The name NA stands for none. Document numbers that the
// state leaves out are empty documents.
type state struct {
	r     *stateReader
	words *counts.Names
	types map[uint32]uint32 // number of the word by type index

	ahead stateToken // first token of a document that is yet to come
	more  bool
	begun bool
	doc   int
	id    []byte
	bag   counts.Bag
}

func openState(_ string, in *input.Scanner, o *Options) (Source, error) {
	r, err := newStateReader(in)
	if err != nil {
		return nil, err
	}
	return &state{r: r, words: o.names, types: make(map[uint32]uint32)}, nil
}

func (s *state) Content() Content              { return ContentIDs }
func (s *state) Vocabulary() ([]string, error) { return s.words.Words, nil }
func (s *state) Close() error                  { return nil }

func (s *state) Next(doc *Document) error {
	if !s.begun {
		s.begun = true
		if err := s.advance(); err != nil {
			return err
		}
	}
	if !s.more {
		return io.EOF
	}
	s.bag.Reset()
	s.id = s.id[:0]
	for s.more && s.ahead.doc == s.doc {
		if len(s.bag.Words) == 0 && string(s.ahead.source) != "NA" {
			s.id = append(s.id, s.ahead.source...)
		}
		id, err := s.number()
		if err != nil {
			return err
		}
		s.bag.Add(id, 1)
		if err := s.advance(); err != nil {
			return err
		}
	}
	s.doc++
	doc.ID, doc.Words, doc.Counts = s.id, s.bag.Words, s.bag.Counts
	return nil
}

func (s *state) advance() error {
	err := s.r.next(&s.ahead)
	s.more = err == nil
	if err == io.EOF {
		return nil
	}
	return err
}

// number returns the id of the word ahead and checks that one type index always stands for one word.
func (s *state) number() (uint32, error) {
	id, known := s.types[s.ahead.index]
	if !known {
		id = s.words.ID(s.ahead.word)
		s.types[s.ahead.index] = id
	}
	if s.words.Words[id] != string(s.ahead.word) {
		return 0, s.r.in.Errorf("type index %d is %s here, but %q before", s.ahead.index, input.Quote(s.ahead.word),
			s.words.Words[id]).WithHint("the file is damaged: write it again")
	}
	return id, nil
}
