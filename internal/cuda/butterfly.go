package cuda

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/topoi-lda/topoi/internal/rng"
)

// ButterflyOptions say what TimeButterfly measures. The zero value is the
// experiment of Steele and Tristan 2017, Figure 7.
type ButterflyOptions struct {
	K          []int  // numbers of topics; default 4, 8, …, 1024
	Documents  int    // default 43,556, as their Wikipedia corpus, and so the next three
	Vocabulary int    // default 37,286
	Tokens     int    // default 3,072,662
	Longest    int    // tokens of the longest document; default 307
	Runs       int    // timed launches of each, of which the median counts; default 5
	Seed       uint64 // of the corpus, θ, φ and the draws
	// Progress, if set, is given each row when it is measured.
	Progress func(ButterflyRow)
}

func (o ButterflyOptions) withDefaults() ButterflyOptions {
	if len(o.K) == 0 {
		for k := 4; k <= 1024; k += 4 {
			o.K = append(o.K, k)
		}
	}
	o.Documents = cmp.Or(o.Documents, 43556)
	o.Vocabulary = cmp.Or(o.Vocabulary, 37286)
	o.Tokens = cmp.Or(o.Tokens, 3072662)
	o.Longest = cmp.Or(o.Longest, 307)
	o.Runs = cmp.Or(o.Runs, 5)
	return o
}

// Validate returns all faults at once.
func (o ButterflyOptions) Validate() error {
	o = o.withDefaults()
	var faults []error
	for _, k := range o.K {
		if k < 1 {
			faults = append(faults, fmt.Errorf("%d topics: at least 1 is needed", k))
		}
	}
	for name, n := range map[string]int{"documents": o.Documents, "words": o.Vocabulary, "tokens": o.Tokens, "runs": o.Runs} {
		if n < 1 {
			faults = append(faults, fmt.Errorf("%d %s: at least 1 is needed", n, name))
		}
	}
	if o.Tokens < o.Documents || o.Tokens > o.Documents*o.Longest {
		faults = append(faults, fmt.Errorf("%d documents of 1 to %d tokens cannot have %d tokens", o.Documents, o.Longest, o.Tokens))
	}
	slices.SortFunc(faults, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return errors.Join(faults...)
}

// ButterflyRow is one point of the three curves in one precision.
type ButterflyRow struct {
	K      int
	Bits   int              // of the floating-point numbers: 32 or 64
	Time   [3]time.Duration // of drawing all topics once, by DrawMethod
	Differ int              // tokens to which Butterfly gives another topic than Baseline, by rounding
}

// TimeButterfly times the three methods for each K in both precisions, on a
// made-up corpus of Zipf-distributed words with documents sorted by length. It
// checks first that Baseline and Transposed give the same topics.
func TimeButterfly(c *Context, o ButterflyOptions) ([]ButterflyRow, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	s, err := c.NewStream()
	if err != nil {
		return nil, err
	}
	defer s.Close()
	offsets, words := o.corpus()
	var rows []ButterflyRow
	for _, measure := range []func(*Stream, ButterflyOptions, int, []uint32, []uint32) (ButterflyRow, error){
		timeDraws[float32], timeDraws[float64],
	} {
		for _, k := range o.K {
			row, err := measure(s, o, k, offsets, words)
			if err != nil {
				return rows, err
			}
			rows = append(rows, row)
			if o.Progress != nil {
				o.Progress(row)
			}
		}
	}
	return rows, nil
}

// Purposes of random numbers in the experiment.
const (
	purposeDraw rng.Purpose = iota
	purposeTheta
	purposePhi
	purposeLength
	purposeWord
)

// timeDraws measures one row.
func timeDraws[T Float](s *Stream, o ButterflyOptions, K int, offsets, words []uint32) (row ButterflyRow, err error) {
	row = ButterflyRow{K: K, Bits: 32}
	if suffix[T]() == "_f64" {
		row.Bits = 64
	}
	d, err := NewDraws[T](s, K, o.Vocabulary, offsets, words)
	if err != nil {
		return row, err
	}
	defer func() { err = errors.Join(err, d.Free()) }()
	key := rng.NewKey(o.Seed)
	if err := errors.Join(FillUniformAsync(s, d.Theta, key, purposeTheta, 0), FillUniformAsync(s, d.Phi, key, purposePhi, 0)); err != nil {
		return row, err
	}
	var topics [3][]uint32
	for _, method := range DrawMethods { // the check, and the warm-up of the timing
		topics[method] = make([]uint32, len(words))
		err := errors.Join(FillAsync(s, d.Topics, math.MaxUint32), d.DrawAsync(s, method, key, 0, purposeDraw), d.Topics.Download(s, topics[method]))
		if err != nil {
			return row, err
		}
	}
	if n := countDifferences(topics[Baseline], topics[Transposed]); n > 0 {
		return row, fmt.Errorf("cuda: with K = %d (%d bits) baseline and transposed draws differ in %d tokens", K, row.Bits, n)
	}
	row.Differ = countDifferences(topics[Baseline], topics[Butterfly])
	for _, method := range DrawMethods {
		row.Time[method], err = s.median(o.Runs, func(run int) error {
			return d.DrawAsync(s, method, key, uint32(run), purposeDraw)
		})
		if err != nil {
			return row, err
		}
	}
	return row, nil
}

// median times what enqueue puts into the stream, once per run, by events.
func (s *Stream) median(runs int, enqueue func(run int) error) (time.Duration, error) {
	start, err := s.ctx.NewEvent()
	if err != nil {
		return 0, err
	}
	defer start.Close()
	end, err := s.ctx.NewEvent()
	if err != nil {
		return 0, err
	}
	defer end.Close()
	times := make([]time.Duration, runs)
	for i := range times {
		err := s.ctx.Run(func() error {
			return errors.Join(start.Record(s), enqueue(i), end.Record(s), end.Wait())
		})
		if err != nil {
			return 0, err
		}
		if times[i], err = end.Since(start); err != nil {
			return 0, err
		}
	}
	slices.Sort(times)
	return times[runs/2], nil
}

func countDifferences(a, b []uint32) int {
	n := 0
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// corpus makes the corpus up: exponentially distributed lengths, cut off at the
// longest and evened out to the number of tokens, longest first so that the
// documents of a warp are of like length; words with probability ∝ 1/rank.
func (o ButterflyOptions) corpus() (offsets, words []uint32) {
	key := rng.NewKey(o.Seed)
	lengths := make([]int, o.Documents)
	total := 0
	mean := float64(o.Tokens) / float64(o.Documents)
	for m := range lengths {
		x := key.Block(uint32(m), 0, uint32(purposeLength), 0)
		lengths[m] = min(1+int(-mean*math.Log1p(-rng.Float64(x[0], x[1]))), o.Longest)
		total += lengths[m]
	}
	for m := 0; total != o.Tokens; m = (m + 1) % len(lengths) {
		switch {
		case total < o.Tokens && lengths[m] < o.Longest:
			lengths[m]++
			total++
		case total > o.Tokens && lengths[m] > 1:
			lengths[m]--
			total--
		}
	}
	slices.SortFunc(lengths, func(a, b int) int { return b - a })
	offsets = make([]uint32, 1, len(lengths)+1)
	for _, n := range lengths {
		offsets = append(offsets, offsets[len(offsets)-1]+uint32(n))
	}
	words = make([]uint32, o.Tokens)
	logV := math.Log(float64(o.Vocabulary + 1))
	for i := range words {
		x := key.Block(uint32(i), 0, uint32(purposeWord), 0)
		words[i] = min(uint32(math.Exp(rng.Float64(x[0], x[1])*logV))-1, uint32(o.Vocabulary-1))
	}
	return offsets, words
}
