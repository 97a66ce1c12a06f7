package sampler

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
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
		got := countOnDevice(t, d, p, z)
		if want := countPlainly(p, z); !reflect.DeepEqual(got, want) {
			t.Errorf("with %d cells\n%v, want\n%v", cells, got, want)
		}
	}
}

// countOnDevice counts topics of documents; words are left out.
func countOnDevice(t *testing.T, d *device.Device, p *Problem, z []uint16) [][]uint32 {
	t.Helper()
	first := make([]uint32, len(p.Offsets))
	for i, o := range p.Offsets {
		first[i] = uint32(o)
	}
	a := d.NewArena()
	defer a.Close()
	h := NewDeviceHistograms(p, a)
	offsets := device.Upload(a, first)
	rows := StatisticsRows{Kernel: "16", Tokens: device.Upload(a, z), Stride: 1, Positions: offsets, Direct: true, First: offsets, Members: p.D(), Limit: p.N()}
	if err := device.FirstError(a.Err(), h.Zero(), h.Docs.Count(d.Main(), d.Processors(), p.K, rows)); err != nil {
		t.Fatal(err)
	}
	got, err := h.Read(make([]uint32, p.K))
	if err != nil {
		t.Fatal(err)
	}
	return got.Topic
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
