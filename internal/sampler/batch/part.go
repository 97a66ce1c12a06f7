package batch

import (
	"context"
	"errors"
	"slices"
	"sort"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

// batchCutting is how batch works on parts: the same code, whose n_wk has the
// part's words only and is filled before a round instead of being brought up to
// date after it.
var batchCutting = sampler.Cutting{
	Limits: func(p *sampler.Problem) grid.Limits { return draw32.Limits(p.CorpusTokens(), draw32.PaddedTopics(p.K)) },
	Rounds: sampler.BatchesIn,
	Ends:   sampler.BlockRounds,
	Kernel: func(p *sampler.Problem, _ sampler.Kernel) sampler.Kernel { return newBatchPart(makeBatch(p)) },
	Check: func(t sampler.Tuning) error {
		if freshness, err := ParseFreshness(t.Fresh); err != nil || freshness != batchFreshness {
			return errors.Join(err, errors.New("batch works on parts of a corpus only with fresh counts as by default: leave out fresh"))
		}
		return nil
	},
	On:      newBatchPartsOn,
	OnFault: batchOnFault,
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

func (s *batchPart) Round(ctx context.Context, iteration, first, last int, model sampler.Frozen, priors *sampler.Priors) error {
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
func (s *batchPart) take(ctx context.Context, model sampler.Frozen) error {
	for k, n := range model.TopicTotals() {
		s.nk[k] = int64(n)
	}
	dense, _ := model.(sampler.Dense)
	return parallel.Do(ctx, s.p.Threads, len(s.ranges)-1, func(thread, i int) {
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

func (s *batchPart) AddMoves(w int, n *sampler.Net) {
	tokens := 0
	for _, at := range s.byWord[s.first[w]:s.first[w+1]] {
		if int(at.block) >= s.begin && int(at.block) < s.end {
			seg := s.grid.Segments[at.segment]
			tokens += int(seg.End - seg.Begin)
		}
	}
	n.Begin(tokens)
	for _, at := range s.byWord[s.first[w]:s.first[w+1]] {
		if int(at.block) < s.begin || int(at.block) >= s.end {
			continue
		}
		seg, base := s.grid.Segments[at.segment], s.grid.Blocks[at.block].Begin
		sampler.NetMoves(n, s.old[base+int(seg.Begin):base+int(seg.End)], s.z[base+int(seg.Begin):base+int(seg.End)], 1)
	}
}

func (s *batchPart) Memory() []byte { return mapfile.Bytes(s.z) }
func (s *batchPart) Restore(int)    {}

func (s *batchPart) Documents() *counts.Histograms { return &s.docHistograms().Histograms }
