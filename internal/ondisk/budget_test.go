package ondisk

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/human"
)

// runOf is a run of a million and a half tokens.
func runOf(name string, k int, memory uint64) Run {
	p := randomProblem(1, 50_000, 2000, k)
	return Run{Sampler: infoOf(name), Problem: p, Memory: memory}
}

// With enough memory everything is in memory; with less, files are used and pieces
// shrink with the budget; at the end it is refused, and what the refusal asks for
// is enough, and not much too much.
func TestFit(t *testing.T) {
	for _, name := range []string{"warp", "light"} {
		r := runOf(name, 500, 1<<40)
		if b, err := Fit(r); err != nil || !b.InMemory {
			t.Fatalf("%s: %+v, %v", name, b, err)
		}
		r.Memory = 1000
		_, err := Fit(r)
		if !errors.Is(err, ErrBudget) {
			t.Fatalf("%s: %v", name, err)
		}
		need := regexp.MustCompile(`allow ([0-9.]+ [kMG]B)`).FindStringSubmatch(err.Error())
		if need == nil || !strings.Contains(err.Error(), "for the program") {
			t.Fatalf("%s: %v", name, err)
		}
		bytes, err := human.ParseBytes(strings.ReplaceAll(need[1], " ", ""))
		must(t, err)
		r.Memory = uint64(bytes) / 100 * 99
		if b, err := Fit(r); err == nil && !b.InMemory {
			t.Errorf("%s: %d bytes are enough, and %d were asked for", name, r.Memory, bytes)
		}
		last := 0
		for memory := uint64(bytes) / 100 * 101; ; memory += uint64(bytes) / 50 {
			r.Memory = memory
			b, err := Fit(r)
			must(t, err)
			if b.InMemory {
				break
			}
			if size := b.SliceBytes + b.PartTokens; size < last {
				t.Errorf("%s: more memory, smaller pieces: %d after %d", name, size, last)
			} else {
				last = size
			}
		}
	}
}

func TestFitRefusesWhatHasNoFiles(t *testing.T) {
	if _, err := Fit(runOf("batch", 5000, 1<<24)); !errors.Is(err, ErrBudget) || !strings.Contains(err.Error(), "choose sampler warp or light") {
		t.Error(err)
	}
	if b, err := Fit(runOf("batch", 50, 1<<33)); err != nil || !b.InMemory {
		t.Errorf("%+v, %v", b, err)
	}
}

// Slices keep to the budget, whatever the words' frequencies.
func TestSlicesKeepTheBudget(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := randomProblem(rapid.Uint64Range(0, 1000).Draw(rt, "seed"), 200, rapid.IntRange(1, 300).Draw(rt, "V"), 10)
		budget := &Budget{SliceBytes: rapid.IntRange(1, 100_000).Draw(rt, "bytes")}
		s, err := newStreamed(Config{Sampler: infoOf("warp"), Problem: p, Budget: budget})
		must(t, err)
		frequencies := make([]uint64, p.V)
		for _, w := range p.Words {
			frequencies[w]++
		}
		s.cutSlices(frequencies)
		all, largestWord := 0, 0
		for i := range len(s.slices) - 1 {
			size, tokens := 0, 0
			for _, n := range frequencies[s.slices[i]:s.slices[i+1]] {
				bytes := sliceBytes(n, s.plan.Blocks(), s.stream, p)
				size, largestWord = size+bytes, max(largestWord, bytes)
				tokens += int(n)
			}
			all += size
			if tokens != s.sizes[i] {
				rt.Fatalf("slice %d has %d tokens, not %d", i, tokens, s.sizes[i])
			}
		}
		if s.most > max(budget.SliceBytes, largestWord, all/mostSlices+1+largestWord) || len(s.slices) > 2*mostSlices {
			rt.Fatalf("%d slices of up to %d bytes, %d allowed, largest word %d", len(s.slices)-1, s.most, budget.SliceBytes, largestWord)
		}
	})
}
