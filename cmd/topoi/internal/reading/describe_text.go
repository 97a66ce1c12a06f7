package reading

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/internal/human"
)

// describeText names the language that was found and the words that were dropped for their frequency, a line each.
func describeText(r *corpus.Report) string {
	t := &r.Text
	s := ""
	if t.Detected {
		s += "\n" + describeLanguage(t)
	}
	if t.RareWords > 0 {
		s += fmt.Sprintf("\ndropped %s (%s) in fewer than %s%s", human.Of(t.RareWords, "word"),
			human.Of(t.RareTokens, "token"),
			human.Of(t.MinDF, "document"), overridden(t.MinDFChosen, "--min-df 1 keeps them"))
	}
	if t.CommonWords > 0 {
		list := human.Line(strings.Join(t.CommonList, ", "))
		if int(t.CommonWords) > len(t.CommonList) {
			list += ", …"
		}
		s += fmt.Sprintf("\ndropped %s (%s) in more than %s%s: %s", human.Of(t.CommonWords, "word"),
			human.Of(t.CommonTokens, "token"),
			human.Of(t.MaxDF, "document"), overridden(t.MaxDFChosen, "--max-df 1 keeps them"), list)
	}
	words, tokens := r.DroppedWords-t.RareWords-t.CommonWords, r.DroppedTokens-t.RareTokens-t.CommonTokens
	if words > 0 {
		s += fmt.Sprintf("\ndropped %s (%s) by frequency", human.Of(words, "word"), human.Of(tokens, "token"))
	}
	return s
}

// overridden adds how a choice of the program's own is changed.
func overridden(chosen bool, how string) string {
	if !chosen {
		return ""
	}
	return " (" + how + ")"
}

// describeLanguage names the language of the text and of the stop words.
func describeLanguage(t *corpus.TextReport) string {
	const override = "--language overrides"
	found := t.Detection
	name := languageList([]string{found.Found.Code})
	switch {
	case found.Unspaced != "":
		return fmt.Sprintf("the text is in %s script, which has no spaces between words: each stretch without spaces counts as one word, "+
			"and no stop words are dropped; cut the text into words by another program and import them with --tokens-field", found.Unspaced)
	case len(found.Languages) == 0:
		return "no language was recognised by its stop words, so English stop words are dropped (" + override + ")"
	case slices.Equal(found.Languages, []string{"auto"}):
		return fmt.Sprintf("the text is in several languages, mostly %s; stop words are dropped by the language of each document (%s)", name, override)
	case found.Mixed:
		return fmt.Sprintf("the text is in several languages, mostly %s; stop words of %s are dropped (%s)", name,
			languageList(t.Languages), override)
	}
	return fmt.Sprintf("the language is %s; its stop words are dropped (detected; %s)", name, override) +
		cutting[found.Found.Code]
}

// cutting describes by language how words are cut that text does not divide as topics need them, and how to get
// better ones.
var cutting = map[string]string{
	"ja": "\nJapanese is cut into pairs of characters, not words: for words, cut it by another program, such as MeCab, " +
		"and import them with --tokens-field",
}

// languageList names languages given by code.
func languageList(codes []string) string {
	var names []string
	for _, l := range text.Languages() {
		if slices.Contains(codes, l.Code) {
			names = append(names, strings.ToUpper(l.Name[:1])+l.Name[1:])
		}
	}
	return strings.Join(names, ", ")
}

// textEvent is the part of importedEvent about the text.
type textEvent struct {
	Languages     []string `json:"languages,omitempty"` // whose stop words were dropped
	LanguageFound string   `json:"language_found,omitempty"`
	MinDF         int64    `json:"min_df,omitempty"`
	MaxDF         int64    `json:"max_df,omitempty"` // number of documents
	RareWords     int64    `json:"rare_words"`
	CommonWords   int64    `json:"common_words"`
}

func newTextEvent(r *corpus.Report) textEvent {
	t := &r.Text
	return textEvent{t.Languages, t.Detection.Found.Code, t.MinDF, t.MaxDF, t.RareWords, t.CommonWords}
}

// Values of --snippet: the length where none is given, and what corpus.ImportOptions.Snippet has for all.
const (
	UsualSnippet = 200
	wholeText    = -1
)

// snippetFlag is a number of characters, or all.
type snippetFlag struct{ characters *int }

func (f snippetFlag) String() string {
	if f.characters != nil && *f.characters == wholeText {
		return "all"
	}
	if f.characters == nil {
		return "0"
	}
	return strconv.Itoa(*f.characters)
}

func (f snippetFlag) Set(text string) error {
	if text == "all" {
		*f.characters = wholeText
		return nil
	}
	n, err := strconv.Atoi(text)
	if err == nil && n < 0 {
		err = strconv.ErrRange
	}
	if err == nil {
		*f.characters = n
	}
	return err
}

// Type returns what the flag takes.
func (f snippetFlag) Type() string { return "a number of characters such as 200, or all" }
