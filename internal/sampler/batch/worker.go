package batch

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

// batchWorker is one goroutine's scratch.
type batchWorker struct {
	groupDraws
	docs   draw32.DocRows // of the block
	rows   []float32      // words of a tile × kpad: n_wk + β
	cum    []float32      // scratch of the draw
	random sampler.Words  // 32 random bits per token of the block
	prefix []float32      // scratch of the draw
	deltas []int64        // K: changes to n_k

	entries []counts.Entry // a row of a part's frozen counts

	cells []uint32 // documents of the block: first cells of their groups
}

// sample draws all tokens of a block anew.
func (w *batchWorker) sample(block, iteration int, beta float64) {
	s := w.s
	b := s.grid.Blocks[block]
	copy(s.old[b.Begin:b.End], s.z[b.Begin:b.End])
	w.findAlpha(b)
	origin := s.p.Origin()
	random := w.random.Tokens(sampler.Draws{
		Key: rng.NewKey(s.p.Seed), Iteration: uint32(iteration),
		Purpose: sampler.ForDraw,
	}, origin+b.Begin, origin+b.End)
	if len(s.alpha) > 0 {
		w.countBlock(b)
		w.docs.Compute(s.alpha, w.alphaAt, s.inv)
		w.drawTiles(block, random, float32(beta))
	}
	if s.few {
		w.drawFew(b, random, beta)
	}
}

// drawTiles draws the tokens of a block whose documents may have all topics.
func (w *batchWorker) drawTiles(block int, random []uint32, beta float32) {
	s := w.s
	b := s.grid.Blocks[block]
	tiles, rows := s.schedule.Tiles[block], s.weights
	ahead, stride := s.nwk, s.stride
	if rows != nil {
		ahead, stride = unsafe.Slice((*int32)(unsafe.Pointer(&rows[0])), len(rows)), s.kpad // to be fetched, not read
	}
	for i, c := range tiles {
		if s.weights == nil {
			rows = w.fetchRows(c, beta)
		}
		var next []grid.Segment
		if i+1 < len(tiles) {
			next = s.grid.Segments[tiles[i+1].FirstSeg:tiles[i+1].LastSeg]
		}
		docs := s.grid.Docs[c.Begin:c.End]
		order, quads := w.drawn(s.schedule.Order[c.Begin:c.End], docs, c.Quads)
		draw32.DrawTile(&draw32.TileArgs{
			Topics: s.p.K, LaneMask: draw32.LaneMask(s.p.K), Own: 1, OwnIn: s.p.Tuning.OwnCount == "in", Kpad: s.kpad,
			Dnt: w.docs.Dnt, Ndk: w.docs.Ndk, Wide: w.docs.Wide, Rows: rows, Alpha: s.alpha, AlphaAt: w.alphaAt,
			Inv:   s.inv,
			RowOf: s.schedule.Rows[c.Begin:c.End], Docs: docs, Z: s.z[c.Begin:c.End],
			Random: random[c.Begin-b.Begin : c.End-b.Begin],
			Order:  order, Quads: quads, Cum: w.cum, Prefix: w.prefix,
			Table: ahead, Stride: stride, Next: next,
		})
	}
}

// fetchRows returns n_wk + β of the tile's words.
func (w *batchWorker) fetchRows(c draw32.Tile, beta float32) []float32 {
	s := w.s
	for i, seg := range s.grid.Segments[c.FirstSeg:c.LastSeg] {
		draw32.FloatRow(w.rows[i*s.kpad:(i+1)*s.kpad], s.row(seg.Word), beta)
	}
	return w.rows
}

// countBlock counts n_dk of the block's documents.
func (w *batchWorker) countBlock(b grid.Block) {
	s := w.s
	w.docs.Reset(s.p.Offsets[b.FirstDoc : b.LastDoc+1])
	w.docs.Count(s.grid.Docs[b.Begin:b.End], s.z[b.Begin:b.End])
}

// countDocs adds the block's documents to h.
func (w *batchWorker) countDocs(b grid.Block, h *sampler.Histograms) {
	s := w.s
	w.countBlock(b)
	w.cells = w.cells[:0]
	var tally *counts.Tally
	if s.p.Groups != nil {
		tally = h.Tally(s.p)
	}
	for d := b.FirstDoc; d < b.LastDoc; d++ {
		length := int(s.p.Offsets[d+1] - s.p.Offsets[d])
		h.DocLengths = sampler.Bump(h.DocLengths, length)
		if tally != nil {
			cell := counts.Cell(s.p.Groups[d], 0, s.p.K)
			w.cells = append(w.cells, cell)
			tally.Count(cell+uint32(s.p.K), uint32(length))
		}
	}
	w.docs.Tally(h.Topic, tally, w.cells, s.grid.Docs[b.Begin:b.End], s.z[b.Begin:b.End])
}

// update moves the changed tokens of a range of words and of the blocks first … last-1 in n_wk.
func (w *batchWorker) update(first, last, words int) {
	s := w.s
	for i, b := range s.grid.Blocks[first:last] {
		for _, seg := range s.segments(first+i, words) {
			row := s.row(seg.Word)
			old := s.old[b.Begin+int(seg.Begin) : b.Begin+int(seg.End)]
			for i, k := range s.z[b.Begin+int(seg.Begin) : b.Begin+int(seg.End)] {
				if o := old[i]; o != k {
					row[o]--
					row[k]++
					w.deltas[o]--
					w.deltas[k]++
				}
			}
		}
	}
}

// recount counts the tokens of a range of words in n_wk.
func (w *batchWorker) recount(words int) {
	s := w.s
	stride, first := s.stride, s.ranges[words]
	cells := s.nwk[first*stride : s.ranges[words+1]*stride]
	clear(cells)
	for i, b := range s.grid.Blocks {
		z, segments := s.z[b.Begin:b.End], s.segments(i, words)
		if s.weights != nil && len(segments) > 0 { // without a loop a word, whose end is hard to predict
			z = z[segments[0].Begin:segments[len(segments)-1].End]
			for i, word := range s.schedule.Rows[b.Begin+int(segments[0].Begin):][:len(z)] {
				cells[(int(word)-first)*stride+int(z[i])]++
			}
			continue
		}
		for _, seg := range segments {
			row := cells[(int(seg.Word)-first)*stride:][:stride]
			for _, k := range z[seg.Begin:seg.End] {
				row[k]++
			}
		}
	}
	s.p.Pseudo.AddRows(cells, stride, first)
	for ; len(cells) > 0; cells = cells[stride:] {
		for k, n := range cells[:len(w.deltas)] {
			w.deltas[k] += int64(n)
		}
	}
}
