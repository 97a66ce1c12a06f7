//go:build (amd64 || arm64) && !noasm

package walk

import "github.com/topoi-lda/topoi/internal/simd"

func Step(z, own, proposal, x []uint32, row *Row) {
	if !simd.Vectors {
		StepGo(z, own, proposal, x, row)
		return
	}
	a := stepArgs{
		z: &z[0], own: &own[0], proposal: &proposal[0], x: &x[0], n: len(z),
		cells: &row.Cells[0], each: row.Each, prior: row.Prior,
	}
	step(&a)
}

func Draw(proposal, x, y, places []uint32, mix Mix, topics uint32, alias Alias) {
	if !simd.Vectors {
		DrawGo(proposal, x, y, places, mix, topics, alias)
		return
	}
	a := drawArgs{
		proposal: &proposal[0], x: &x[0], y: &y[0], places: &places[0], n: len(proposal), mix: mix, topics: topics,
	}
	if alias.Threshold != nil {
		a.threshold, a.other = &alias.Threshold[0], &alias.Other[0]
	}
	draw(&a)
}

// Expand writes up to Slack values more than ExpandGo.
func Expand(dst, topics []uint32, cells []TopicCell) {
	if !simd.Vectors {
		ExpandGo(dst, topics, cells)
		return
	}
	if len(topics) > 0 {
		expand(&dst[0], &topics[0], len(topics), &cells[0])
	}
}
