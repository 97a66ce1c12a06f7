package text

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Documents taken to be in a main language after one look come out as if every
// language had been counted.
func TestQuickGuessEqualsFull(t *testing.T) {
	p := mustNew(t, Options{Languages: []string{"auto", "fr", "zh"}, StopWords: []string{"river", "the"}})
	words := strings.Fields("the of and is in what der und nicht le la les dans pas que dog og ikke river 的 经济 machine die but war")
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 40).Draw(t, "words"), " ")
		quick := tokens(p, text)
		full, _ := p.settle(p.pieces(nil, p.begin([]byte(text))), 0)
		var want []string
		for _, w := range full {
			want = append(want, string(w))
		}
		if !slices.Equal(quick, want) {
			t.Fatalf("%q: %q, want %q", text, quick, want)
		}
	})
}
