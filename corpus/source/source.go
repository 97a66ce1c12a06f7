// Package source reads every corpus format: it turns files into a sequence of
// documents and knows nothing of vocabularies, pruning or corpus files.
package source

import (
	"github.com/topoi-lda/topoi/corpus/source/internal/counts"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// Document is one document as a reader hands it over. Exactly one of the three
// forms of content is used: raw text that the text pipeline will cut into
// tokens, ready-made tokens, or ids into the source's own vocabulary.
//
// A reader may reuse the slices from call to call; whoever keeps them copies.
type Document struct {
	ID    []byte // the user's name for the document; empty if the format has none
	Label []byte // class or category, carried through untouched
	Time  []byte // date or time as written, carried through untouched
	Title []byte // title, carried through untouched

	// Columns are the fields of a table that serve no other purpose, as written.
	Columns []Field

	// Snippet is the beginning of the text, for sources that know it but hand
	// over tokens or ids.
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

// Content says which form of content a source's documents hold.
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
	// Next fills doc and returns nil, or returns io.EOF after the last
	// document. Any other error names file and line.
	Next(doc *Document) error

	// Content says which fields of Document are filled.
	Content() Content

	// Vocabulary returns the words behind the ids of a ContentIDs source; it
	// may be called only after Next has returned io.EOF. Nil means that the
	// format brought no words and that ids shall stand for themselves.
	Vocabulary() ([]string, error)

	Close() error
}

// plain is what sources have in common that bring no words and have nothing to close.
type plain struct{ holds Content }

func (p plain) Content() Content            { return p.holds }
func (plain) Vocabulary() ([]string, error) { return nil, nil }
func (plain) Close() error                  { return nil }

// Error is a fault of the input: where it is (File, Line), what was found against what was
// expected (Msg), how to mend it (Hint), and what lies below (Err). It prints as one sentence:
//
//	docword.kos.txt:17: word id 6907 is out of range 1 to 6906; check …
type Error = input.Error

// MaxLine is the length in bytes of the longest line, record or text file that the readers take.
const MaxLine = input.MaxLine

// Encodings lists names of common encodings for Options.Encoding. Other names
// that browsers know are understood, too.
func Encodings() []string { return input.Encodings() }

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

// Format is an input format that Open reads.
type Format struct {
	Name        string // what Options.Format takes
	Description string // one line, for people
}

// format binds a Format to its reader. in is nil for a directory; otherwise it
// is the opened input, positioned at its beginning.
type format struct {
	Format
	open opener
	dirs bool // takes directories too
}

// formats in the order in which they are listed for people.
var formats = []format{
	{Format: Format{"text", "text files, one document each (a directory, a glob, or several .txt files)"}, open: openText, dirs: true},
	{Format: Format{"lines", "plain text, one document per line"}, open: openLines},
	{Format: Format{"csv", "comma-separated values (RFC 4180), any delimiter, with or without a header"}, open: openCSV},
	{Format: Format{"tsv", "tab-separated values, with or without a header"}, open: openTSV},
	{Format: Format{"jsonl", "JSON lines, one object per document"}, open: openJSONL},
	{Format: Format{"xlsx", "Excel workbook, one row of a sheet per document"}, open: openXLSX},
	{Format: Format{"parquet", "Parquet, one row per document"}, open: openParquet},
	{Format: Format{"mallet", "MALLET lines: id, label, text"}, open: openMallet},
	{Format: Format{"mallet-state", "MALLET Gibbs state (state.gz), without its topics"}, open: openState},
	{Format: Format{"uci", "UCI bag-of-words"}, open: countsOpener(counts.OpenUCI)},
	{Format: Format{"lda-c", "Blei's LDA-C"}, open: countsOpener(counts.OpenLDAC)},
	{Format: Format{"svmlight", "SVMlight and libsvm"}, open: countsOpener(counts.OpenSVMLight)},
	{Format: Format{"matrix-market", "Matrix Market coordinate matrix"}, open: countsOpener(counts.OpenMatrixMarket)},
	{Format: Format{"npz", "SciPy sparse matrix (scipy.sparse.save_npz)"}, open: countsOpener(counts.OpenNPZ)},
	{Format: Format{"npy", "NumPy dense matrix (numpy.save)"}, open: countsOpener(counts.OpenNPY)},
	{Format: Format{"10x", "10x Genomics: matrix.mtx, features.tsv, barcodes.tsv"}, open: countsOpener(counts.OpenTenX), dirs: true},
	{Format: Format{"octis", "OCTIS data set: corpus.tsv, vocabulary.txt"}, open: openOCTIS, dirs: true},
	{Format: Format{"gibbslda", "GibbsLDA++: the number of documents, then one document per line"}, open: openGibbsLDA},
	{Format: Format{"yahoo", "Yahoo!LDA and WarpLDA lines: id1 id2 word word …"}, open: openYahoo},
	{Format: Format{"vw", "Vowpal Wabbit: tag | word:count word …"}, open: countsOpener(counts.OpenVW)},
}

// Formats lists all input formats.
func Formats() []Format {
	var list []Format
	for _, f := range formats {
		list = append(list, f.Format)
	}
	return list
}

func formatNames() []string {
	names := []string{"auto"}
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

func formatByName(name string) *format {
	for i := range formats {
		if formats[i].Name == name {
			return &formats[i]
		}
	}
	return nil
}
