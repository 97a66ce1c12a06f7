package browsertest

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// subjects are the themes of the generated documents, one or two each.
var subjects = []struct {
	name  string
	words string
}{
	{"garden", "garden soil seed plant flower water bee compost root leaf rose prune"},
	{"harbour", "harbour ship crane dock tide anchor sailor cargo rope pilot wharf ferry"},
	{"kitchen", "kitchen bread oven flour butter knife soup salt pepper spoon recipe stove"},
	{"railway", "railway train track signal station ticket engine carriage bridge tunnel guard platform"},
	{"orchestra", "orchestra violin cello score conductor oboe concert rehearsal tempo hall bow quartet"},
}

// storyCorpus has documents with ids, titles, labels, months and beginnings of texts.
// Gardens grow and harbours shrink over time.
func storyCorpus(docs int) *corpus.Corpus {
	r := rand.New(rand.NewPCG(7, 7))
	var b corpus.Builder
	for d := range docs {
		month := d % 24
		first := r.IntN(len(subjects))
		if r.IntN(24) < month {
			first = 0
		}
		second := r.IntN(len(subjects))
		var tokens []string
		for i := range 30 + r.IntN(30) {
			list := strings.Fields(subjects[first].words)
			if i%3 == 0 {
				list = strings.Fields(subjects[second].words)
			}
			tokens = append(tokens, list[min(r.IntN(len(list)), r.IntN(len(list)))])
		}
		b.Add(corpus.Document{
			ID: fmt.Sprintf("story-%d", d), Label: subjects[first].name, Time: fmt.Sprintf("%d-%02d-15", 2001+month/12, 1+month%12),
			Title: fmt.Sprintf("A story of the %s and the %s", subjects[first].name, subjects[second].name), Snippet: strings.Join(tokens[:20], " ") + " …", Tokens: tokens,
		})
	}
	return b.Corpus()
}

// speechCorpus has long names of everything: German speeches of twelve parties over one
// century, in documents of unequal number.
func speechCorpus(docs int) *corpus.Corpus {
	r := rand.New(rand.NewPCG(3, 3))
	stems := strings.Fields("Bundesverfassungs Arbeitslosen Krankenversicherungs Landwirtschafts Verteidigungs Klimaschutz Digitalisierungs Rentenversicherungs Steuerhinterziehungs Wohnungsbau")
	ends := strings.Fields("gericht gesetz beitrag förderung ausschuss abkommen gipfel reform bekämpfung programm")
	var b corpus.Builder
	for d := range docs {
		theme := r.IntN(len(stems))
		var tokens []string
		for range 40 {
			tokens = append(tokens, strings.ToLower(stems[theme])+ends[min(r.IntN(len(ends)), r.IntN(len(ends)))])
		}
		party := min(r.IntN(12), r.IntN(12))
		b.Add(corpus.Document{
			ID: fmt.Sprintf("speech-%d", d), Label: fmt.Sprintf("Fraktion %d der Vereinigung für Rechtsstaatlichkeit und Fortschritt", party), Time: fmt.Sprint(1900 + 2*(d%60)),
			Title: fmt.Sprintf("Rede der Abgeordneten Dr. Wilhelmine von Hohenstein-Lichtenberg zum %s%s, %d. Sitzung", stems[theme], ends[0], d), Snippet: strings.Join(tokens[:20], " ") + " …", Tokens: tokens,
		})
	}
	return b.Corpus()
}

func trained(t *testing.T, c *corpus.Corpus, topics, iterations int) *topoi.Model {
	t.Helper()
	m, err := train.Run(t.Context(), c, topoi.Options{Topics: topics, Iterations: iterations, Seed: 1, OptimizeInterval: -1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// generated is a model of many topics over a generated corpus.
func generated(t *testing.T, docs, words, topics, iterations int) *topoi.Model {
	t.Helper()
	path := filepath.Join(t.TempDir(), "generated.topoi")
	if _, err := corpus.Generate(t.Context(), path, corpus.GenerateOptions{Docs: docs, Words: words, MeanLength: 80, Topics: min(topics, 200), Seed: 3}); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return trained(t, c, topics, iterations)
}
