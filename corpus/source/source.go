// Package source reads every corpus format: it turns files into a sequence of
// documents and knows nothing of vocabularies, pruning or corpus files.
package source

import "github.com/topoi-lda/topoi/corpus/source/internal/input"

// Document is one document as a reader hands it over. Exactly one of the three forms of content is used: raw text
// that the text pipeline will cut into tokens, ready-made tokens, or ids into the source's own vocabulary.
//
// A reader may reuse the slices from call to call; whoever keeps them copies.
type Document struct {
	ID    []byte // the user's name for the document; empty if the format has none
	Label []byte // class or category, carried through untouched
	Time  []byte // date or time as written, carried through untouched
	Title []byte // title, carried through untouched

	// Columns are the fields of a table that serve no other purpose, as written.
	Columns []Field

	// Snippet is the beginning of the text, for sources that know it but hand over tokens or ids.
	Snippet []byte

	Text   []byte   // raw text, when the format holds text
	Tokens [][]byte // tokens in reading order, when the format holds tokens

	// Words and Counts hold parallel entries (word id, number of occurrences),
	// when the format holds ids. Ids are 0-based; an id may occur twice.
	Words  []uint32
	Counts []uint32
}

// Field is a value of a column.
type Field struct {
	Name  string // of the column
	Value []byte
}

// Content describes which form of content a source's documents hold.
type Content int

// The three forms of content.
const (
	ContentText   Content = iota // Document.Text
	ContentTokens                // Document.Tokens
	ContentIDs                   // Document.Words and Document.Counts
)

func (c Content) String() string { return [...]string{"text", "tokens", "ids"}[c] }

// Source yields the documents of an input in order. Documents that the format
// numbers but does not list (UCI) are yielded empty.
type Source interface {
	// Next fills doc and returns nil, or returns io.EOF after the last document. Any other error names file and line.
	Next(doc *Document) error

	// Content returns which fields of Document are filled.
	Content() Content

	// Vocabulary returns the words behind the ids of a ContentIDs source; it may be called only after Next has
	// returned io.EOF. Nil means that the format brought no words and that ids shall stand for themselves.
	Vocabulary() ([]string, error)

	Close() error
}

// plain is shared by sources that bring no words and have nothing to close.
type plain struct{ holds Content }

func (p plain) Content() Content            { return p.holds }
func (plain) Vocabulary() ([]string, error) { return nil, nil }
func (plain) Close() error                  { return nil }

// Encodings lists names of common encodings for Options.Encoding. Other names that browsers know are understood, too.
func Encodings() []string { return input.Encodings() }
