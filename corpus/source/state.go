package source

import (
	"bytes"
	"io"
	"math"
	"strconv"

	"github.com/topoi-lda/topoi/corpus/source/internal/counts"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// Assignment is one line of a MALLET state: a token and its topic.
type Assignment struct {
	Doc    int    // document, from 0
	Source []byte // name of the document, "NA" when unknown; valid until the next call
	Pos    int    // position of the token in the document
	Word   uint32 // type index
	Type   []byte // the word itself; valid until the next call
	Topic  int
}

// StateReader reads the Gibbs state that MALLET writes with --output-state:
//
//	#doc source pos typeindex type topic
//	#alpha : a0 a1 …
//	#beta : b
//	doc source pos typeindex type topic
//	…
//
// separated by single blanks. Documents must be in order; the two lines of hyper-parameters may be missing.
type StateReader struct {
	in    *input.Scanner
	file  *input.File
	alpha []float64
	beta  float64
	doc   int // document of the last line
}

var (
	stateBanner = []byte("#doc source pos typeindex type topic")
	blank       = []byte(" ")
)

// OpenState opens a MALLET state, compressed or not.
func OpenState(path string) (*StateReader, error) {
	f, in, err := input.OpenScanner(path, input.Options{})
	if err != nil {
		return nil, err
	}
	r, err := newStateReader(in)
	if err != nil {
		f.Close()
		return nil, err
	}
	r.file = f
	return r, nil
}

func newStateReader(in *input.Scanner) (*StateReader, error) {
	line, err := in.Next()
	if err != nil && err != io.EOF {
		return nil, err
	}
	if !bytes.Equal(bytes.TrimSpace(line), stateBanner) {
		return nil, in.Errorf("found %s, expected %q", input.Quote(line),
			stateBanner).WithHint("give the file that MALLET writes with --output-state")
	}
	r := &StateReader{in: in, beta: math.NaN()}
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

// header takes a line "#alpha : …" or "#beta : …".
func (r *StateReader) header(line []byte) error {
	name, values, ok := bytes.Cut(line, []byte(" : "))
	if !ok {
		return r.in.Errorf("found %s, expected \"#alpha : …\" or \"#beta : …\"",
			input.Quote(line)).WithHint("remove the line")
	}
	for _, f := range bytes.Fields(values) {
		v, err := strconv.ParseFloat(string(f), 64)
		if err != nil {
			return r.in.Errorf("found %s, expected a number", input.Quote(f)).WithHint("check the line")
		}
		switch string(name) {
		case "#alpha":
			r.alpha = append(r.alpha, v)
		case "#beta":
			r.beta = v
		}
	}
	return nil
}

// Alpha returns the document-topic prior, one value per topic, or nil when the
// file does not tell; Beta the topic-word prior, or NaN.
func (r *StateReader) Alpha() []float64 { return r.alpha }

// Beta returns the topic-word prior; see Alpha.
func (r *StateReader) Beta() float64 { return r.beta }

// Close closes the file.
func (r *StateReader) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// Next fills a with the next token, or returns io.EOF after the last.
func (r *StateReader) Next(a *Assignment) error {
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
	a.Source, a.Type = rest, right[2]
	var word int
	for _, f := range []struct {
		field []byte
		what  string
		most  uint64
		into  *int
	}{
		{doc, "document", counts.MaxDocs, &a.Doc},
		{right[0], "position", math.MaxInt32, &a.Pos},
		{right[1], "type index", counts.MaxWordID, &word},
		{right[3], "topic", math.MaxInt32, &a.Topic},
	} {
		v, ok := input.Digits(f.field)
		if !ok || v > f.most {
			_, err := input.NumberField(r.in, f.field, f.what, 0, f.most)
			return err
		}
		*f.into = int(v)
	}
	a.Word = uint32(word)
	if a.Doc < r.doc {
		return r.in.Errorf("document %d comes after document %d", a.Doc, r.doc).WithHint("sort the lines by document")
	}
	r.doc = a.Doc
	return nil
}

// state reads the documents of a MALLET state: its words without the topics. Words are numbered as they appear,
// because a state does not list the types that never occur. The name NA stands for none. Document numbers that the
// state leaves out are empty documents.
type state struct {
	r     *StateReader
	words *counts.Names
	types map[uint32]uint32 // number of the word by type index

	ahead Assignment // first token of a document that is yet to come
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
	for s.more && s.ahead.Doc == s.doc {
		if len(s.bag.Words) == 0 && string(s.ahead.Source) != "NA" {
			s.id = append(s.id, s.ahead.Source...)
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
	err := s.r.Next(&s.ahead)
	s.more = err == nil
	if err == io.EOF {
		return nil
	}
	return err
}

// number returns the id of the word ahead and checks that one type index always stands for one word.
func (s *state) number() (uint32, error) {
	id, known := s.types[s.ahead.Word]
	if !known {
		id = s.words.ID(s.ahead.Type)
		s.types[s.ahead.Word] = id
	}
	if s.words.Words[id] != string(s.ahead.Type) {
		return 0, s.r.in.Errorf("type index %d is %s here, but %q before", s.ahead.Word, input.Quote(s.ahead.Type),
			s.words.Words[id]).WithHint("the file is damaged: write it again")
	}
	return id, nil
}
