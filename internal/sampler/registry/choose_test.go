package registry

import (
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/cvb"
)

// plain makes n documents of the given number of distinct words.
func plain(n, words, k int) *sampler.Problem {
	p := &sampler.Problem{Offsets: []uint64{0}, V: 4 * words, K: k}
	for d := range n {
		for w := range words {
			p.Words = append(p.Words, uint32(d%4+4*w), uint32(d%4+4*w)) // twice each: a pair
		}
		p.Offsets = append(p.Offsets, uint64(len(p.Words)))
	}
	return p
}

// large makes n documents of a word that occurs 32 times, in turn one of 4096.
func large(n int) *sampler.Problem {
	p := &sampler.Problem{Offsets: make([]uint64, n+1), Words: make([]uint32, 32*n), V: 4096, K: 2}
	for d := range n {
		p.Offsets[d+1] = uint64(32 * (d + 1))
		for i := range 32 {
			p.Words[32*d+i] = uint32(d % p.V)
		}
	}
	return p
}

func TestChoose(t *testing.T) {
	learnt := Run{Learnt: true}
	for _, test := range []struct {
		name    string
		p       *sampler.Problem
		run     Run
		sampler string
		exact   int
		reason  string
	}{
		{"long documents", plain(100, shareWords, 20), learnt, "cvb", exactSweeps, "after 40 sweeps of exact draws: with 25 distinct words"},
		{"long documents, fixed priors", plain(100, shareWords, 20), Run{}, "cvb", 0, "while priors are fixed"},
		{"short documents", plain(100, shareWords-1, 20), learnt, "batch", 0, "24 distinct words in a document: up to"},
		{"short documents, fixed priors", plain(100, 2, 20), Run{}, "cvb", 0, "while priors are fixed"},
		{"by workers", plain(100, shareWords, 20), Run{Learnt: true, ByWorkers: true}, "batch", 0, "workers share"},
		{"many topics", plain(100, shareWords, shareTopics+1), learnt, "warp", 0, "beyond 512 topics"},
		{"many topics, as many as responsibilities take", plain(100, shareWords, shareTopics), learnt, "cvb", exactSweepsMany, "after 15 sweeps"},
		{"many topics, long documents", plain(10, longWords/2, shareTopics), learnt, "cvb", exactSweeps, "after 40 sweeps"},
		{"whole papers", plain(10, longWords, 20), learnt, "cvb", exactSweeps, "after 40 sweeps"},
		{"whole papers, many topics", plain(10, longWords, exactTopicsSmall+1), learnt, "warp", 0, "700 distinct words in a document: beyond 512 topics"},
		{"as many topics as have all exact sweeps", plain(100, shareWords, ManyTopics), learnt, "cvb", exactSweeps, "after 40 sweeps"},
		{"many topics, short documents", plain(100, 5, exactTopicsSmall+1), learnt, "warp", 0, "5 distinct words in a document: beyond 512 topics"},
		{"many tokens", &sampler.Problem{Offsets: []uint64{0, fixedTokens + 1}, V: 1, K: 2}, Run{}, "batch", 0, "the corpus is large"},
		{"many tokens, learned priors", large(shareTokens/32 + 1), learnt, "batch", 0, "the corpus is large"},
		{"as many tokens, fixed priors", large(shareTokens/32 + 1), Run{}, "cvb", 0, "while priors are fixed"},
		{"no documents", &sampler.Problem{Offsets: []uint64{0}, K: 1}, learnt, "batch", 0, "0 distinct words"},
		{"a large vocabulary", &sampler.Problem{Offsets: []uint64{0, 1}, Words: []uint32{0}, V: 1 << 20, K: 200}, learnt, "batch", 0, "the corpus is large"},
		{"a million topics", &sampler.Problem{Offsets: []uint64{0}, K: 1 << 20}, Run{}, "warp", 0, "beyond"},
	} {
		test.p.Threads = 1
		got := Choose(test.p, test.run)
		if got.Sampler.Name != test.sampler || got.Tuning.ExactSweeps != test.exact || !strings.Contains(got.Reason, test.reason) {
			t.Errorf("%s: %+v", test.name, got)
		}
		adapts := test.run.Learnt && got.Sampler.Name == "cvb"
		if got.Tuning.Adapt != adapts {
			t.Errorf("%s: adapts %v, want %v", test.name, got.Tuning.Adapt, adapts)
		}
		if got.Sampler.MaxK < test.p.K {
			t.Errorf("%s: %s does not take %d topics", test.name, got.Sampler.Name, test.p.K)
		}
	}
}

// Whoever chooses inside a sampler that draws has chosen to draw.
func TestChooseWithTuning(t *testing.T) {
	for _, tuning := range []sampler.Tuning{{MiniBatches: 2}, {Staleness: 1, Parts: 2}, {OwnCount: "in"}} {
		p := plain(100, shareWords, 20)
		p.Tuning = tuning
		if got := Choose(p, Run{Learnt: true}); got.Sampler.Name != "batch" || got.Tuning != tuning {
			t.Errorf("%+v: %+v", tuning, got)
		}
	}
	p := plain(100, shareWords, 20)
	p.Tuning.Parts = 3 // which changes nothing without staleness
	if got := Choose(p, Run{Learnt: true}); got.Sampler.Name != "cvb" {
		t.Errorf("%+v", got)
	}
}

// Words begin with a likelier topic where warp draws from a large corpus with fixed priors, unless the user says how.
func TestChooseLift(t *testing.T) {
	choose := func(tokens, k int, tuning sampler.Tuning, r Run) Choice {
		return Choose(&sampler.Problem{Offsets: []uint64{0, uint64(tokens)}, V: 1, K: k, Tuning: tuning}, r)
	}
	const many, k = fixedTokens, shareTopics + 1
	with := choose(many, k, sampler.Tuning{}, Run{})
	if with.Sampler.Name != "warp" || with.Tuning.StartLift != startLift || !strings.Contains(with.Reason, "one topic that is likelier") {
		t.Errorf("%+v", with)
	}
	p := large(shareTokens/32 + 1)
	p.K = exactTopicsSmall + 1
	if smaller := Choose(p, Run{}).Smaller(p); len(smaller) != 1 || smaller[0].Tuning.StartLift != startLift {
		t.Errorf("instead of cvb: %+v", smaller)
	}
	for name, c := range map[string]Choice{
		"learned priors":  choose(many, k, sampler.Tuning{}, Run{Learnt: true}),
		"hdp":             choose(many, k, sampler.Tuning{}, Run{Drawn: true}),
		"seeds":           choose(many, k, sampler.Tuning{}, Run{Guided: true}),
		"first topics":    choose(many, k, sampler.Tuning{StartTopics: 8}, Run{}),
		"512 topics":      choose(many, exactTopicsSmall, sampler.Tuning{MHSteps: 2}, Run{}),
		"a small corpus":  choose(shareTokens, k, sampler.Tuning{}, Run{}),
		"a larger corpus": choose(many+1, k, sampler.Tuning{}, Run{}),
	} {
		if c.Sampler.Name != "warp" || c.Tuning.StartLift != 0 || strings.Contains(c.Reason, "likelier") {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// Threads and all else that a machine has do not choose.
func TestChooseNotByTheMachine(t *testing.T) {
	p := plain(100, shareWords, 20)
	want := Choose(p, Run{Learnt: true})
	p.Threads, p.Seed = 64, 5
	if got := Choose(p, Run{Learnt: true}); got.Sampler.Name != want.Sampler.Name || got.Tuning != want.Tuning || got.Reason != want.Reason {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// What is chosen for its size keeps to it, and can be made.
func TestChooseWithin(t *testing.T) {
	p := plain(100, shareWords, 20)
	need := cvb.Info.Tables
	p.Tuning.CVB = "zero"
	if pairs, ok := cvb.Suits(p, need(p)); !ok || pairs != 100*shareWords {
		t.Errorf("%d pairs, %v", pairs, ok)
	}
	if _, ok := cvb.Suits(p, need(p)/2); ok {
		t.Error("fits in half of what it needs")
	}
	long := &sampler.Problem{Offsets: []uint64{0, 300_000}, Words: make([]uint32, 300_000), V: 1, K: 2}
	frequent := &sampler.Problem{Offsets: []uint64{0, 150_000, 300_000}, Words: make([]uint32, 300_000), V: 1, K: 2}
	for _, p := range []*sampler.Problem{long, frequent} {
		if got := Choose(p, Run{}); got.Sampler.Name != "batch" {
			t.Errorf("%d documents of one word: %+v", p.D(), got)
		}
	}
}

func TestSmaller(t *testing.T) {
	p := plain(100, shareWords, 20)
	names := func(c Choice) (list []string) {
		for _, s := range c.Smaller(p) {
			list = append(list, s.Sampler.Name)
			if s.Tuning != p.Tuning || s.Reason == "" {
				t.Errorf("%+v", s)
			}
		}
		return list
	}
	for name, want := range map[string]string{"cvb": "batch warp", "batch": "warp", "warp": ""} {
		info, _ := Find(name)
		if got := strings.Join(names(Choice{Sampler: info}), " "); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
