package mallet

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/internal/human"
)

// tokenRegex is MALLET's default since 2.0.8.
const tokenRegex = `\p{L}[\p{L}\p{P}]+\p{L}`

// textOptions are the options of import-file and import-dir about words.
type textOptions struct {
	output       string
	pipeFrom     string
	tokenRegex   string
	encoding     string
	stoplist     string
	extra        string
	stopwords    bool
	preserveCase bool
	keepOrder    bool
	runs         []int // lengths of n-grams
}

func (t *textOptions) flags(fs *pflag.FlagSet) {
	fs.StringVar(&t.output, "output", "text.vectors", "`file` to write: a corpus of topoi")
	fs.StringVar(&t.pipeFrom, "use-pipe-from", "",
		"treat text as that of this `file` was treated, which an import wrote")
	fs.BoolVar(&t.keepOrder, "keep-sequence", false,
		"keep the text, compressed, for reports of phrases; words are counted, and any corpus can be trained on")
	fs.BoolVar(&t.keepOrder, "keep-sequence-bigrams", false, "the same: topics are those of single words")
	fs.BoolVar(&t.preserveCase, "preserve-case", false, "leave capitals as they are")
	fs.StringVar(&t.tokenRegex, "token-regex", tokenRegex,
		"what a token is, as an `expression`; \\p{Alpha} and other classes of Java are known")
	fs.BoolVar(&t.stopwords, "remove-stopwords", false, "drop English stop words, those of MALLET's list")
	fs.StringVar(&t.stoplist, "stoplist-file", "", "drop the words of this `file` instead")
	fs.StringVar(&t.extra, "extra-stopwords", "", "drop the words of this `file` too, where stop words are dropped")
	fs.StringVar(&t.encoding, "encoding", "auto", "`name` of the text encoding of the input, or auto to detect it")
}

// textRefusals are refused by import-file and import-dir.
var textRefusals = refusals{
	{"print-output", "bool", nil, "topoi info and topoi export show what a corpus holds"},
}

func (t *textOptions) check() error {
	return errors.Join(
		human.FaultIf(t.output == "-", "--output - is not supported: a corpus is a file; name one"),
		human.FaultIf(t.extra != "" && t.stoplist == "" && !t.stopwords && t.pipeFrom == "",
			"--extra-stopwords has no effect by itself: add --remove-stopwords or --stoplist-file"),
	)
}

// importOptions returns the options of the import.
func (t *textOptions) importOptions() (o corpus.ImportOptions, err error) {
	o.MinDF, o.MaxDF = 1, 1
	o.Source.Encoding = t.encoding
	if t.tokenRegex, err = fromJava(t.tokenRegex); err != nil {
		return o, fmt.Errorf("--token-regex: %w", err)
	}
	if t.tokenRegex != `\S+` { // else the text is a list of tokens
		o.Snippet = 200 // characters, as topoi import keeps them
		if t.keepOrder {
			o.Snippet = -1 // whole texts
		}
	}
	if t.pipeFrom != "" {
		o.AllowEmpty = true // new documents may have no word that counts
		o.Text, err = storedText(t.pipeFrom)
		return o, err
	}
	o.Text = text.Options{
		Languages: []string{"none"}, TokenRegexp: t.tokenRegex, Case: "lower",
		MinLength: 1, MaxLength: 1 << 30, KeepMarkup: true,
	}
	if !slices.Equal(t.runs, []int{1}) {
		o.Text.Grams = t.runs
	}
	if t.preserveCase {
		o.Text.Case = "keep"
	}
	if t.stopwords && t.stoplist == "" {
		o.Text.StopWords = stopWords()
	}
	for _, path := range []string{t.stoplist, t.extra} {
		if path == "" {
			continue
		}
		words, err := os.ReadFile(path)
		if err != nil {
			return o, fmt.Errorf("stop words: %w", err)
		}
		o.Text.StopWords = append(o.Text.StopWords, strings.Fields(string(words))...)
	}
	return o, nil
}

// storedText returns the text options of a corpus.
func storedText(path string) (text.Options, error) {
	c, err := openCorpus("--use-pipe-from", path)
	if err != nil {
		return text.Options{}, err
	}
	defer c.Close()
	o, ok, err := c.TextOptions()
	if err == nil && !ok {
		err = fmt.Errorf("--use-pipe-from %s: this corpus was not made from text, so it cannot say how to treat text",
			path)
	}
	return o, err
}

// openCorpus opens a corpus that an option names.
func openCorpus(option, path string) (*corpus.Corpus, error) {
	c, err := corpus.Open(path)
	if errors.Is(err, corpus.ErrNotCorpus) {
		return nil, fmt.Errorf("%s %s: this is not a corpus of topoi; make one with topoi mallet import-file or import-dir, "+
			"also of what MALLET has imported before", option, path)
	}
	return c, err
}

// smartWords are the English stop words of the SMART system (Salton and Buckley, Cornell University), which are
// public, without those that have an apostrophe. What remains of a text without them is what remains without MALLET's
// list, which has the same words, 524 with one that stands there twice.
//
//go:embed stopwords.txt
var smartWords string

// stopWords returns the stop words of --remove-stopwords.
func stopWords() []string { return strings.Fields(smartWords) }

// javaClasses are the classes of characters that Java's expressions have and RE2's have not, as they stand inside
// brackets. Names of POSIX are about ASCII in both.
var javaClasses = map[string]string{
	"Lower": "[:lower:]", "Upper": "[:upper:]", "ASCII": "[:ascii:]", "Alpha": "[:alpha:]", "Digit": "[:digit:]",
	"Alnum": "[:alnum:]", "Punct": "[:punct:]", "Graph": "[:graph:]", "Print": "[:print:]", "Blank": "[:blank:]",
	"Cntrl": "[:cntrl:]", "XDigit": "[:xdigit:]", "Space": "[:space:]",
	"IsAlphabetic": `\p{L}\p{Nl}`, "IsLetter": `\p{L}`, "IsDigit": `\p{Nd}`, "IsPunctuation": `\p{P}`,
	"IsUppercase": `\p{Lu}`,
	"IsLowercase": `\p{Ll}`, "IsWhite_Space": `\s\p{Z}`, "IsIdeographic": `\p{Han}`,
	"javaLetter": `\p{L}`, "javaAlphabetic": `\p{L}\p{Nl}`, "javaDigit": `\p{Nd}`, "javaLetterOrDigit": `\p{L}\p{Nd}`,
	"javaLowerCase": `\p{Ll}`, "javaUpperCase": `\p{Lu}`, "javaWhitespace": `\s\p{Z}`, "javaIdeographic": `\p{Han}`,
	"LC": `\p{Lu}\p{Ll}\p{Lt}`, "LD": `\p{L}\p{Nd}`, "L1": `\x{00}-\x{FF}`, "all": `\x{00}-\x{10FFFF}`,
}

// javaProperty finds a class by its name in an expression of Java.
var javaProperty = regexp.MustCompile(`^\\([pP])(\{\^?[^}]*\}|.)`)

// fromJava makes an expression in RE2 syntax of one of Java's: it translates classes of characters that have another
// name there. What RE2 does not have, such as looking around, the compiler refuses.
func fromJava(expression string) (string, error) {
	var out strings.Builder
	inside := false // of brackets
	for rest := expression; rest != ""; {
		m := javaProperty.FindStringSubmatch(rest)
		switch {
		case m != nil:
			class, err := javaClass(m[1] == "P", strings.Trim(m[2], "{}"), inside)
			if err != nil {
				return "", err
			}
			out.WriteString(class)
			rest = rest[len(m[0]):]
		case strings.HasPrefix(rest, `\h`):
			out.WriteString(bracketed(`\t\p{Zs}`, inside))
			rest = rest[2:]
		case rest[0] == '\\' && len(rest) > 1:
			out.WriteString(rest[:2])
			rest = rest[2:]
		case inside && (rest[0] == '[' || strings.HasPrefix(rest, "&&")):
			return "", fmt.Errorf("%s: nested classes and && are not supported: write the class out", expression)
		default:
			inside = rest[0] == '[' || inside && rest[0] != ']'
			out.WriteByte(rest[0])
			rest = rest[1:]
		}
	}
	return out.String(), nil
}

// javaClass returns a class of characters, which may be the complement of what its name says.
func javaClass(not bool, name string, inside bool) (string, error) {
	for _, prefix := range []string{"general_category=", "gc=", "script=", "sc="} {
		name = strings.TrimPrefix(name, prefix)
	}
	class, found := javaClasses[name]
	if !found {
		class = `\p{` + name + `}`
		if short, is := strings.CutPrefix(name, "Is"); is { // \p{IsL}, \p{IsLatin}
			class = `\p{` + short + `}`
		}
		if _, err := regexp.Compile(class); err != nil {
			return "", fmt.Errorf(`\p{%s}: this character class is not supported: write it out as [...]`, name)
		}
	}
	switch {
	case !not:
		return bracketed(class, inside), nil
	case !inside:
		return "[^" + class + "]", nil
	case strings.HasPrefix(class, "[:"):
		return "[:^" + class[2:], nil
	case strings.Count(class, `\p`) == 1 && strings.HasPrefix(class, `\p`):
		return `\P` + class[2:], nil
	}
	return "", fmt.Errorf(`\P{%s}: this complement is not supported inside brackets: write it out`, name)
}

// bracketed puts brackets around a class where none are.
func bracketed(class string, inside bool) string {
	if inside || strings.HasPrefix(class, `\p`) && strings.Count(class, `\`) == 1 {
		return class
	}
	return "[" + class + "]"
}
