package sampler

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/hyper"
)

// Histograms of documents that are longer than a block of threads holds topics of, with cells for every
// count and with cells for few, so that the others are listed.
func TestDeviceHistograms(t *testing.T) {
	const K = 3
	random := rand.New(rand.NewPCG(1, 2))
	p := &Problem{Offsets: []uint64{0}, V: 1, K: K, Threads: 2}
	for _, n := range []int{0, 1, 5, 127, 129, 1024, 1025, 3000} {
		p.Offsets = append(p.Offsets, p.Offsets[p.D()]+uint64(n))
	}
	z := make([]uint16, p.N())
	for i := range z {
		z[i] = uint16(min(random.IntN(K), random.IntN(K)))
	}
	d := emulated.Open(t, "../cuda/kernels")
	for _, cells := range []int{statisticsCells, K * (statisticsLeast + 30)} {
		defer func(n int) { statisticsCells = n }(statisticsCells)
		statisticsCells = cells
		defer func(n int) { listedAtOnce = n }(listedAtOnce)
		listedAtOnce = 2
		got := countOnDevice(t, d, p, z).Topic
		if want := countPlainly(p, z); !reflect.DeepEqual(got, want) {
			t.Errorf("with %d cells\n%v, want\n%v", cells, got, want)
		}
	}
}

// λ has the bits of λ learned from bins, where all counts have cells and where some are listed.
func TestRegressionOnDevice(t *testing.T) {
	const K, groups = 3, 5
	random := rand.New(rand.NewPCG(4, 2))
	p := &Problem{Offsets: []uint64{0}, V: 1, K: K, Threads: 2}
	for d := range 200 {
		p.Offsets = append(p.Offsets, p.Offsets[d]+uint64(random.IntN(150)))
		p.Groups = append(p.Groups, uint32(random.IntN(groups)))
	}
	z, wide := make([]uint16, p.N()), make([]uint32, p.N())
	for i := range z {
		z[i] = uint16(min(random.IntN(K), random.IntN(K)))
		wide[i] = uint32(z[i])
	}
	here := NewHistograms(K)
	here.AddDocs(p, wide)
	for g := range groups {
		p.Rows = append(p.Rows, []float64{1, float64(g) - 2, float64(g * g)})
	}
	lambda := [][]float64{{-1, 0.5, 0.01}, {-15, 3, 0}, {2, 1, 0.2}} // α from the least to the largest
	r := hyper.Regression{Rows: p.Rows, Threads: 1}
	want, _ := r.Learn(lambda, r.Alpha(lambda), &here.Histograms)
	d := emulated.Open(t, "../cuda/kernels")
	defer func(n int) { statisticsCells = n }(statisticsCells)
	for _, cells := range []int{statisticsCells, 1} { // all counts have a cell, or those up to statisticsLeast
		statisticsCells = cells
		there := countOnDevice(t, d, p, z).Raised
		listed := len(there.(*groupsOn).listed)
		if (listed > 0) != (cells == 1) {
			t.Errorf("%d counts are listed", listed/2)
		}
		if got, _, err := there.Learn(lambda, hyper.RegressionRounds); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("λ is %v, want %v, %v", got, want, err)
		}
		bins, err := there.Bins()
		if err != nil || !slices.Equal(bins, here.Groups) {
			t.Errorf("bins %v, want %v, %v", bins, here.Groups, err)
		}
	}
}

// countOnDevice counts topics of documents; words are left out.
func countOnDevice(t *testing.T, d *device.Device, p *Problem, z []uint16) *counts.Histograms {
	t.Helper()
	first := make([]uint32, len(p.Offsets))
	for i, o := range p.Offsets {
		first[i] = uint32(o)
	}
	a := d.NewArena()
	t.Cleanup(func() { a.Close() })
	h := NewDeviceHistograms(p, a)
	offsets := device.Upload(a, first)
	rows := StatisticsRows{Kernel: "16", Tokens: device.Upload(a, z), Stride: 1, Positions: offsets, Direct: true, First: offsets, Members: p.D(), Limit: p.N()}
	if p.Groups != nil {
		rows.Groups = device.Upload(a, p.Groups)
	}
	if err := device.FirstError(a.Err(), h.Zero(), h.Docs.Count(d.Main(), d.Processors(), p.K, rows)); err != nil {
		t.Fatal(err)
	}
	got, err := h.Read(make([]uint32, p.K))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// countPlainly is the definition; see Topic of counts.Histograms.
func countPlainly(p *Problem, z []uint16) [][]uint32 {
	h := make([][]uint32, p.K)
	for d := range p.D() {
		row := make([]int, p.K)
		for _, k := range z[p.Offsets[d]:p.Offsets[d+1]] {
			row[k]++
		}
		for k, n := range row {
			if n > 0 {
				h[k] = Bump(h[k], n)
			}
		}
	}
	return h
}
