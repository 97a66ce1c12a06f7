// Package reading has the flags of every command that reads documents, and says what was read.
package reading

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/progress"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// Flags are the flags of every command that reads documents.
type Flags struct {
	Options   corpus.ImportOptions
	stopFiles []string
	phrases   bool
	metadata  string
	Command   *cobra.Command
}

// The headings of flags that mean nothing for a corpus file.
const (
	readingHeading = "Reading the input"
	textHeading    = "From text to words"
)

// orderHeading is that of a flag that corpus files obey too.
const orderHeading = "Choosing the vocabulary"

// AddReading adds the flags that say how inputs are read.
func (in *Flags) AddReading(c *cobra.Command) {
	in.Command = c
	c.Annotations = map[string]string{cli.Streams: "yes"}
	s := &in.Options.Source
	cli.Section(c, readingHeading, func(fs *pflag.FlagSet) {
		fs.StringVar(&s.Format, "format", "auto", "`name` of the input format, or auto to detect it")
		fs.StringVar(&s.VocabPath, "vocab", "", "`file` with the vocabulary of the input: one word per line")
		fs.StringArrayVar(&s.TextFields, "text-field", nil,
			"`field` (JSON) or column (CSV) that holds the text; repeat it to join several")
		fs.StringVar(&s.TokensField, "tokens-field", "", "`field` that holds the words, already separated")
		fs.StringVar(&s.IDField, "id-field", "", "`field` that holds the document's id")
		fs.StringVar(&s.LabelField, "label-field", "", "`field` that holds its label")
		fs.StringVar(&s.TimeField, "time-field", "", "`field` that holds its date or time")
		fs.StringVar(&s.TitleField, "title-field", "", "`field` that holds its title")
		fs.StringSliceVar(&s.Columns, "columns", nil,
			"`names` of other columns to keep for groups and effects (default: all but long texts)")
		fs.StringVar(&s.Where, "where", "", "`condition` on columns, such as 'lang = en and date >= 2017'; other documents are not read")
		fs.StringVar(&s.Delimiter, "delimiter", "",
			"`character` between CSV columns, or tab, comma, semicolon, pipe, space (default: detected)")
		fs.StringVar(&s.Header, "header", "auto", "does the first CSV line name the columns? auto, yes or no")
		fs.StringVar(&s.Sheet, "sheet", "", "`name` of the sheet of an Excel workbook (default: the first)")
		fs.Var(quoteFlag{s}, "quote",
			"quotation `mark` around CSV fields, such as '; none: such marks are ordinary characters (default: double)")
		fs.BoolVar(&s.NoQuotes, "no-quotes", false, "treat quotation marks in CSV as ordinary characters")
		cli.Moved(fs, "--quote none", "no-quotes")
		fs.StringVar(&s.Pattern, "pattern", "", "`pattern` of the file names to read in a directory (default *.txt)")
		fs.StringVar(&s.NamePattern, "name-pattern", "",
			"columns in the names of text files, as a `pattern` such as '{date}-{party}.txt'")
		fs.StringVar(&s.Partition, "partition", "",
			"which `part` of an OCTIS corpus to read: train, val or test (default: all)")
		fs.StringVar(&s.IndexBase, "index-base", "1", "smallest feature `id` in SVMlight: 0 or 1")
		fs.StringVar(&s.Orientation, "orientation", "auto",
			"`side` of a matrix that holds documents: auto, docs-rows or docs-cols")
		fs.BoolVar(&s.Round, "round", false, "round counts that are not whole numbers; without it they are an error")
		fs.BoolVar(&s.UniqueIDs, "unique-ids", false, "fail if two documents have the same id")
		fs.StringVar(&s.Encoding, "encoding", "auto",
			"`name` of the text encoding, such as windows-1252, or auto to detect it")
		fs.BoolVar(&s.RepairUTF8, "repair-utf8", false,
			"replace bytes that are not UTF-8; without it they are an error")
	})
	cli.Complete(c, "format", formatNames)
	cli.Complete(c, "header", cli.Fixed("auto", "yes", "no"))
	cli.Complete(c, "delimiter", cli.Fixed("tab", "comma", "semicolon", "pipe", "space"))
	cli.Complete(c, "encoding", source.Encodings)
	cli.Complete(c, "quote", cli.Fixed("none"))
	cli.Complete(c, "index-base", cli.Fixed("0", "1"))
	cli.Complete(c, "orientation", cli.Fixed("auto", "docs-rows", "docs-cols"))
}

// quoteFlag is the flag for the quotation mark of CSV, of which there may be none.
type quoteFlag struct{ options *source.Options }

// Set implements pflag.Value.
func (f quoteFlag) Set(text string) error {
	if f.options.NoQuotes = text == "none"; f.options.NoQuotes {
		text = ""
	}
	f.options.Quote = text
	return nil
}

// String implements pflag.Value: empty for the default.
func (f quoteFlag) String() string {
	if f.options == nil {
		return ""
	}
	return f.options.Quote
}

// Type implements pflag.Value.
func (f quoteFlag) Type() string { return "string" }

// AddText adds the flags that say how text becomes words and which are kept.
func (in *Flags) AddText(c *cobra.Command) {
	o, t, usual := &in.Options, &in.Options.Text, text.Options{}.WithDefaults()
	cli.Section(c, readingHeading, func(fs *pflag.FlagSet) {
		fs.StringVar(&in.metadata, "metadata", "", "`table` with more columns for the documents, by id or file name")
	})
	cli.Section(c, textHeading, func(fs *pflag.FlagSet) {
		fs.StringSliceVar(&t.Languages, "language", nil,
			"`codes` of the languages whose stop words are dropped, such as de,fr; none; or auto, for each document its own (default: detected from the first documents)")
		fs.StringArrayVar(&in.stopFiles, "stopwords", nil,
			"`file` with more words to drop, separated by spaces or lines")
		fs.BoolVar(&t.Stem, "stem", false, "reduce words to their stems")
		fs.IntVar(&o.Source.Pieces, "pieces", 0,
			"train on pieces of about this many `words`; results are shown for whole documents")
		fs.IntVar(&t.MinLength, "min-length", usual.MinLength, "drop words with fewer letters")
		fs.IntVar(&t.MaxLength, "max-length", usual.MaxLength, "drop words with more letters")
		fs.BoolVar(&t.StripAccents, "strip-accents", false, "treat é as e")
		fs.BoolVar(&t.KeepNumbers, "keep-numbers", false, "keep tokens without letters")
		fs.BoolVar(&t.KeepMarkup, "keep-markup", false,
			"keep HTML tags and entities, URLs, e-mail addresses and encoded files")
		fs.StringVar(&t.CJK, "cjk", "dictionary",
			"`method` to split Chinese, Japanese and Korean: dictionary, bigrams, or words if spaces separate them")
		fs.StringVar(&t.TokenRegexp, "token-regexp", "",
			"regular `expression` of a token, in RE2 syntax (default: words by Unicode's rules)")
		fs.StringVar(&t.Case, "case", "fold",
			"treatment of capitals with --token-regexp: `fold`, lower, or keep, which changes nothing")
		o.Snippet = UsualSnippet
		fs.Var(snippetFlag{&o.Snippet}, "snippet",
			"store this many `characters` of every text to show them with its topics, or all; 0 stores none")
	})
	cli.Section(c, "Choosing the vocabulary", func(fs *pflag.FlagSet) {
		fs.IntVar(&o.MinDF, "min-df", 0,
			"drop words that occur in fewer documents (default: 1 to 5 for text, depending on the number of documents; 1 keeps all)")
		fs.Float64Var(&o.MaxDF, "max-df", 0,
			"drop words that occur in more documents: a fraction, or a number above 1 (default: 0.5 for text with 20 documents or more, 0.9 if they are long; 1 keeps all)")
		fs.IntVar(&o.MinCF, "min-cf", 0, "drop words with fewer occurrences")
		fs.IntVar(&o.MaxWords, "max-words", 0, "keep only this many words, the most frequent ones")
		fs.BoolVar(&in.phrases, "phrases", false, "join words that often occur together, such as new_york")
		fs.BoolVar(&o.DropEmpty, "drop-empty", false,
			"leave out documents without words (default: they are kept and numbered)")
		fs.StringVar(&o.Duplicates, "duplicates", "",
			"what happens to copies of documents: `group`, which keeps them, but never in training and held out; drop; or keep, which looks for none (default: group)")
	})
	cli.Section(c, orderHeading, func(fs *pflag.FlagSet) {
		fs.StringVar(&o.Order, "order", "input",
			"`order` of documents: input, or hash, which is the same however the input is ordered or cut into parts")
	})
	cli.Complete(c, "duplicates", cli.Fixed("group", "drop", "keep"))
	cli.Complete(c, "order", cli.Fixed("input", "hash"))
	cli.Complete(c, "language", languageNames)
	cli.Complete(c, "case", cli.Fixed("fold", "lower", "keep"))
	cli.Complete(c, "cjk", cli.Fixed("dictionary", "bigrams", "words"))
}

// Check returns all faults of the flags, after reading the stop word files.
func (in *Flags) Check() error {
	var faults []error
	for _, path := range in.stopFiles {
		words, err := os.ReadFile(path)
		if err != nil {
			faults = append(faults, fmt.Errorf("--stopwords: %w", err))
		}
		in.Options.Text.StopWords = append(in.Options.Text.StopWords, strings.Fields(string(words))...)
	}
	if in.phrases {
		in.Options.Phrases = &corpus.PhraseOptions{}
	}
	return errors.Join(append(faults, in.Options.Validate())...)
}

// Open opens a corpus file, or imports whatever else the inputs are into a temporary one, telling r about it.
func (in *Flags) Open(ctx context.Context, inputs []string, r progress.Reporter, quiet bool) (*corpus.Corpus, error) {
	imported := len(inputs) != 1 || !corpus.IsCorpus(inputs[0])
	if err := in.refuseOnCorpus(inputs); err != nil {
		return nil, err
	}
	in.Options.Progress = Progress(r)
	c, report, err := corpus.Load(ctx, inputs, in.Options)
	if err != nil {
		return nil, WithFlags(err)
	}
	if imported && !quiet {
		Tell(report, "", r)
	}
	return in.join(ctx, c, r, quiet)
}

// OpenFor opens inputs as documents in the vocabulary of a model.
func (in *Flags) OpenFor(ctx context.Context, m *topoi.Model, inputs []string, r progress.Reporter,
	quiet bool,
) (*corpus.Corpus, *corpus.Report, error) {
	options, err := m.ImportOptions()
	if err != nil {
		return nil, nil, err
	}
	if err := in.refuseOnCorpus(inputs); err != nil {
		return nil, nil, err
	}
	options.Source = in.Options.Source
	options.Progress = Progress(r)
	c, report, err := corpus.Load(ctx, inputs, options)
	if err == nil && !quiet {
		r.Say(describeNew(report))
	}
	return c, report, err
}

// CorpusFile returns the path of a corpus file that holds what inputs give: theirs,
// or a temporary one, which remove removes.
func (in *Flags) CorpusFile(ctx context.Context, inputs []string, r progress.Reporter,
	quiet bool,
) (path string, remove func(), err error) {
	nothing := func() {}
	o := in.Options
	chooses := o.MinDF > 0 || o.MaxDF > 0 || o.MinCF > 0 || o.MaxWords > 0 || o.DropEmpty || o.Phrases != nil ||
		o.Duplicates != "" || o.Order == "hash"
	if err := in.refuseOnCorpus(inputs); err != nil {
		return "", nothing, err
	}
	if len(inputs) == 1 && corpus.IsCorpus(inputs[0]) && !chooses {
		path, err := filepath.Abs(inputs[0])
		return path, nothing, err
	}
	made, err := wholefile.TempDir("corpus")
	if err != nil {
		return "", nothing, err
	}
	dir := made.Temporary
	remove = made.Abort
	path = filepath.Join(dir, "corpus.topoi")
	report, err := in.Import(ctx, inputs, path, r, quiet)
	if err != nil {
		remove()
		return "", nothing, err
	}
	if !quiet {
		Tell(report, "", r)
	}
	return path, remove, nil
}

// refuseOnCorpus refuses flags that would have no effect if the inputs are corpus files.
func (in *Flags) refuseOnCorpus(inputs []string) error {
	if len(inputs) == 0 || !corpus.IsCorpus(inputs[0]) {
		return nil
	}
	return in.RefuseFlags(inputs[0])
}

// RefuseFlags refuses flags that would have no effect on a corpus file.
func (in *Flags) RefuseFlags(path string) error {
	var faults []error
	in.Command.Flags().Visit(func(f *pflag.Flag) {
		if h := f.Annotations[cli.HeadingKey]; len(h) > 0 && (h[0] == readingHeading || h[0] == textHeading) {
			faults = append(faults,
				fmt.Errorf("--%s has no effect on %s, which is already a corpus file: use the flag with topoi import",
					f.Name, path))
		}
	})
	return errors.Join(faults...)
}

// Progress shows the phases of an import.
func Progress(r progress.Reporter) func(corpus.Progress) {
	return func(p corpus.Progress) {
		info := topoi.PhaseInfo{Name: phaseNames[p.Phase], Done: p.Docs, Total: p.TotalDocs}
		if p.TotalBytes > 0 && p.Phase == "read" {
			info.Done, info.Total = p.Bytes, p.TotalBytes
		}
		r.Phase(info)
	}
}

var phaseNames = map[string]string{
	"read":     "reading documents",
	"copies":   "comparing documents",
	"phrases":  "finding phrases",
	"write":    "numbering words",
	"generate": "making documents",
}

func formatNames() []string {
	names := lists.Of(source.Formats(), func(f source.Format) string { return f.Name + "\t" + f.Description })
	return append(names, "auto\tdetect it from name and content")
}

func languageNames() []string {
	names := lists.Of(text.Languages(), func(l text.Language) string { return l.Code + "\t" + l.Name })
	return append(names, "none\tdrop no stop words", "auto\tdetect it for each document")
}
