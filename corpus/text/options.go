// Package text turns raw text into the tokens that a topic model counts.
//
// A [Pipeline] made from [Options] does the following in this order. It removes markup, normalises the text (NFKC,
// case folding), cuts it into words (by Unicode word boundaries, UAX #29; Chinese by a dictionary, Korean at its
// spaces and before particles, Japanese into overlapping pairs of characters), drops numbers and words that are too
// short or too long, drops stop words, stems words and joins phrases. docs/text.md explains each step, its default
// and the reason for it. [Detect] finds the language of a text.
//
// The tokens of a text depend only on the text and the options. Options are stored as JSON with a corpus,
// so that new text is treated as the training documents were.
package text

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/internal/human"
)

// The values of Options.CJK.
const (
	cjkDictionary = "dictionary"
	cjkBigrams    = "bigrams"
	cjkWords      = "words"
)

// cjkNames lists the values of Options.CJK.
var cjkNames = []string{cjkDictionary, cjkBigrams, cjkWords}

// The values of Options.Case.
const (
	caseFold  = "fold"
	caseLower = "lower"
	caseKeep  = "keep"
)

// caseNames lists the values of Options.Case.
var caseNames = []string{caseFold, caseLower, caseKeep}

// Defaults for the zero values of Options.
const (
	usualMinLength = 2
	usualMaxLength = 64
)

// Options say how text becomes tokens. The zero value suits English text and text in Chinese, Japanese or
// Korean. Package corpus takes the zero value to mean the language it finds in the text.
//
// Their JSON carries a version, so that stored options keep their meaning.
type Options struct {
	// Languages names the languages of the text, by code or English name (see [Languages]). Their stop
	// words are dropped, and their elided articles (French l', Italian dell') are cut off. Two names are
	// special and must come first. "none" drops no stop words. "auto" takes each document to be in the
	// language of which it contains most stop words. Other languages may follow "auto": a document is then
	// taken to be in one of these unless it is clearly in another language.
	//
	// Default: corpus.Import finds the language with [Detect]; a pipeline by itself uses en, zh, ja, ko.
	// The last three cost English text nothing, because it contains no words in their scripts.
	Languages []string `json:"languages,omitempty"`

	// Edition describes which stop lists are used: 1, 2 and 3 mean those of earlier versions of this package, which
	// corpora and models made with them keep; 0 means the current ones. Editions 1 to 3 also cut Korean into
	// pairs of syllables, and 1 and 2 turn ß into ss and keep links without a scheme and names after @ as words.
	Edition int `json:"edition,omitempty"`

	// Pieces is the number of words in the pieces that texts were cut into before; see source.Options.Pieces.
	// It has no effect here. Package corpus stores it, so that new texts are cut in the same way.
	Pieces int `json:"pieces,omitempty"`

	// StopWords are dropped in addition to those of the languages. Each is processed like text, so case and
	// accents need not match.
	StopWords []string `json:"stop_words,omitempty"`

	// Stem replaces words by their stems with the Snowball algorithm of the text's language. With several
	// languages, each document is stemmed in the one of which it contains most stop words.
	Stem bool `json:"stem,omitempty"`

	// MinLength and MaxLength limit the length of a word in code points. They do not apply to pairs of Chinese and
	// Japanese characters. Default: 2, but 1 for Korean, and 64; the upper limit keeps encoded binaries and broken
	// files out of the vocabulary.
	MinLength int `json:"min_length,omitempty"`
	MaxLength int `json:"max_length,omitempty"`

	// StripAccents removes accents from Latin and Greek letters: é becomes e.
	StripAccents bool `json:"strip_accents,omitempty"`

	// KeepNumbers keeps tokens without any letter, such as 1984 and 3.14.
	KeepNumbers bool `json:"keep_numbers,omitempty"`

	// KeepMarkup leaves tags, entities, URLs, e-mail addresses and encoded files (uuencode, base64) in the
	// text. By default they are removed, and entities become the characters they stand for.
	KeepMarkup bool `json:"keep_markup,omitempty"`

	// CJK describes how to cut a run of Chinese characters, Hiragana or Hangul, which text does not divide into words,
	// or not finely enough in Korean. "dictionary" cuts Chinese into words by a dictionary, takes particles off
	// Korean words, and makes overlapping pairs of Japanese characters. "bigrams" makes pairs of all. "words" keeps
	// the whole run, for text in which a segmenter has put spaces between words. Default: "dictionary".
	CJK string `json:"cjk,omitempty"`

	// TokenRegexp, if set, replaces word boundaries: the tokens are the matches of this expression (RE2 syntax)
	// in the normalised, case-folded text. Numbers, apostrophes and CJK then get no special treatment.
	TokenRegexp string `json:"token_regexp,omitempty"`

	// Case describes what happens to capitals before TokenRegexp is applied. "fold" normalises the text and
	// folds case, "lower" changes letters to lower case and nothing else, "keep" leaves the text as it is.
	// Stop words are dropped whatever their case. "lower" and "keep" need a TokenRegexp. Default: "fold".
	Case string `json:"case,omitempty"`

	// Grams lists lengths of runs of tokens, such as 1 and 2. After all other steps, all runs of these
	// lengths become the tokens, joined by "_". Default: none, which is the same as 1.
	Grams []int `json:"grams,omitempty"`

	// Phrases lists pairs of tokens, such as "new york", that are joined to one token, "new_york", wherever
	// they follow each other after all other steps. Pairs are joined from left to right. The first token of
	// a pair may itself be a joined one: "new_york city".
	Phrases []string `json:"phrases,omitempty"`
}

// Validate returns all faults of the options at once, or nil.
func (o Options) Validate() error {
	lo, hi := o.lengths()
	err := checkExpression(o.TokenRegexp)
	faults := append(o.languageFaults(),
		human.FaultIf(o.MinLength < 0, "minimum length %d: it must be 1 or more (0 means %d)", o.MinLength,
			usualMinLength),
		human.FaultIf(o.MaxLength < 0, "maximum length %d: it must be 1 or more (0 means %d)", o.MaxLength,
			usualMaxLength),
		human.FaultIf(o.MinLength >= 0 && o.MaxLength >= 0 && lo > hi, "minimum length %d is above maximum length %d",
			lo, hi),
		human.FaultIf(o.Edition < 0 || o.Edition > 3, "edition %d of the stop lists: there are 1, 2, 3 and 0, today's",
			o.Edition),
		human.FaultIf(o.CJK != "" && !slices.Contains(cjkNames, o.CJK),
			"unknown treatment of CJK text %q%s", o.CJK, human.Hint(o.CJK, cjkNames)),
		human.FaultIf(err != nil, "%w", err),
		human.FaultIf(o.Case != "" && !slices.Contains(caseNames, o.Case),
			"unknown treatment of capitals %q%s", o.Case, human.Hint(o.Case, caseNames)),
		human.FaultIf(o.plain() && o.TokenRegexp == "", "case %q needs a token expression", o.Case))
	for _, n := range o.Grams {
		faults = append(faults, human.FaultIf(n < 1, "runs of %d tokens: the length must be 1 or more", n))
	}
	for _, p := range o.Phrases {
		a, b, _ := strings.Cut(p, " ")
		faults = append(faults, human.FaultIf(a == "" || b == "" || strings.ContainsAny(b, " \t\n"),
			"phrase %q: expected two tokens with one space between them", p))
	}
	return errors.Join(faults...)
}

// plain reports whether text is left as it is except for its case.
func (o Options) plain() bool { return o.Case == caseLower || o.Case == caseKeep }

// languageFaults checks Languages and Stem.
func (o Options) languageFaults() []error {
	var faults []error
	stemmers := len(o.Languages) == 0
	for i, name := range o.Languages {
		switch l := lookupLanguage(name); {
		case name == languageNone || name == languageAuto:
			faults = append(faults,
				human.FaultIf(name == languageNone && len(o.Languages) > 1,
					"language %q cannot be combined with others", name),
				human.FaultIf(name == languageAuto && i > 0, "language %q must come first", name))
			stemmers = stemmers || name == languageAuto
		case l < 0:
			faults = append(faults, fmt.Errorf("unknown language %q%s", name, human.Hint(name, languageNames())))
			stemmers = true // one fault is enough
		default:
			stemmers = stemmers || languages[l].stem != nil
		}
	}
	if o.Stem && !stemmers {
		faults = append(faults, fmt.Errorf("no stemmer for %s: there is one for %s",
			strings.Join(o.Languages, ", "), strings.Join(stemmerCodes(), ", ")))
	}
	return faults
}

// lengths returns the bounds on word length with defaults filled in.
func (o Options) lengths() (lo, hi int) {
	lo = cmp.Or(o.MinLength, usualMinLength)
	return lo, cmp.Or(o.MaxLength, max(usualMaxLength, lo))
}

// WithDefaults returns o with the languages and the bounds on the length of words that a pipeline takes where o has
// none.
func (o Options) WithDefaults() Options {
	o.MinLength, o.MaxLength = o.lengths()
	if len(o.Languages) == 0 {
		o.Languages = slices.Clone(defaultLanguages)
	}
	return o
}

// storedVersion is the version of options as JSON. Version 1 had no number, kept markup, cut Chinese into
// pairs, had shorter stop lists, and took no language to mean defaultLanguages. Version 2 had shorter stop
// lists, too, and turned ß into ss. Version 3 cut Korean into pairs of syllables.
const storedVersion = 4

// defaultLanguages are the languages of a pipeline without Options.Languages.
var defaultLanguages = []string{"en", "zh", "ja", "ko"}

// fields is Options without its methods.
type fields Options

// MarshalJSON writes the options with their version.
func (o Options) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Version int `json:"version"`
		fields
	}{storedVersion, fields(o)})
}

// UnmarshalJSON reads options of this version or an earlier one. It sets fields whose default has changed
// since to their old default.
func (o *Options) UnmarshalJSON(b []byte) error {
	var stored struct {
		Version int `json:"version"`
		fields
	}
	if err := json.Unmarshal(b, &stored); err != nil {
		return err
	}
	*o = Options(stored.fields)
	switch {
	case stored.Version > storedVersion:
		return fmt.Errorf("the text options have version %d and this program knows version %d: use a newer program",
			stored.Version, storedVersion)
	case stored.Version == 3:
		o.Edition = cmp.Or(o.Edition, 3)
	case stored.Version == 2:
		o.Edition = cmp.Or(o.Edition, 2)
	case stored.Version < 2:
		o.KeepMarkup, o.Edition = true, 1
		o.CJK = cmp.Or(o.CJK, cjkBigrams)
		if len(o.Languages) == 0 {
			o.Languages = slices.Clone(defaultLanguages)
		}
	}
	return nil
}
