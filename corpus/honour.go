package corpus

import (
	"fmt"
	"slices"

	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/internal/human"
)

// Formats whose documents may be texts, and those whose documents may be tokens in reading order.
var (
	textFormats  = []string{"text", "lines", "csv", "tsv", "jsonl", "xlsx", "parquet", "mallet"}
	tokenFormats = []string{"octis", "gibbslda", "yahoo"}
)

// honoured is an option that only texts can honour, or that tokens can too, and whether it was given.
type honoured struct {
	name   string
	given  bool
	tokens bool
}

// honours lists the options that not every content can honour. Values that ask for what happens to tokens and counts
// anyway, such as keeping all words, are not given.
func (o *ImportOptions) honours() []honoured {
	t, usual := &o.Text, text.Options{}.WithDefaults()
	other := func(value string, same ...string) bool { return value != "" && !slices.Contains(same, value) }
	return []honoured{
		{"Languages", len(t.Languages) > 0 && !slices.Equal(t.Languages, []string{"none"}), false},
		{"StopWords", len(t.StopWords) > 0, false},
		{"Stem", t.Stem, false},
		{"MinLength", t.MinLength > 1 && t.MinLength != usual.MinLength, false},
		{"MaxLength", t.MaxLength > 0 && t.MaxLength != usual.MaxLength, false},
		{"StripAccents", t.StripAccents, false},
		{"CJK", other(t.CJK, "dictionary"), false},
		{"TokenRegexp", t.TokenRegexp != "", false},
		{"Case", other(t.Case, "fold", "keep"), false},
		{"Grams", len(t.Grams) > 0 && !slices.Equal(t.Grams, []int{1}), false},
		{"Pieces", o.Source.Pieces > 0, false},
		{"Snippet", o.Snippet != 0 && o.Snippet != usualSnippet, false},
		{"Phrases", o.Phrases != nil || len(t.Phrases) > 0, true},
	}
}

// checkHonoured returns the fault of an option that documents of a content cannot honour. Without it the option would
// be of no use, and nobody would know. With a fixed vocabulary the options are those of a model, whose documents may be
// given in any form.
func (o *ImportOptions) checkHonoured(path, format string, content source.Content) error {
	if content == source.ContentText || o.Vocabulary.Len() > 0 {
		return nil
	}
	holds := map[source.Content]string{source.ContentTokens: "words", source.ContentIDs: "counts of words"}[content]
	for _, h := range o.honours() {
		if !h.given || h.tokens && content == source.ContentTokens {
			continue
		}
		if path == "-" {
			path = "standard input"
		}
		need, by := "texts", textFormats
		if h.tokens {
			need, by = "texts or words in their order", append(slices.Clone(textFormats), tokenFormats...)
		}
		return fmt.Errorf("%s: it is read as %s and holds %s, which have no use for Options.%s: "+
			"leave that out, or give %s (%s)", path, format, holds, h.name, need, human.OneOf(by))
	}
	return nil
}

// checkCorpusFiles is checkHonoured for corpus files. They keep their snippets, and parts of one input may be joined
// with the options that they were imported with. So may a single one that is put into another order.
func (o ImportOptions) checkCorpusFiles(paths []string) error {
	if len(paths) > 1 || o.Order == orderHash {
		return nil
	}
	o.Snippet = 0
	return o.checkHonoured(paths[0], "a corpus file", source.ContentIDs)
}
