//go:build amd64 && !noasm

package warp

import "github.com/topoi-lda/topoi/internal/simd"

// warpStepAVX512 is warpStepGo for n > 0 tokens.
//
//go:noescape
func warpStepAVX512(z, own, proposal, x *uint32, n int, cells *topicCell, each bool, prior float32)

// warpDrawAVX512 is warpDrawGo for n > 0 tokens; threshold and other are nil if there is no alias table.
//
//go:noescape
func warpDrawAVX512(proposal, x, y, places *uint32, n int, mix *warpMix, topics uint32, threshold, other *uint32)

func warpStep(z, own, proposal, x []uint32, row *warpRow) {
	if !simd.AVX512 {
		warpStepGo(z, own, proposal, x, row)
		return
	}
	warpStepAVX512(&z[0], &own[0], &proposal[0], &x[0], len(z), &row.cells[0], row.each, row.prior)
}

func warpDraw(proposal, x, y, places []uint32, mix warpMix, topics uint32, alias warpAlias) {
	if !simd.AVX512 {
		warpDrawGo(proposal, x, y, places, mix, topics, alias)
		return
	}
	var threshold, other *uint32
	if alias.threshold != nil {
		threshold, other = &alias.threshold[0], &alias.other[0]
	}
	warpDrawAVX512(&proposal[0], &x[0], &y[0], &places[0], len(proposal), &mix, topics, threshold, other)
}

// warpExpandAVX512 is warpExpandGo, but writes up to warpSlack values more.
//
//go:noescape
func warpExpandAVX512(dst, topics *uint32, n int, cells *topicCell)

func warpExpand(dst, topics []uint32, cells []topicCell) {
	if !simd.AVX512 {
		warpExpandGo(dst, topics, cells)
		return
	}
	if len(topics) > 0 {
		warpExpandAVX512(&dst[0], &topics[0], len(topics), &cells[0])
	}
}

// setDenseAVX512 is setDenseGo for groups > 0 times sixteen topics.
//
//go:noescape
func setDenseAVX512(row *int32, cells *topicCell, seen *uint32, groups int) (n, sum int)

func setDense(cells []topicCell, seen []uint32, row []int32) (n, sum int) {
	groups := len(row) / 16
	if !simd.AVX512 || groups == 0 {
		return setDenseGo(cells, seen, row, 0)
	}
	n, sum = setDenseAVX512(&row[0], &cells[0], &seen[0], groups)
	more, rest := setDenseGo(cells, seen[n:], row, 16*groups)
	return n + more, sum + rest
}
