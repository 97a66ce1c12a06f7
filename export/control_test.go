package export

import (
	"strings"
	"testing"
	"unicode"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// Words and ids cannot add fields or lines to the formats that separate them by white space,
// nor steer a terminal.
func TestNoControlCharacters(t *testing.T) {
	var b corpus.Builder
	for range 3 {
		b.Add(corpus.Document{ID: "id\x1b]0;x\a\n2", Tokens: []string{"red\x1b[31m", "two\nlines", "tab\there", "\u009bcsi"}})
	}
	m, err := train.Run(t.Context(), b.Corpus(), topoi.Options{Topics: 2, Iterations: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"gibbslda", "mallet-topic-keys", "mallet-state", "mallet-doc-topics", "mallet-word-topic-counts", "mallet-topic-docs", "gensim"} {
		for name, content := range exported(t, m, format, Options{}) {
			if strings.HasSuffix(name, ".npy") || strings.HasSuffix(name, ".py") {
				continue
			}
			text := string(content)
			if i := strings.IndexFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }); i >= 0 {
				t.Errorf("%s %s: a control character in %q", format, name, text[max(0, i-20):min(len(text), i+20)])
			}
			if strings.Contains(text, "\nlines") || strings.Contains(text, "tab\there") {
				t.Errorf("%s %s: a word is two fields", format, name)
			}
		}
	}
}
