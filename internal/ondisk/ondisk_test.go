package ondisk

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/tier"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
	"github.com/topoi-lda/topoi/internal/simd"
)

// randomProblem has documents of up to 60 tokens, some empty, over v words, of
// which the first are frequent.
func randomProblem(seed uint64, docs, v, k int) *sampler.Problem {
	r := rand.New(rand.NewPCG(seed, 1))
	p := &sampler.Problem{Offsets: []uint64{0}, V: v, K: k, Seed: seed, Threads: 2}
	for range docs {
		doc := make([]uint32, r.IntN(61))
		for i := range doc {
			doc[i] = uint32(float64(v) * r.Float64() * r.Float64() * r.Float64())
		}
		slices.Sort(doc)
		p.Words = append(p.Words, doc...)
		p.Offsets = append(p.Offsets, uint64(len(p.Words)))
	}
	return p
}

func priorsOf(k int, alpha float64) *sampler.Priors {
	priors := &sampler.Priors{Alpha: make([]float64, k), Beta: 0.05}
	for i := range priors.Alpha {
		priors.Alpha[i] = alpha * (1 + float64(i%2)) / float64(k)
	}
	for g := range 5 { // for problems with groups
		group := sampler.Group{}
		for t, a := range priors.Alpha {
			group.Topics, group.Alpha = append(group.Topics, uint32(t)), append(group.Alpha, a*float64(g+1))
		}
		priors.Groups = append(priors.Groups, group)
	}
	return priors
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// cases are samplers with problems of several parts each. Blocks of warp have
// 65,536 tokens: its problems must be larger than that.
func cases() map[string]*sampler.Problem {
	light := randomProblem(1, 3000, 500, 40)
	rounds := randomProblem(2, 2500, 100, 300)
	rounds.Tuning = sampler.Tuning{Rounds: 3}
	three := randomProblem(5, 2300, 300, 20)
	three.Tuning = sampler.Tuning{MHSteps: 3}
	return map[string]*sampler.Problem{
		"warp guided": samplertest.Guide(randomProblem(4, 4000, 400, 50), 1),
		"warp":        randomProblem(4, 4000, 400, 50), "warp middle": randomProblem(6, 2300, 300, 1025), "warp wide": randomProblem(3, 2300, 3000, 1<<16+100), "warp three": three,
		"warp long": longDocuments(), "light": light, "light rounds": rounds, "batch": grouped(randomProblem(7, 4000, 400, 50)),
	}
}

// grouped divides documents into groups.
func grouped(p *sampler.Problem) *sampler.Problem {
	for d := range p.D() {
		p.Groups = append(p.Groups, uint32(d*7919%5))
	}
	return p
}

// longDocuments has documents that are larger than a block.
func longDocuments() *sampler.Problem {
	r := rand.New(rand.NewPCG(9, 9))
	p := &sampler.Problem{Offsets: []uint64{0}, V: 200, K: 30, Seed: 9, Threads: 2, Tuning: sampler.Tuning{MHSteps: 1}}
	for _, n := range []int{10, 70_000, 0, 66_000, 500} {
		doc := make([]uint32, n)
		for i := range doc {
			doc[i] = uint32(r.IntN(p.V))
		}
		slices.Sort(doc)
		p.Words = append(p.Words, doc...)
		p.Offsets = append(p.Offsets, uint64(len(p.Words)))
	}
	return p
}

func nameOf(title string) string {
	var name string
	fmt.Sscan(title, &name)
	return name
}

// Files and memory give the same topics, counts and histograms, through a stop
// after any iteration.
func TestSameAsInMemory(t *testing.T) {
	tier.Long(t, "golden runs train from files")
	for title, p := range cases() {
		for _, budget := range []Budget{{PartTokens: 1, SliceBytes: 1, RowsInMemory: true}, {PartTokens: 30_000, SliceBytes: 250_000, Stage: 500}} {
			if testing.Short() && budget.PartTokens == 1 {
				continue // a part a block is only more work
			}
			t.Run(fmt.Sprintf("%s, %+v", title, budget), func(t *testing.T) {
				c := Config{Sampler: infoOf(nameOf(title)), Problem: p, Dir: filepath.Join(t.TempDir(), "a[b"), Budget: &budget}
				whole, err := c.Sampler.Make(p)
				must(t, err)
				priors := priorsOf(p.K, 5)
				must(t, whole.Start(nil, priors))
				s, err := New(c)
				must(t, err)
				must(t, s.Start(nil, priors))
				if n := len(s.State().Parts) + len(s.State().Slices); n < 4 {
					t.Fatalf("%d parts or slices", n)
				}
				for i := 1; i <= 3; i++ {
					if i == 3 {
						priors = priorsOf(p.K, 2)
						s = reopened(t, c, s)
					}
					must(t, whole.Sweep(t.Context(), i, priors))
					must(t, s.Sweep(t.Context(), i, priors))
				}
				compare(t, p, whole, s)
				must(t, Remove(c.Dir))
				if left, err := os.ReadDir(c.Dir); err != nil || len(left) > 0 {
					t.Errorf("%v, %v is left", left, err)
				}
			})
		}
	}
}

// A run that stops between any two rounds goes on with the next one.
func TestStopBetweenRounds(t *testing.T) {
	p := cases()["light rounds"]
	priors := priorsOf(p.K, 5)
	whole, err := registry.New("light", p)
	must(t, err)
	must(t, whole.Start(nil, priors))
	for i := 1; i <= 2; i++ {
		must(t, whole.Sweep(t.Context(), i, priors))
	}
	stop := errors.New("stopped")
	for last := 1; last <= 4; last++ { // two between the three rounds of each iteration
		var s Sampler
		calls, done := 0, 0
		var state State
		c := Config{Sampler: infoOf("light"), Problem: p, Dir: t.TempDir(), Budget: &Budget{PartTokens: 20_000}}
		c.Round = func() error {
			text, err := json.Marshal(s.State())
			must(t, err)
			state = State{}
			must(t, errors.Join(json.Unmarshal(text, &state), s.Keep(nil)))
			if calls++; calls == last {
				return stop
			}
			return nil
		}
		s, err = New(c)
		must(t, err)
		must(t, s.Start(nil, priors))
		for err == nil {
			if err = s.Sweep(t.Context(), done+1, priors); err == nil {
				done++
			}
		}
		if !errors.Is(err, stop) || done != (last-1)/2 || state.Rounds != (last-1)%2+1 {
			t.Fatalf("%v after %d iterations and %d rounds", err, done, state.Rounds)
		}
		s, err = New(c)
		must(t, err)
		must(t, s.Resume(&state))
		for i := done + 1; i <= 2; i++ {
			must(t, s.Sweep(t.Context(), i, priors))
		}
		compare(t, p, whole, s)
		state.Rounds = 3
		s, err = New(c)
		must(t, err)
		must(t, s.Start(nil, priors))
		state.Parts = s.State().Parts
		must(t, s.Resume(&state))
		if err := s.Sweep(t.Context(), 1, priors); !errors.Is(err, ErrDamaged) {
			t.Errorf("a fourth round of three: %v", err)
		}
	}
}

// Portable Go and assembly understand each other's files.
func TestPathsShareFiles(t *testing.T) {
	if !simd.AVX512 {
		t.Skip("this machine has no AVX-512: there is one path")
	}
	defer func(has bool) { simd.AVX512 = has }(simd.AVX512)
	for _, title := range []string{"warp", "warp middle", "warp wide", "warp long"} {
		p := cases()[title]
		c := Config{Sampler: infoOf("warp"), Problem: p, Dir: t.TempDir(), Budget: &Budget{SliceBytes: 250_000}}
		priors := priorsOf(p.K, 5)
		whole, err := registry.New("warp", p)
		must(t, err)
		s, err := New(c)
		must(t, err)
		must(t, errors.Join(whole.Start(nil, priors), s.Start(nil, priors)))
		for i := 1; i <= 2; i++ {
			simd.AVX512 = true
			must(t, whole.Sweep(t.Context(), i, priors))
			simd.AVX512 = i == 1
			must(t, s.Sweep(t.Context(), i, priors))
		}
		compare(t, p, whole, s)
	}
}

// reopened commits a sampler's state and goes on with another one.
func reopened(t *testing.T, c Config, s Sampler) Sampler {
	t.Helper()
	text, err := json.Marshal(s.State())
	must(t, err)
	must(t, s.Keep(nil))
	var state State
	must(t, json.Unmarshal(text, &state))
	again, err := New(c)
	must(t, err)
	must(t, again.Resume(&state))
	return again
}

// topicsOf returns the topics of all tokens.
func topicsOf(t *testing.T, s Sampler) (z []uint32) {
	t.Helper()
	must(t, s.EachTopics(func(_ int, own []uint32) error {
		z = append(z, own...)
		return nil
	}))
	return z
}

func compare(t *testing.T, p *sampler.Problem, want sampler.Chain, got Sampler) {
	t.Helper()
	z := make([]uint32, p.N())
	want.Topics(z)
	if !slices.Equal(z, topicsOf(t, got)) {
		t.Fatal("topics differ")
	}
	if !slices.Equal(want.TopicTotals(), got.TopicTotals()) {
		t.Error("totals differ")
	}
	for _, w := range append(rand.New(rand.NewPCG(1, 1)).Perm(p.V), 0, 1, 2, p.V-1) {
		if x, y := want.AppendRow(nil, w), got.AppendRow(nil, w); !slices.Equal(x, y) {
			t.Fatalf("row of word %d is %v, want %v", w, y, x)
		}
	}
	if !reflect.DeepEqual(want.Histograms(), got.Histograms()) {
		t.Error("histograms differ")
	}
	must(t, got.Err())
}

func TestCutWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frequencies := rapid.SliceOfN(rapid.Uint64Range(0, 50), 1, 1000).Draw(t, "frequencies")
		cut := cutWords(frequencies)
		if cut[0] != 0 || cut[len(cut)-1] != len(frequencies) || len(cut) > wordSlices+1 {
			t.Fatalf("cut %v of %d words", cut, len(frequencies))
		}
		for i := range len(cut) - 1 {
			if cut[i] >= cut[i+1] {
				t.Fatalf("slice %d of %v is empty", i, cut)
			}
			for w := cut[i]; w < cut[i+1]; w++ {
				if sliceOf(cut, w) != i {
					t.Fatalf("word %d is in slice %d of %v, not %d", w, i, cut, sliceOf(cut, w))
				}
			}
		}
	})
}

// infoOf finds a sampler.
func infoOf(name string) sampler.Info {
	info, ok := registry.Find(name)
	if !ok {
		panic("no sampler " + name)
	}
	return info
}
