package train

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/rng"
)

// planted makes documents of 60 tokens each about one or two of the given number of topics, each with 30 words of its
// own.
func planted(docs, topics int) *corpus.Corpus {
	key, list := rng.NewKey(4), make([][]string, docs)
	for d := range list {
		about := key.Block(uint32(d), 0, 1, 0)
		for i := range uint32(60) {
			x := key.Block(uint32(d), i, 2, 0)
			k := rng.Below(about[x[0]&1], uint32(topics))
			list[d] = append(list[d], fmt.Sprintf("t%dw%d", k, rng.Below(x[1], 30)*rng.Below(x[2], 30)/30))
		}
	}
	return corpus.FromTokens(list)
}

// hdpOptions find the topics of planted documents among at most 50.
func hdpOptions(sampler string) topoi.Options {
	return topoi.Options{Topics: 50, Sampler: sampler, Prior: "hdp", Iterations: 1000, Tolerance: -1, Threads: 2, Seed: 1}
}

// A hierarchical Dirichlet process finds about the twelve topics that documents were made of, counting those that hold
// 99 % of the tokens.
func TestHDPFindsTheNumberOfTopics(t *testing.T) {
	c := planted(600, 12)
	for name, most := range map[string]int{"batch": 13, "warp": 25} { // cheap draws take longer to empty a topic
		m := mustTrain(t, c, hdpOptions(name))
		tokens := slices.Clone(m.TopicTotals())
		slices.Sort(tokens)
		large, sum := 0, uint64(0)
		for _, n := range slices.Backward(tokens) {
			if sum < uint64(99*c.NumTokens()/100) {
				large++
			}
			sum += n
		}
		t.Logf("%s: %d topics, of which %d hold 99 %%", name, m.NumTopics(), large)
		if large < 12 || large > most || m.NumTopics() > most+5 {
			t.Errorf("%s: %d topics hold 99 %% of the tokens, and there are %d; want 12 to %d", name, large, m.NumTopics(), most)
		}
	}
}

// The model has the topics that got tokens, numbered anew, and nothing of the others; it can be saved, opened, used for new
// documents and trained further. In files the run gives the same model, and so does one that was interrupted.
func TestHDPModelLeavesEmptyTopicsOut(t *testing.T) {
	c := planted(600, 5)
	o := hdpOptions("warp")
	o.Iterations, o.Topics = 200, 60
	m := mustTrain(t, c, o)
	if m.NumTopics() == 60 || len(m.Alpha()) != m.NumTopics() || slices.Contains(m.TopicTotals(), 0) {
		t.Fatalf("%d topics with totals %v", m.NumTopics(), m.TopicTotals())
	}
	if was := m.Manifest().Options; was.Prior != "hdp" || was.Topics != 60 {
		t.Errorf("the model records prior %q and at most %d topics", was.Prior, was.Topics)
	}
	small(t)
	files := o
	files.Memory, files.WorkDir = 20_000, t.TempDir()
	inFiles := mustTrain(t, c, files)
	killed := o
	killed.Checkpoint, killed.Iterations = t.TempDir()+"/checkpoint", 47
	mustTrain(t, c, killed)
	killed.Iterations, killed.Resume = 200, true
	for name, other := range map[string]*topoi.Model{"from files": inFiles, "resumed": mustTrain(t, c, killed)} {
		if other.Fingerprint() != m.Fingerprint() {
			t.Errorf("%s: another model", name)
		}
	}

	dir := t.TempDir() + "/model"
	if err := m.Save(dir, topoi.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	opened, err := topoi.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if err := opened.Verify(); err != nil {
		t.Fatal(err)
	}
	further := topoi.Options{Topics: m.NumTopics(), Iterations: 205, Start: opened.Start(), Sampler: "batch"}
	if got := mustTrain(t, c, further).NumTopics(); got != m.NumTopics() {
		t.Errorf("%d topics after further sweeps, before %d", got, m.NumTopics())
	}
}

func TestHDPRefuses(t *testing.T) {
	for want, o := range map[string]topoi.Options{
		`unknown Options.Prior "hpd"`: {Topics: 5, Prior: "hpd"},
		`draws no topics`:             {Prior: "hdp", Sampler: "cvb"},
		`learns α itself`:             {Prior: "hdp", SymmetricAlpha: true},
		`above 0`:                     {Prior: "hdp", OptimizeInterval: -1},
	} {
		if err := Validate(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if got := (topoi.Options{Prior: "hdp"}).WithDefaults().Topics; got != 1000 {
		t.Errorf("at most %d topics by default", got)
	}
}
