//go:build amd64 && !noasm

package walk

import "github.com/topoi-lda/topoi/internal/simd"

// warpStepAVX512 is StepGo for n > 0 tokens.
//
//go:noescape
func warpStepAVX512(z, own, proposal, x *uint32, n int, cells *TopicCell, each bool, prior float32)

// warpDrawAVX512 is DrawGo for n > 0 tokens; threshold and other are nil if there is no alias table.
//
//go:noescape
func warpDrawAVX512(proposal, x, y, places *uint32, n int, mix *Mix, topics uint32, threshold, other *uint32)

func Step(z, own, proposal, x []uint32, row *Row) {
	if !simd.AVX512 {
		StepGo(z, own, proposal, x, row)
		return
	}
	warpStepAVX512(&z[0], &own[0], &proposal[0], &x[0], len(z), &row.Cells[0], row.Each, row.Prior)
}

func Draw(proposal, x, y, places []uint32, mix Mix, topics uint32, alias Alias) {
	if !simd.AVX512 {
		DrawGo(proposal, x, y, places, mix, topics, alias)
		return
	}
	var threshold, other *uint32
	if alias.Threshold != nil {
		threshold, other = &alias.Threshold[0], &alias.Other[0]
	}
	warpDrawAVX512(&proposal[0], &x[0], &y[0], &places[0], len(proposal), &mix, topics, threshold, other)
}

// warpExpandAVX512 is ExpandGo, but writes up to Slack values more.
//
//go:noescape
func warpExpandAVX512(dst, topics *uint32, n int, cells *TopicCell)

func Expand(dst, topics []uint32, cells []TopicCell) {
	if !simd.AVX512 {
		ExpandGo(dst, topics, cells)
		return
	}
	if len(topics) > 0 {
		warpExpandAVX512(&dst[0], &topics[0], len(topics), &cells[0])
	}
}

// setDenseAVX512 is setDenseGo for groups > 0 times sixteen topics.
//
//go:noescape
func setDenseAVX512(row *int32, cells *TopicCell, seen *uint32, groups int) (n, sum int)

func setDense(cells []TopicCell, seen []uint32, row []int32) (n, sum int) {
	groups := len(row) / 16
	if !simd.AVX512 || groups == 0 {
		return setDenseGo(cells, seen, row, 0)
	}
	n, sum = setDenseAVX512(&row[0], &cells[0], &seen[0], groups)
	more, rest := setDenseGo(cells, seen[n:], row, 16*groups)
	return n + more, sum + rest
}
