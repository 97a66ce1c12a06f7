package source

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/topoi-lda/topoi/corpus/source/internal/counts"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// Options say how inputs are to be read. The zero value guesses everything
// from the names and the content of the inputs.
type Options struct {
	// Format is one of the names of Formats; "" or "auto" guesses.
	Format string

	// VocabPath is the file with one word per line behind the ids of uci, lda-c, svmlight, matrix-market, npz and
	// npy. When it is empty, the uci reader looks for vocab.NAME.txt beside docword.NAME.txt, lda-c and those of
	// matrices for FILE.vocab beside FILE.
	VocabPath string

	// IndexBase is the smallest feature id of svmlight: "0" or "1"; "" means "1".
	IndexBase string

	// Orientation tells which side of a matrix (matrix-market, npz, npy) are documents: "docs-rows", "docs-cols", or
	// "auto", which compares the shape with the vocabulary and takes rows when that does not decide. "" means "auto".
	Orientation string

	// Round accepts real numbers as counts and rounds them to the nearest
	// integer, halves to even. Without it they are refused.
	Round bool

	// Fields of jsonl, csv, tsv, xlsx and parquet. For jsonl and parquet a name may be a dotted path ("meta.title");
	// for csv, tsv and xlsx it may be the number of a column, from 1. Several text fields are joined, in the order
	// given, with a line end between them. Empty names are guessed, in any case of letters: text is the first of
	// text, content, body, document and so on that exists, or tokens; id is id, doc_id, docid or document_id; label
	// is label, class or category; time is time, date, timestamp, year and the like; title is title, headline or
	// subject. [Reader.Taken] tells what was found.
	TextFields                                              []string
	IDField, LabelField, TimeField, TitleField, TokensField string

	// Columns are the other columns of csv, tsv and xlsx that go along with the
	// documents; nil keeps all, an empty list none.
	Columns []string

	// Where keeps the documents for which a condition on columns holds:
	//
	//	party in (SPD, "DIE LINKE") and (date >= 2017 or rating < 3) and not speaker is missing
	//
	// Comparisons are =, !=, <, <=, >, >=, in, not in, is missing and is not missing. Names and values that contain
	// blanks or punctuation must be in quotes or backquotes. A missing value satisfies no comparison except "is
	// missing". A list satisfies = and in if one of its items does. Dates may be given as years, months or days: date =
	// 2017 holds for all of 2017. Folders that contradict the condition are not opened, nor are row groups of Parquet
	// read.
	Where string

	// Delimiter of csv: one character, or "tab", "comma", "semicolon", "pipe", "space". Empty sniffs it.
	Delimiter string

	// Header tells whether the first record of csv and tsv names the columns: "yes", "no" or "auto". "" means "auto".
	Header string

	// Sheet is the name of the sheet of an xlsx workbook, in any case of
	// letters. Empty takes the first that is not hidden.
	Sheet string

	// Quote is the quotation mark of csv and tsv, one ASCII character. Empty means ".
	Quote string

	// NoQuotes takes quotation marks in csv and tsv as ordinary characters.
	NoQuotes bool

	// Pattern selects the files of a directory by base name, as path.Match
	// does; ".gz" and ".zst" behind the name are ignored. "" means "*.txt".
	Pattern string

	// NamePattern describes what the names of text files tell, as {date}-{party}.txt does: a time, a title, and of other
	// names the first a label. With a slash in it, it is compared with paths below the directory.
	NamePattern string

	// Partition keeps only the documents of octis that belong to it ("train", "val", "test"). Empty keeps all.
	Partition string

	// Ordered yields the words of octis in reading order, not as ids of its vocabulary.
	Ordered bool

	// Encoding names the encoding of text: one of Encodings or any that browsers know. A byte order mark in the input
	// is stronger. "" or "auto" finds it out for every file.
	Encoding string

	// RepairUTF8 replaces invalid UTF-8 and NUL bytes in text by U+FFFD instead of refusing the input. Text is then
	// taken for UTF-8 unless a mark or Encoding says otherwise.
	RepairUTF8 bool

	// Pieces cuts texts into pieces of about so many words, at the ends of paragraphs or sentences. Each is a document for
	// training, and models show whole documents again. 0 cuts nothing.
	Pieces int

	// UniqueIDs refuses a document whose id an earlier one had. Without it
	// such documents are accepted and counted; see Reader.Repeats.
	UniqueIDs bool

	// Part and Parts read one of several parts of a data set: whole files that follow each other, about as many bytes in
	// each part. Part counts from 1. 0 of 0 reads all.
	Part, Parts int

	// TempDir is where matrices spill what does not fit in memory. Empty means the system's.
	TempDir string

	// Threads bounds the goroutines that parse formats of counts; 0 means all cores. It never changes what is read.
	Threads int

	taken *Taken        // what was understood of the inputs so far
	read  *atomic.Int64 // bytes of the inputs read so far, for formats that open them themselves
	stdin io.Reader     // what "-" stands for; nil: standard input
	root  string        // directory that the ids of text files are relative to
	out   *input.Expansion
	names *counts.Names // words of formats that bring them along, shared by all inputs
}

// Values of the options that have a fixed set of them.
var (
	indexBases   = []string{"0", "1"}
	orientations = []string{"auto", "docs-rows", "docs-cols"}
	headers      = []string{"auto", "yes", "no"}
	delimiters   = map[string]byte{"tab": '\t', "comma": ',', "semicolon": ';', "pipe": '|', "space": ' '}
)

// text returns what concerns the text of any file.
func (o *Options) text() input.Options {
	return input.Options{Encoding: o.Encoding, Repair: o.RepairUTF8, Met: o.taken.encoding, Out: o.out, Stdin: o.stdin}
}

// quote returns the quotation mark, 0 if there is none.
func (o *Options) quote() byte {
	switch {
	case o.NoQuotes:
		return 0
	case o.Quote != "":
		return o.Quote[0]
	}
	return '"'
}

// delimiter returns the delimiter byte, or 0 when it is to be sniffed.
func (o *Options) delimiter() (byte, error) {
	if o.Delimiter == "" {
		return 0, nil
	}
	if c, ok := delimiters[strings.ToLower(o.Delimiter)]; ok {
		return c, nil
	}
	if o.Delimiter == `\t` {
		return '\t', nil
	}
	if c := o.Delimiter[0]; len(o.Delimiter) == 1 && c < 0x80 && !strings.ContainsRune("\n\r\"\x00", rune(c)) {
		return c, nil
	}
	return 0, fmt.Errorf("unknown delimiter %q: give one ASCII character or tab, comma, semicolon, pipe, space",
		o.Delimiter)
}
