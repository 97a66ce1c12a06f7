package sampler

import (
	"context"
	"errors"
	"slices"
	"sort"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/mapfile"
)

// batchCutting is how batch works on parts: the same code, whose n_wk has the
// part's words only and is filled before a round instead of being brought up to
// date after it.
var batchCutting = cutting{
	limits: func(p *Problem) grid.Limits { return batchLimits(p.corpusTokens(), paddedTopics(p.K)) },
	rounds: Tuning.miniBatches,
	ends:   blockRounds,
	kernel: func(p *Problem, _ kernel) kernel { return newBatchPart(makeBatch(p)) },
	check: func(t Tuning) error {
		if freshness, err := ParseFreshness(t.Fresh); err != nil || freshness != batchFreshness {
			return errors.Join(err, errors.New("batch works on parts of a corpus only with fresh counts as by default: leave out fresh"))
		}
		return nil
	},
	on:      newBatchPartsOn,
	onFault: batchOnFault,
}

// batchPart is batch on a part.
type batchPart struct {
	*batch
	first      []int         // V+1: word w has byWord[first[w]:first[w+1]]
	byWord     []wordSegment // all segments, word by word, increasing in block
	begin, end int           // blocks of the last round
}

// wordSegment says where a segment is: its block and its number in the grid.
type wordSegment struct{ block, segment uint32 }

func newBatchPart(b *batch) *batchPart {
	p := b.p
	s := &batchPart{batch: b, first: make([]int, p.V+1)}
	for _, seg := range s.grid.Segments {
		s.first[seg.Word+1]++
	}
	for w := range p.V {
		s.first[w+1] += s.first[w]
	}
	s.byWord = make([]wordSegment, len(s.grid.Segments))
	next := slices.Clone(s.first)
	for i, b := range s.grid.Blocks {
		for j := b.FirstSeg; j < b.LastSeg; j++ {
			w := s.grid.Segments[j].Word
			s.byWord[next[w]] = wordSegment{uint32(i), uint32(j)}
			next[w]++
		}
	}
	return s
}

func (s *batchPart) round(ctx context.Context, iteration, first, last int, model Frozen, priors *Priors) error {
	s.setBlocks(first, last)
	if err := s.take(ctx, model); err != nil {
		return err
	}
	return s.sampleBlocks(ctx, s.begin, s.end, iteration, priors)
}

// setBlocks finds the blocks of a round that has the documents first … last-1.
func (s *batchPart) setBlocks(first, last int) {
	blocks := s.grid.Blocks
	s.begin = sort.Search(len(blocks), func(i int) bool { return blocks[i].FirstDoc >= first })
	s.end = s.begin + sort.Search(len(blocks)-s.begin, func(i int) bool { return blocks[s.begin+i].FirstDoc >= last })
}

// take copies the frozen counts.
func (s *batchPart) take(ctx context.Context, model Frozen) error {
	for k, n := range model.TopicTotals() {
		s.nk[k] = int64(n)
	}
	dense, _ := model.(Dense)
	return parallel(ctx, s.p.Threads, len(s.ranges)-1, func(thread, i int) {
		w := s.workers[thread]
		for word := s.ranges[i]; word < s.ranges[i+1]; word++ {
			row := s.row(uint32(word))
			if dense != nil {
				if given := dense.DenseRow(word, row); given != nil {
					copy(row, given) // itself, if it was put together there
					continue
				}
			}
			w.entries = model.AppendRow(w.entries[:0], word)
			clear(row)
			for _, e := range w.entries {
				row[e.Topic] = int32(e.Count)
			}
		}
	})
}

func (s *batchPart) addMoves(w int, n *net) {
	tokens := 0
	for _, at := range s.byWord[s.first[w]:s.first[w+1]] {
		if int(at.block) >= s.begin && int(at.block) < s.end {
			seg := s.grid.Segments[at.segment]
			tokens += int(seg.End - seg.Begin)
		}
	}
	n.begin(tokens)
	for _, at := range s.byWord[s.first[w]:s.first[w+1]] {
		if int(at.block) < s.begin || int(at.block) >= s.end {
			continue
		}
		seg, base := s.grid.Segments[at.segment], s.grid.Blocks[at.block].Begin
		netMoves(n, s.old[base+int(seg.Begin):base+int(seg.End)], s.z[base+int(seg.Begin):base+int(seg.End)], 1)
	}
}

func (s *batchPart) memory() []byte { return mapfile.Bytes(s.z) }
func (s *batchPart) restore(int)    {}

func (s *batchPart) documents() *counts.Histograms { return &s.docHistograms().Histograms }
