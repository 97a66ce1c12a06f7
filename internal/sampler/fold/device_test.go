package fold

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// foldCase is a model, made from one problem's topics, and new documents.
type foldCase struct {
	fold *Fold
	docs *sampler.Problem
}

// newFoldCase takes the counts of the state that gibbs starts with as the model.
func newFoldCase(t testing.TB, model, docs *sampler.Problem, sweeps int, priors *sampler.Priors) foldCase {
	t.Helper()
	s := samplertest.Start(t, "gibbs", model, nil, priors)
	return foldCase{docs: docs, fold: &Fold{
		Rows: s, Totals: s.TopicTotals(), Priors: *priors, V: model.V, Seed: model.Seed, Threads: 2, Sweeps: sweeps, Skip: sweeps / 3,
	}}
}

// randomFoldCase has empty documents and documents of one token.
func randomFoldCase(t testing.TB, seed uint64) foldCase {
	r := rand.New(rand.NewPCG(seed, 11))
	k := []int{1, 2, 31, 32, 33, 100, 300, 1000, 1100}[r.IntN(9)]
	v := 1 + r.IntN(50)
	priors := samplertest.SymmetricPriors(k)
	if r.IntN(2) == 0 {
		priors = samplertest.PriorsFor(k)
	}
	return newFoldCase(t, samplertest.RandomProblem(seed, 30, v, k, 40), samplertest.RandomProblem(seed+1000, 1+r.IntN(30), v, k, 1+r.IntN(20)), 1+r.IntN(5), priors)
}

// randomMeanCase is a case for expected topics. Some words have more topics than lanes keep in registers, and some
// cases have rows that do not fit shared memory.
func randomMeanCase(t testing.TB, seed uint64) foldCase {
	r := rand.New(rand.NewPCG(seed, 12))
	k, priors := []int{1, 2, 31, 32, 33, 100, 300, 1000, 5000}[seed%9], samplertest.PriorsFor
	if r.IntN(2) == 0 {
		priors = samplertest.SymmetricPriors
	}
	v := 1 + r.IntN(80)
	c := newFoldCase(t, samplertest.RandomProblem(seed, 100, v, k, 60), samplertest.RandomProblem(seed+1000, 1+r.IntN(30), v, k, 1+r.IntN(100)), 0, priors(k))
	c.fold.Top = []int{0, 0, 1, 5, MostTop}[r.IntN(5)]
	for _, a := range c.fold.Priors.Alpha {
		c.fold.AlphaSum += a
	}
	return c
}

// emitted is the output of a run.
func emitted(run func(emit func(int, []counts.Entry) error) error) ([][]counts.Entry, error) {
	var list [][]counts.Entry
	err := run(func(doc int, sums []counts.Entry) error {
		if doc != len(list) {
			return fmt.Errorf("document %d comes as number %d", doc, len(list))
		}
		list = append(list, slices.Clone(sums))
		return nil
	})
	return list, err
}

// Compare tells the first difference between the CPU and a device.
func (c foldCase) Compare(t testing.TB, d *device.Device) error {
	want, err := emitted(func(emit func(int, []counts.Entry) error) error {
		return c.fold.of(c.docs.Offsets, c.docs.Words).Run(t.Context(), emit)
	})
	if err != nil {
		return err
	}
	got, err := emitted(func(emit func(int, []counts.Entry) error) error {
		return c.fold.of(c.docs.Offsets, c.docs.Words).RunOn(t.Context(), d, emit)
	})
	if err != nil {
		return err
	}
	for i := range want {
		if i >= len(got) || !slices.Equal(want[i], got[i]) {
			return fmt.Errorf("K = %d, %d documents: document %d of %d tokens has %v, want %v",
				len(c.fold.Totals), len(want), i, c.docs.Offsets[i+1]-c.docs.Offsets[i], got[i], want[i])
		}
	}
	return nil
}

// least is the smallest memory in which documents can be folded.
func (c foldCase) least(d *device.Device) int64 {
	defer d.Limit(0)
	for limit := int64(1 << 10); ; limit += limit / 8 {
		d.Limit(limit)
		if _, err := newFoldOn(c.fold.of(c.docs.Offsets, c.docs.Words), d).plan(); err == nil {
			return limit
		}
	}
}

func TestEmulatedFoldEqualsGo(t *testing.T) {
	d := samplertest.Emulation(t)
	for seed := range uint64(8) {
		c := randomFoldCase(t, seed)
		samplertest.MustDo(t, c.Compare(t, d))
		d.Limit(c.least(d)) // many loads
		samplertest.MustDo(t, c.Compare(t, d))
		d.Limit(0)
	}
}

func TestEmulatedMeanEqualsGo(t *testing.T) {
	d := samplertest.Emulation(t)
	for seed := range uint64(18) {
		c := randomMeanCase(t, seed)
		samplertest.MustDo(t, c.Compare(t, d))
		d.Limit(c.least(d)) // many loads
		samplertest.MustDo(t, c.Compare(t, d))
		d.Limit(0)
	}
}

func TestMeanOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for seed := range samplertest.DeviceCases() {
		c := randomMeanCase(t, seed)
		if seed%2 == 0 {
			d.Limit(c.least(d))
		}
		samplertest.MustDo(t, c.Compare(t, d))
		d.Limit(0)
	}
	if testing.Short() {
		return
	}
	for _, k := range []int{1, 31, 33, 128, 1000, 1024, 1025, 3000, 5000, 65536} {
		c := newFoldCase(t, samplertest.RandomProblem(uint64(k), 3000, 300, k, 100), samplertest.RandomProblem(uint64(k)+1, 3000, 300, k, 500), 0, samplertest.PriorsFor(k))
		c.fold.Threads = 8
		samplertest.MustDo(t, c.Compare(t, d))
	}
}

func TestFoldOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for seed := range samplertest.DeviceCases() {
		c := randomFoldCase(t, seed)
		if seed%2 == 0 {
			d.Limit(c.least(d))
		}
		samplertest.MustDo(t, c.Compare(t, d))
		d.Limit(0)
	}
	if testing.Short() {
		return
	}
	for _, k := range []int{1, 31, 33, 64, 128, 192, 256, 384, 512, 768, 1000, 1024, 1025, 65535, 65536} {
		docs := 400
		if k > 2000 {
			docs = 10 // plain Go would take long
		}
		c := newFoldCase(t, samplertest.RandomProblem(uint64(k), 200, 300, k, 100), samplertest.RandomProblem(uint64(k)+1, docs, 300, k, 300), 5, samplertest.PriorsFor(k))
		c.fold.Threads = 8
		samplertest.MustDo(t, c.Compare(t, d))
	}
}

func TestFoldRefusesTooLittleMemory(t *testing.T) {
	d := emulated.New("")
	d.Limit(100)
	c := randomFoldCase(t, 3)
	err := c.fold.of(c.docs.Offsets, c.docs.Words).RunOn(t.Context(), d, func(int, []counts.Entry) error { return nil })
	if !errors.Is(err, cuda.ErrOutOfMemory) || !strings.Contains(err.Error(), "100 bytes may be used") {
		t.Errorf("got %v", err)
	}
}
