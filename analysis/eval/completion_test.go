package eval

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/simd"
)

// completionByDefinition follows the definition token by token in float64.
func completionByDefinition(m *tableModel, docs *corpus.Corpus) (perToken float64, scored int) {
	phi := m.phi()
	for d := range docs.NumDocs() {
		theta := make([]float64, len(m.alpha))
		for k := range theta {
			theta[k] = 1 / float64(len(theta))
		}
		doc := docs.Doc(d)
		for range 60 {
			next := slices.Clone(m.alpha)
			for i := 0; i < len(doc); i += 2 {
				sum := 0.0
				for k := range theta {
					sum += theta[k] * phi[doc[i]][k]
				}
				for k := range theta {
					next[k] += theta[k] * phi[doc[i]][k] / sum
				}
			}
			norm := 0.0
			for _, x := range next {
				norm += x
			}
			for k := range theta {
				theta[k] = next[k] / norm
			}
		}
		for i := 1; i < len(doc); i += 2 {
			p := 0.0
			for k := range theta {
				p += theta[k] * phi[doc[i]][k]
			}
			perToken += math.Log(p)
			scored++
		}
	}
	return perToken / float64(scored), scored
}

// TestCompletionFollowsTheDefinition covers dense and sparse rows, and K on
// both sides of the number of lanes. EM in float32 carries θ to about 1e-6
// relative, and a logarithm turns that into the same absolute error; 2e-5 leaves
// room for the flat directions of EM.
func TestCompletionFollowsTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, k := range []int{1, 2, 15, 16, 17, 100, 700} {
		for _, share := range []float64{0.002, 0.05, 0.9} {
			m := randomModel(r, 50, k, share)
			docs := randomDocs(r, 20, 50, 60)
			want, scored := completionByDefinition(m, docs)
			got, err := Completion(t.Context(), m, docs, Options{Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			if got.Scored != scored || math.Abs(got.PerToken-want) > 2e-5 {
				t.Errorf("K = %d, share %v: %v, want %v over %d tokens", k, share, got, want, scored)
			}
		}
	}
}

// Few steps give nearly the score of many, and are the same for any number of threads.
func TestBriefCompletion(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	m, docs := randomModel(r, 300, 33, 0.1), randomDocs(r, 200, 300, 80)
	long, err := Completion(t.Context(), m, docs, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	brief, err := Completion(t.Context(), m, docs, Options{Variant: "brief", Threads: 1})
	if err != nil || brief.Scored != long.Scored || brief == long || math.Abs(brief.PerToken-long.PerToken) > 0.02 {
		t.Errorf("%v after 20 steps, %v after 60 (%v)", brief, long, err)
	}
	again, err := Completion(t.Context(), m, docs, Options{Variant: "brief", Threads: 3})
	if err != nil || again != brief {
		t.Errorf("three threads: %v, one: %v (%v)", again, brief, err)
	}
}

func TestCompletionSameBitsForAnyThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	m, docs := randomModel(r, 300, 33, 0.3), randomDocs(r, 500, 300, 80)
	want, err := Completion(t.Context(), m, docs, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{0, 2, 3, 64} {
		got, err := Completion(t.Context(), m, docs, Options{Threads: threads})
		if err != nil || got != want {
			t.Errorf("%d threads: %v, %v; 1 thread: %v", threads, got, err, want)
		}
	}
}

func TestCompletionOfNothing(t *testing.T) {
	m := randomModel(rand.New(rand.NewPCG(3, 3)), 2, 3, 1)
	docs := corpus.FromIDs([]string{"a", "b"}, [][]uint32{{}, {1}, {0}}) // single tokens fold in and leave none to score
	if got, err := Completion(t.Context(), m, docs, Options{Threads: 1}); err != nil || got != (CompletionResult{}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := Completion(t.Context(), m, corpus.FromTokens([][]string{{"a"}}), Options{Threads: 1}); err == nil {
		t.Error("another vocabulary was accepted")
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Completion(cancelled, m, docs, Options{Threads: 1}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// TestKernelSameBits holds the processor's kernel against its specification.
func TestKernelSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, k := range []int{16, 32, 48, 112, 1008} {
		for _, rows := range []int{0, 1, 3, 4, 5, 7, 50} {
			vector := func(n int) []float32 {
				x := make([]float32, n)
				for i := range x {
					x[i] = float32(math.Exp(-20 * r.Float64()))
				}
				return x
			}
			theta, phi, counts, alpha := vector(k), vector(k*rows), vector(rows), vector(k)
			want, got := vector(k), make([]float32, k)
			copy(got, want)
			moved, again := slices.Clone(theta), slices.Clone(theta)
			reestimateGo(moved, want, alpha)
			reestimate(again, want, alpha)
			if !slices.Equal(moved, again) {
				t.Errorf("K = %d: reestimate and its specification differ", k)
			}
			for u := range rows {
				row := phi[u*k : u*k+k]
				if got, want := dot(theta, row), dotGo(theta, row); got != want {
					t.Errorf("K = %d: dot %v and its specification %v differ", k, got, want)
				}
				moved, again, background := slices.Clone(row), slices.Clone(row), vector(k)
				reduceGo(moved, theta, background, alpha, counts[u])
				reduce(again, theta, background, alpha, counts[u])
				if !slices.Equal(moved, again) {
					t.Errorf("K = %d: reduce and its specification differ", k)
				}
			}
			responsibilitiesGo(want, theta, phi, counts)
			begin := slices.Clone(got)
			for _, most := range []bool{true, false} { // of the instructions that there are
				copy(got, begin)
				instructions(most, func() { responsibilities(got, theta, phi, counts) })
				if !slices.Equal(got, want) {
					t.Errorf("K = %d, %d rows: the kernel and its specification differ", k, rows)
				}
			}
		}
	}
}

// instructions runs f with all of the processor's vector instructions, or without
// AVX-512.
func instructions(all bool, f func()) {
	had := simd.AVX512
	defer func() { simd.AVX512 = had }()
	simd.AVX512 = had && all
	f()
}

func BenchmarkCompletion(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, k := range []int{100, 1000, 10000} {
		m := randomModel(r, 5000, k, 30/float64(k))
		docs := randomDocs(r, 650, 5000, 600)
		b.Run(fmt.Sprintf("K=%d", k), func(b *testing.B) {
			for b.Loop() {
				if _, err := Completion(b.Context(), m, docs, Options{Threads: runtime.GOMAXPROCS(0)}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*float64(docs.NumTokens())/b.Elapsed().Seconds(), "tokens/s")
		})
	}
}

func BenchmarkKernel(b *testing.B) {
	theta, phi, counts, next := make([]float32, 112), make([]float32, 112*100), make([]float32, 100), make([]float32, 112)
	for i := range phi {
		phi[i] = 0.01
	}
	for i := range theta {
		theta[i] = 1
	}
	for i := range counts {
		counts[i] = 1
	}
	for name, all := range map[string]bool{"machine": true, "without-avx512": false} {
		b.Run(name, func(b *testing.B) {
			instructions(all, func() {
				for b.Loop() {
					responsibilities(next, theta, phi, counts)
				}
			})
		})
	}
	b.Run("portable", func(b *testing.B) {
		for b.Loop() {
			responsibilitiesGo(next, theta, phi, counts)
		}
	})
}
