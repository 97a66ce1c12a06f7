package demo

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/train"
)

// The texts are complete, different and short enough to read.
func TestTexts(t *testing.T) {
	rows, err := csv.NewReader(bytes.NewReader(CSV)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	themes, seen := map[string]int{}, map[string]bool{}
	for _, row := range rows[1:] {
		if n := len(strings.Fields(row[3])); n < 25 || n > 60 || seen[row[0]] || len(row[2]) != len("2019-03-02") {
			t.Errorf("%q has %d words, or is there twice, or has no date", row[0], n)
		}
		seen[row[0]] = true
		themes[row[1]]++
	}
	if len(themes) != Topics || len(rows) < 61 {
		t.Errorf("%d texts on %v", len(rows)-1, themes)
	}
}

// Whatever the seed, every theme has a topic of its own.
func TestThemesAreFound(t *testing.T) {
	c, err := Corpus(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for seed := range uint64(10) {
		o := Options()
		o.Seed = seed
		m, err := train.Run(t.Context(), c, o)
		if err != nil {
			t.Fatal(err)
		}
		pairs, err := Match(m)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for k, p := range pairs {
			if p.Share < 0.5 || found[p.Theme] {
				t.Errorf("seed %d: topic %d has %.0f %% of its words from %s, or is the second of it", seed, k, 100*p.Share, p.Theme)
			}
			found[p.Theme] = true
		}
	}
}
