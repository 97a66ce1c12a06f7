package mallet

import (
	"bytes"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// Topics are those of a state, so the report is known to the letter: phrases are runs of words of one topic. Another
// topic ends one, and so does the end of a document; a stop word does not. Phrases are sorted by their numbers, then by
// letters.
func TestPhraseReport(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "docs.txt", "a x deep gap sea soup bread deep sea\nb x salt soup bread\nc x deep blue sea\nd x sea\n")
	write(t, "stop.txt", "gap")
	told(t, &ImportFile{}, "--input", "docs.txt", "--keep-sequence", "--stoplist-file", "stop.txt", "--output",
		"docs.mallet")
	writeState(t, "s.gz", "#alpha : 0.5 2", "#beta : 0.1",
		"0 a 0 0 deep 0", "0 a 1 1 sea 0", "0 a 2 0 deep 0", "0 a 3 1 sea 0", "0 a 4 2 soup 1", "0 a 5 3 bread 1",
		"1 b 0 4 salt 0", "1 b 1 2 soup 1", "1 b 2 3 bread 1",
		"2 c 0 0 deep 0", "2 c 1 5 blue 0", "2 c 2 1 sea 0",
		"3 d 0 1 sea 0")
	told(t, &TrainTopics{}, "--input", "docs.mallet", "--input-state", "s.gz", "--no-inference",
		"--xml-topic-phrase-report", "p.xml", "--num-top-words", "3", "--output-topic-keys", "keys")
	got, err := os.ReadFile("p.xml")
	if err != nil {
		t.Fatal(err)
	}
	want := `<?xml version='1.0' ?>
<topics>
  <topic id="0" alpha="0.5" totalTokens="9" titles="sea, deep, blue">
    <word weight="0.4444444444444444" count="4">sea</word>
    <word weight="0.3333333333333333" count="3">deep</word>
    <word weight="0.1111111111111111" count="1">blue</word>
    <phrase weight="0.6666666666666666" count="2">deep sea</phrase>
    <phrase weight="0.3333333333333333" count="1">deep blue sea</phrase>
  </topic>
  <topic id="1" alpha="2" totalTokens="4" titles="bread, soup">
    <word weight="0.5" count="2">bread</word>
    <word weight="0.5" count="2">soup</word>
    <phrase weight="1" count="2">soup bread</phrase>
  </topic>
</topics>
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if keys := unpacked(t, "keys"); keys != "0\t0.5\tsea deep blue \n1\t2\tbread soup \n" {
		t.Errorf("topic keys %q", keys)
	}
}

// A word that the corpus dropped ends a phrase, and a word by itself is none.
func TestPartedPhrases(t *testing.T) {
	c := corpus.FromIDs([]string{"deep", "sea", "fish"}, [][]uint32{{2}, {0, 1, 1, 2}})
	m, err := train.Run(t.Context(), c, topoi.Options{Topics: 1, Iterations: 1})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]map[string]int{
		"deep sea sea fish":         {"deep sea sea fish": 1},
		"deep sea blue sea fish":    {"deep sea": 1, "sea fish": 1},
		"blue deep sea blue sea":    {"deep sea": 1},
		"deep blue sea blue fish":   {},
		"fish deep deep sea":        {"fish deep": 1}, // the second is not in the corpus, and sea stands alone
		"deep sea fish sea fish ab": {"deep sea fish sea": 1},
	} {
		p := &phrases{docs: c, model: m, counts: []map[string]int{{}}}
		p.add(1, bytes.Fields([]byte(text)))
		if !maps.Equal(p.counts[0], want) {
			t.Errorf("%s: %v, want %v", text, p.counts[0], want)
		}
	}
}

// The best ten make a title, without those that stand in it already.
func TestTitle(t *testing.T) {
	var many []titled
	for _, c := range "abcdefghijkl" {
		many = append(many, titled{string(c), 1})
	}
	for _, c := range []struct {
		list []titled
		want string
	}{
		{nil, ""},
		{[]titled{{"sea", 3}, {"deep", 1}, {"deep sea", 200}, {"fish", 5}}, "deep sea, fish"},
		{[]titled{{"b", 2}, {"a", 2}}, "b, a"},
		{many, "a, b, c, d, e, f, g, h, i, j"},
	} {
		if got := title(c.list); got != c.want {
			t.Errorf("%v: %q, want %q", c.list, got, c.want)
		}
	}
	if got := escaped(`a<b>&"c"`); strings.ContainsAny(got, `<>"`) || !strings.HasPrefix(got, "a&lt;b&gt;&amp;") {
		t.Error(got)
	}
}
