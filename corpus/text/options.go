// Package text turns raw text into the tokens a topic model counts.
//
// A [Pipeline] made from [Options] does, in this order: removal of markup,
// normalisation (NFKC, case folding), cutting into words (Unicode word
// boundaries, UAX #29; Chinese by a dictionary, Japanese and Korean into
// overlapping pairs of characters), dropping of numbers and of words too short
// or too long, dropping of stop words, stemming, joining of phrases.
// docs/text.md explains each step, its default and the reason for it. [Detect]
// finds out whose stop words a text needs.
//
// The tokens of a text depend on the text and the options alone. Options are
// stored as JSON with a corpus, so that text seen later is treated as the text
// the model was trained on.
package text

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/internal/human"
)

// The values of Options.CJK.
const (
	CJKDictionary = "dictionary"
	CJKBigrams    = "bigrams"
	CJKWords      = "words"
)

// cjkNames lists the values of Options.CJK.
var cjkNames = []string{CJKDictionary, CJKBigrams, CJKWords}

// The values of Options.Case.
const (
	CaseFold  = "fold"
	CaseLower = "lower"
	CaseKeep  = "keep"
)

// caseNames lists the values of Options.Case.
var caseNames = []string{CaseFold, CaseLower, CaseKeep}

// Defaults for the zero values of Options.
const (
	DefaultMinLength = 2
	DefaultMaxLength = 64
)

// Options says how text becomes tokens. The zero value suits English text and
// text in Chinese, Japanese or Korean; package corpus takes it to mean the
// language it finds in the text.
//
// As JSON they carry a version, so that options stored by an earlier one keep
// the meaning that they had.
type Options struct {
	// Languages names the languages of the text, by code or English name (see
	// [Languages]): their stop words are dropped, and their elided articles
	// (French l', Italian dell') are cut off. Two names are special and come
	// first: "none" drops no stop words, and "auto" takes each document to be
	// in the language most of whose stop words it holds. Behind "auto" other
	// languages may follow: documents are then taken to be in these unless they clearly
	// are in another one.
	//
	// Default: corpus.Import finds the language with [Detect]; a pipeline by itself
	// takes en, zh, ja, ko. The last three cost an English text nothing,
	// because no word of it is written in their scripts.
	Languages []string `json:"languages,omitempty"`

	// Edition says which stop lists are used: 1 and 2 for those of earlier versions of
	// this package, which corpora and models made with them keep; 0 for today's. In the editions 1 and 2 ß
	// is ss, and links without a scheme and names behind @ are words.
	Edition int `json:"edition,omitempty"`

	// Pieces is the number of words of the pieces that texts were cut into before; see source.Options.Pieces. It changes
	// nothing here. Package corpus keeps it, so that new texts are cut as well.
	Pieces int `json:"pieces,omitempty"`

	// StopWords are dropped in addition to those of the languages. Each is
	// treated as text itself, so case and accents need not match.
	StopWords []string `json:"stop_words,omitempty"`

	// Stem replaces words by their stems with the Snowball algorithm of the
	// text's language. With several languages each document is stemmed in the
	// one most of whose stop words it holds.
	Stem bool `json:"stem,omitempty"`

	// MinLength and MaxLength bound the length of a word in code points.
	// Chinese, Japanese and Korean pairs are exempt. Default: 2 and 64; the
	// upper bound keeps encoded binaries and broken files out of the vocabulary.
	MinLength int `json:"min_length,omitempty"`
	MaxLength int `json:"max_length,omitempty"`

	// StripAccents removes accents from Latin and Greek letters: é becomes e.
	StripAccents bool `json:"strip_accents,omitempty"`

	// KeepNumbers keeps tokens without any letter, such as 1984 and 3.14.
	KeepNumbers bool `json:"keep_numbers,omitempty"`

	// KeepMarkup leaves tags, entities, URLs, e-mail addresses and encoded files
	// (uuencode, base64) in the text. By default tags and addresses go and entities become the characters they
	// stand for.
	KeepMarkup bool `json:"keep_markup,omitempty"`

	// CJK says what becomes of a run of Chinese characters, Hiragana or Hangul,
	// which text does not (or, in Korean, not finely enough) divide into words:
	// "dictionary" cuts Chinese into words by a dictionary and makes overlapping
	// pairs of characters of all else, "bigrams" makes pairs of Chinese too, "words" takes the
	// whole run, for text that a segmenter has spaced. Default: "dictionary".
	CJK string `json:"cjk,omitempty"`

	// TokenRegexp, when set, replaces word boundaries: the tokens are what this
	// expression (RE2 syntax) matches in the normalised, case-folded text.
	// Numbers, apostrophes and CJK get no special treatment then.
	TokenRegexp string `json:"token_regexp,omitempty"`

	// Case says what becomes of capitals before TokenRegexp is looked for: "fold"
	// normalises the text and folds case, "lower" makes letters small and changes nothing
	// else, "keep" takes the text as it is; stop words go in any case of letters. The last
	// two need a TokenRegexp. Default: "fold".
	Case string `json:"case,omitempty"`

	// Grams lists lengths of runs of tokens, such as 1 and 2: the tokens are then all runs of these lengths, joined by
	// "_", after all other steps. Default: none, which is what 1 means.
	Grams []int `json:"grams,omitempty"`

	// Phrases lists pairs of tokens, "new york", that are joined to one token,
	// "new_york", wherever they follow each other after all other steps. Pairs
	// are joined greedily from left to right. The first token of a pair may
	// itself be a joined one: "new_york city".
	Phrases []string `json:"phrases,omitempty"`
}

// Validate returns all faults of the options at once, or nil.
func (o Options) Validate() error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }

	faults = append(faults, o.languageFaults()...)
	lo, hi := o.lengths()
	if o.MinLength < 0 {
		fault("minimum length %d: it must be 1 or more (0 means %d)", o.MinLength, DefaultMinLength)
	}
	if o.MaxLength < 0 {
		fault("maximum length %d: it must be 1 or more (0 means %d)", o.MaxLength, DefaultMaxLength)
	}
	if o.MinLength >= 0 && o.MaxLength >= 0 && lo > hi {
		fault("minimum length %d is above maximum length %d", lo, hi)
	}
	if o.Edition < 0 || o.Edition > 2 {
		fault("edition %d of the stop lists: there are 1, 2 and 0, today's", o.Edition)
	}
	if o.CJK != "" && !slices.Contains(cjkNames, o.CJK) {
		fault("unknown treatment of CJK text %q%s", o.CJK, human.Hint(o.CJK, cjkNames))
	}
	if _, err := regexp.Compile(o.TokenRegexp); err != nil {
		fault("token expression: %w", err)
	}
	if o.Case != "" && !slices.Contains(caseNames, o.Case) {
		fault("unknown treatment of capitals %q%s", o.Case, human.Hint(o.Case, caseNames))
	}
	if o.plain() && o.TokenRegexp == "" {
		fault("case %q needs a token expression", o.Case)
	}
	for _, n := range o.Grams {
		if n < 1 {
			fault("runs of %d tokens: the length must be 1 or more", n)
		}
	}
	for _, p := range o.Phrases {
		if a, b, ok := strings.Cut(p, " "); !ok || a == "" || b == "" || strings.ContainsAny(b, " \t\n") {
			fault("phrase %q: expected two tokens with one space between them", p)
		}
	}
	return errors.Join(faults...)
}

// plain tells whether text is left as it is but for capitals.
func (o Options) plain() bool { return o.Case == CaseLower || o.Case == CaseKeep }

// languageFaults checks Languages and Stem.
func (o Options) languageFaults() []error {
	var faults []error
	stemmers := len(o.Languages) == 0
	for i, name := range o.Languages {
		switch l := lookupLanguage(name); {
		case name == languageNone || name == languageAuto:
			if name == languageNone && len(o.Languages) > 1 {
				faults = append(faults, fmt.Errorf("language %q cannot be combined with others", name))
			}
			if name == languageAuto && i > 0 {
				faults = append(faults, fmt.Errorf("language %q must come first", name))
			}
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
	lo, hi = o.MinLength, o.MaxLength
	lo = cmp.Or(lo, DefaultMinLength)
	hi = cmp.Or(hi, max(DefaultMaxLength, lo))
	return lo, hi
}

// storedVersion is the version of options as JSON. The first had no number. In
// it markup was kept, Chinese was cut into pairs, stop lists were shorter, and no
// language meant those of defaultLanguages. The second had shorter stop lists, too, and ß was ss.
const storedVersion = 3

// defaultLanguages are the languages of a pipeline that was told of none.
var defaultLanguages = []string{"en", "zh", "ja", "ko"}

// DefaultLanguages returns the languages of a pipeline that was told of none: en,
// zh, ja, ko.
func DefaultLanguages() []string { return slices.Clone(defaultLanguages) }

// fields is Options without its methods.
type fields Options

// MarshalJSON writes the options with their version.
func (o Options) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Version int `json:"version"`
		fields
	}{storedVersion, fields(o)})
}

// UnmarshalJSON reads options of this version or an earlier one. Defaults that have changed
// since are spelled out.
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
		return fmt.Errorf("the text options have version %d and this program knows version %d: use a newer program", stored.Version, storedVersion)
	case stored.Version == 2:
		o.Edition = cmp.Or(o.Edition, 2)
	case stored.Version < 2:
		o.KeepMarkup, o.Edition = true, 1
		o.CJK = cmp.Or(o.CJK, CJKBigrams)
		if len(o.Languages) == 0 {
			o.Languages = slices.Clone(defaultLanguages)
		}
	}
	return nil
}

// minEncoded is the length from which a run of ASCII without white space is
// looked at for being an encoded file rather than words.
const minEncoded = 16

// encoded says whether a chunk of ASCII is a piece of an encoded file, as mail
// and news carry them: uuencode, which has no small letters and more signs than
// letters, or base64 and hexadecimal numbers, whose long runs of letters have digits among
// them.
func encoded(chunk []byte) bool {
	letters, digits, small, run, longest := 0, 0, 0, 0, 0
	for _, c := range chunk {
		class := asciiClass[c]
		if class&letter != 0 {
			letters++
			if c >= 'a' {
				small++
			}
		}
		if class&digit != 0 {
			digits++
		}
		if class&(letter|digit) == 0 {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	uuencoded := small == 0 && letters > 0 && 10*letters < 7*len(chunk)
	return uuencoded || longest >= 2*minEncoded && digits >= 3
}
