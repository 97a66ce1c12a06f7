package source

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/topoi-lda/topoi/corpus/source/internal/counts"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/internal/columns"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
)

// counted is the Source that a reader of counts makes.
type counted struct {
	counts.Reader
	doc counts.Document
}

// opener is a format as the registry knows it.
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

func (c *counted) Content() Content { return ContentIDs }

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
	{
		Format: Format{"text", "text files, one document each (a directory, a glob, or several .txt files)"},
		open:   openText, dirs: true,
	},
	{Format: Format{"lines", "plain text, one document per line"}, open: openLines},
	{
		Format: Format{"csv", "comma-separated values (RFC 4180), any delimiter, with or without a header"},
		open:   openCSV,
	},
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
	{
		Format: Format{"10x", "10x Genomics: matrix.mtx, features.tsv, barcodes.tsv"},
		open:   countsOpener(counts.OpenTenX),
		dirs:   true,
	},
	{Format: Format{"octis", "OCTIS data set: corpus.tsv, vocabulary.txt"}, open: openOCTIS, dirs: true},
	{Format: Format{"gibbslda", "GibbsLDA++: the number of documents, then one document per line"}, open: openGibbsLDA},
	{Format: Format{"yahoo", "Yahoo!LDA and WarpLDA lines: id1 id2 word word …"}, open: openYahoo},
	{Format: Format{"vw", "Vowpal Wabbit: tag | word:count word …"}, open: countsOpener(counts.OpenVW)},
}

// Formats lists all input formats.
func Formats() []Format {
	return lists.Of(formats, func(f format) Format { return f.Format })
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

// Validate returns every fault of the options at once, joined by errors.Join.
func (o *Options) Validate() error {
	var faults []error // nil where all is well
	oneOf := func(option, value string, valid []string) {
		if value != "" && !slices.Contains(valid, value) {
			faults = append(faults, fmt.Errorf("unknown %s %q%s", option, value, human.Hint(value, valid)))
		}
	}
	oneOf("format", o.Format, formatNames())
	oneOf("index base", o.IndexBase, indexBases)
	oneOf("orientation", o.Orientation, orientations)
	oneOf("header", o.Header, headers)
	if o.Encoding != "" && o.Encoding != "auto" {
		_, _, err := input.EncodingByName(o.Encoding)
		faults = append(faults, err)
	}
	_, err := o.delimiter()
	faults = append(faults, err)
	if len(o.Quote) > 1 || o.Quote != "" && (o.Quote[0] <= ' ' || o.Quote[0] >= 0x7f) {
		faults = append(faults, fmt.Errorf("unknown quotation mark %q: give one ASCII character", o.Quote))
	}
	_, err = newNamePattern(o.NamePattern)
	faults = append(faults, err)
	if o.Pieces < 0 || o.Pieces > 0 && o.Pieces < 20 {
		faults = append(faults, fmt.Errorf("pieces of %d words: they must have 20 or more (0 cuts nothing)", o.Pieces))
	}
	faults = append(faults, checkPattern(o.Pattern))
	if o.Parts < 0 || o.Part < min(1, o.Parts) || o.Part > o.Parts {
		faults = append(faults, fmt.Errorf("part %d of %d: it must be from 1 to the number of parts", o.Part, o.Parts))
	}
	if o.Where != "" {
		_, err = columns.NewCondition(o.Where)
		faults = append(faults, err)
	}
	if len(o.TextFields) > 0 && o.TokensField != "" {
		faults = append(faults, fmt.Errorf("a text field (%q) and a tokens field (%q) cannot be combined: leave out one", o.TextFields[0], o.TokensField))
	}
	return errors.Join(faults...)
}

// OpenStream reads documents from r as they come, in the format opts.Format, which must be "lines" or "jsonl". Unlike
// [Open] it never waits for more than the document at hand, so it finds out nothing by looking ahead: the text is UTF-8
// and not compressed. name stands for r in messages.
func OpenStream(name string, r io.Reader, opts Options) (Source, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	if opts.Format != "lines" && opts.Format != "jsonl" {
		return nil, fmt.Errorf("documents of the format %q cannot be read one by one: it must be lines or jsonl",
			opts.Format)
	}
	if opts.Where != "" {
		return nil, fmt.Errorf("the condition %q cannot choose documents that are read one by one: give a file",
			opts.Where)
	}
	if err := opts.checkHonoured(name, formatByName(opts.Format)); err != nil {
		return nil, err
	}
	opts.names = counts.NewNames()
	in := input.NewScanner(name, r)
	in.Repair = opts.RepairUTF8
	in.Begin()
	return formatByName(opts.Format).open(name, in, &opts)
}
