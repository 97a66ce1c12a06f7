//go:build (amd64 || arm64) && !noasm

package walk

import "github.com/topoi-lda/topoi/internal/simd"

// stepArgs are the arguments of the kernel of Step, for n > 0 tokens.
type stepArgs struct {
	z, own, proposal, x *uint32
	n                   int
	cells               *TopicCell
	each                bool
	prior               float32
}

// drawArgs are the arguments of the kernel of Draw, for n > 0 tokens; threshold and other are nil if there is no alias
// table.
type drawArgs struct {
	proposal, x, y, places *uint32
	n                      int
	mix                    Mix
	topics                 uint32
	threshold, other       *uint32
}

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
