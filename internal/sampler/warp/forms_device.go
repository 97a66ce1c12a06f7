package warp

import (
	"cmp"
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/grouping"
)

// warpLimits say how work is divided among threads. They never change a result.
type warpLimits struct {
	hot    int // a word with more tokens is given to several blocks of threads
	part   int // tokens of a hot word for one block of threads
	short  int // tokens of a document, times M+1, that shared memory holds
	shared int // bytes of shared memory of a block of threads
	dense  int // largest K for which short documents have a number for every topic
	sorted int // most tokens of a group of words whose topics are sorted, if it has several words (bench/results/topics.txt)
	rows   int // most numbers in rows of hot words at once

	docRows, wordRows int  // most documents and words in a group; 0 for no groups
	leastRows         int  // words are in groups of rows if a group may have so many, else in groups of sorted topics
	wide              bool // packed lists have the form for corpora of many blocks
}

func defaultWarpLimits(k int, d *device.Device) warpLimits {
	return warpLimits{
		hot: max(1<<14, 4*k), part: 1 << 13, short: 10 << 10, dense: 2048, shared: d.SharedMemory(),
		sorted: 1 << 11, rows: 1 << 29,
		docRows: grouping.Members, wordRows: grouping.Members, leastRows: 16,
	}
}

const warpShortMost = 1024 // tokens of a short document: what the kernels' hash table holds

// tooLarge returns the error for a corpus that fits a device in no form. packed is the memory that the packed
// form needs, or 0 if the corpus cannot be packed.
func tooLarge(p *sampler.Problem, packed, room int64) error {
	least := ""
	if packed > 0 {
		least = fmt.Sprintf(", packed at least %s", human.Bytes(packed))
	}
	return fmt.Errorf("warp with %d tokens and %d topics %w, because the GPU's memory is too small: it takes %s there%s, and %s may be used: allow more with Options.DeviceMemory, or train from files with Options.Device = cpu and Options.Memory",
		p.N(), p.K, sampler.ErrNotOnDevice, human.Bytes(residentBytes(p)), least, human.Bytes(room))
}

const (
	warpCarries = layout.WarpWordsCarries
	warpGuide   = layout.WarpWordsGuide + 1 + 8 // with its carries
)

// warpTokenBytes returns the bytes of a token on a device that holds all tokens: its topic and proposals, its
// topic once more for copies, two positions, and its entries in lists of groups.
func warpTokenBytes(p *sampler.Problem) int64 {
	m := cmp.Or(p.Tuning.MHSteps, warpProposals)
	bytes := int64(2*(m+2) + 8)
	switch {
	case p.K > 1<<16:
		bytes = int64(4*(m+2) + 8)
	case m == 2:
		bytes = 2*5 + 8
	}
	if groupsServe(p) {
		bytes += 4 + 9
	}
	return bytes
}

// groupsServe reports whether there are kernels for groups of words and documents.
func groupsServe(p *sampler.Problem) bool {
	return cmp.Or(p.Tuning.MHSteps, warpProposals) <= 2 && p.K <= grouping.Topics
}

// residentBytes returns the memory of a device that holds all tokens.
func residentBytes(p *sampler.Problem) int64 {
	bytes := int64(p.N())*warpTokenBytes(p) + sampler.HistogramBytes(p) + sampler.PseudoBytes(p.Pseudo)
	for w := range p.Pseudo.Words() {
		if p.Pseudo.Row(w) != nil {
			bytes += 4 * int64(p.K+1) // of a hot row
		}
	}
	return bytes
}

// warpPhases launches the phases of a sweep.
type warpPhases interface {
	wordPhase(iteration int, priors *sampler.Priors) error
	docPhase(iteration int, walk bool) error // or only its proposals
}

// sweepOn launches a sweep on a device. It returns while the device is in the doc phase, so that the next
// sweep is queued before this one ends.
func (s *warp[T]) sweepOn(d *device.Device, nk *device.Buffer[uint32], inv *device.Buffer[float32],
	prior *device.Buffer[uint32], midway *device.Mark, totals *sampler.PseudoOn, iteration int, priors *sampler.Priors,
	phases warpPhases,
) error {
	if s.alpha.Set(priors.Alpha) {
		s.proposed = 0
		if err := prior.Upload(s.alpha.Table()); err != nil {
			return err
		}
	}
	err := d.Together(func() error {
		vbeta := float64(s.p.V) * priors.Beta
		if err := totals.Add(d, nk); err != nil { // the doc phase counts n_k without them
			return err
		}
		err := d.Launch("warp_docs", "warp_inverse", device.Spread(d, s.p.K, 256, 0, 8), nk, inv, uint32(s.p.K),
			math.Float64bits(vbeta))
		if err == nil && s.proposed != iteration {
			err = phases.docPhase(iteration-1, false)
		}
		if err != nil {
			return err
		}
		return device.FirstError(phases.wordPhase(iteration, priors), midway.Set(d.Main()),
			phases.docPhase(iteration, true))
	})
	if err != nil {
		return err
	}
	s.proposed = iteration + 1
	return midway.Wait()
}

// hotPseudo copies pseudo-counts of hot words and m_k to a device. Words with pseudo-counts are always hot. A
// row has K+1 numbers, of which the first is not a count.
func hotPseudo(a *device.Arena, p *sampler.Problem, hot []uint32) [2]*sampler.PseudoOn {
	rows := make(map[int]int, len(hot))
	for i, w := range hot {
		rows[int(w)] = i
	}
	return [2]*sampler.PseudoOn{sampler.PseudoRowsOn(a, p.Pseudo, 1, func(w int, k uint32) (uint64, bool) {
		row, ok := rows[w] // absent if the word does not occur
		return uint64(row)*uint64(p.K+1) + 1 + uint64(k), ok
	}), sampler.PseudoTotalsOn(a, p.Pseudo)}
}

// launchSome launches a kernel unless it has no blocks. Lists among the arguments are flattened.
func launchSome(d *device.Device, module, kernel string, shape device.Shape, args []any) error {
	if shape.Blocks == 0 {
		return nil
	}
	return d.Launch(module, kernel, shape, device.Flatten(args)...)
}

// longShape returns the shape of a launch for the given number of long documents.
func longShape(d *device.Device, k, docs int, far bool) device.Shape {
	if far {
		return device.Shape{Threads: 256, Blocks: min(docs, 2*d.Processors())}
	}
	shape := device.Shape{Threads: 256, Shared: 4 * k, Blocks: min(docs, 4*d.Processors())}
	if k <= layout.WarpDocsTotals {
		shape.Shared += 4 * k
	}
	return shape
}

// warpVariant describes which variants of the resident kernels serve a problem.
type warpVariant struct {
	topics, steps int  // K and M
	far           bool // rows of words and long documents do not fit shared memory
	nearest       bool // shared memory also holds inv
	hashed        bool // rows of short documents are hash tables
}

func newWarpVariant(k, m int, limits warpLimits) warpVariant {
	return warpVariant{
		topics: k, steps: m, hashed: k > limits.dense,
		far:     k > 1<<16 || 4*(k+1) > limits.shared/2,
		nearest: m <= 2 && 4*(2*(k+1)+warpGuide) <= limits.shared/4,
	}
}

// stride returns how many numbers a token has on the device.
func (s warpVariant) stride() int { return warpStride(s.steps, s.topics) }

// layout returns M and stride as the kernels take them.
func (s warpVariant) layout() uint32 { return warpLayoutOn(s.steps, s.topics) }

// name returns the suffix of kernel names for the type of topics.
func (s warpVariant) name(fixedSteps bool) string {
	switch {
	case s.topics > 1<<16 && fixedSteps && s.steps == 2:
		return "_32x2"
	case s.topics > 1<<16:
		return "_32"
	case fixedSteps && s.steps <= 2:
		return fmt.Sprintf("_16x%d", s.steps)
	}
	return "_16"
}

func (s warpVariant) wordName() string {
	switch {
	case s.far:
		return s.name(true) + "_far"
	case s.nearest:
		return s.name(true)
	}
	return s.name(true) + "_near"
}

func (s warpVariant) rowName() string {
	if s.far {
		return s.name(false) + "_far"
	}
	return s.name(false)
}

func (s warpVariant) docName() string {
	if s.hashed {
		return s.name(true) + "_hashed"
	}
	return s.name(false)
}

// wordBytes returns the shared memory of a hot word's row with its tables.
func (s warpVariant) wordBytes() int {
	row := 4 * (s.topics + 1)
	switch {
	case s.far:
		return 0
	case s.nearest:
		return row + 4*(s.topics+1+warpGuide)
	}
	return row
}

// warpStride returns how many numbers a token with m proposals has on a device. With one or two proposals of
// 16 bits a token is one number that is read and written at once.
func warpStride(m, k int) int {
	if m == 2 && k <= 1<<16 {
		return 4
	}
	return m + 1
}

func warpLayoutOn(m, k int) uint32 { return uint32(m) | uint32(warpStride(m, k))<<16 }
