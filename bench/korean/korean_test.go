// Package korean measures how many nouns of a treebank the text pipeline makes of Korean words with particles.
//
//	go -C bench test ./korean -v -treebank ko_gsd-ud-test.conllu
//
// A treebank has a word a line, its fields separated by tabs: number, word, morphemes (separated by + or spaces) and, in
// the fourth or fifth field, their parts of speech in the Sejong tag set, separated by +. UD Korean-GSD and KLUE-DP are
// such ones.
package korean

import (
	"flag"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/topoi-lda/topoi/corpus/text"
)

var treebank = flag.String("treebank", "", "`file` of a treebank")

func TestNouns(t *testing.T) {
	if *treebank == "" {
		t.Skip("-treebank names a treebank, which the project does not have")
	}
	b, err := os.ReadFile(*treebank)
	if err != nil {
		t.Fatal(err)
	}
	pipeline, err := text.New(text.Options{Languages: []string{"none"}})
	if err != nil {
		t.Fatal(err)
	}
	nouns, written, found := 0, 0, 0
	var tokens [][]byte
	for line := range strings.Lines(string(b)) {
		word, noun := annotated(line)
		if noun == "" {
			continue
		}
		nouns++
		if word == noun {
			written++
		}
		tokens = pipeline.Tokens(tokens[:0], []byte(word))
		if len(tokens) == 1 && string(tokens[0]) == noun {
			found++
		}
	}
	if nouns == 0 {
		t.Fatal("there is no noun")
	}
	t.Logf("%d nouns: %.1f %% become the noun, %.1f %% are written so", nouns,
		100*float64(found)/float64(nouns), 100*float64(written)/float64(nouns))
}

// annotated returns the word of a line and the noun that it consists of before particles and endings, or "" if it is none.
func annotated(line string) (word, noun string) {
	fields := strings.Split(strings.TrimSpace(line), "\t")
	if strings.HasPrefix(line, "#") || len(fields) < 6 {
		return "", ""
	}
	morphemes, tags := strings.Fields(fields[2]), strings.Split(fields[3], "+")
	if len(fields) == 10 { // CoNLL-U
		morphemes, tags = strings.Split(fields[2], "+"), strings.Split(fields[4], "+")
	}
	word = strings.TrimFunc(fields[1], unicode.IsPunct)
	isSyllable := func(r rune) bool { return r >= 0xAC00 && r <= 0xD7A3 }
	if len(morphemes) != len(tags) || word == "" || strings.ContainsFunc(word, func(r rune) bool { return !isSyllable(r) }) {
		return "", ""
	}
stem:
	for i, tag := range tags {
		switch {
		case strings.HasPrefix(tag, "N"), tag == "XSN", tag == "XPN", tag == "XR":
			noun += morphemes[i]
		case strings.HasPrefix(tag, "S"): // a sign
		case strings.HasPrefix(tag, "M"), strings.HasPrefix(tag, "I"): // an adverb or an exclamation
			return "", ""
		default:
			break stem
		}
	}
	if !strings.HasPrefix(word, noun) {
		return "", ""
	}
	return word, strings.TrimSuffix(noun, "들") // the plural
}
