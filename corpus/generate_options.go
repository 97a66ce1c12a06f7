package corpus

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/machine"
)

// GenerateOptions size a synthetic corpus. The zero value makes a small one.
type GenerateOptions struct {
	Docs       int     // D. Default: 10,000
	Words      int     // V. Default: 10,000
	MeanLength float64 // mean number of tokens in a document. Default: 100
	Topics     int     // K of the true model, at most 65,536. Default: 100
	Seed       uint64  // chooses topics and documents

	// AlphaSum is Σα of the documents' Dirichlet prior over topics: a document
	// of n tokens has about AlphaSum · ln(1 + n/AlphaSum) topics. Default: 5.
	AlphaSum float64

	// BetaSum is Σβ of the topics' Dirichlet prior over words, whose mean is
	// Zipf's law: small values make topics of few words. Default: 500.
	BetaSum float64

	Threads  int            // documents made at once; 0 means all cores. It never changes the result
	Progress func(Progress) // called at least once a second when set; calls never overlap
}

// WithDefaults returns o with every default filled in.
func (o GenerateOptions) WithDefaults() GenerateOptions {
	o.Docs = cmp.Or(o.Docs, 10_000)
	o.Words = cmp.Or(o.Words, 10_000)
	o.MeanLength = cmp.Or(o.MeanLength, 100)
	o.Topics = cmp.Or(o.Topics, 100)
	o.AlphaSum = cmp.Or(o.AlphaSum, 5)
	o.BetaSum = cmp.Or(o.BetaSum, 500)
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	return o
}

// Validate returns all faults of the options at once, or nil.
func (o GenerateOptions) Validate() error {
	o = o.WithDefaults()
	var faults []error
	inRange := func(name string, x, lo, hi float64) {
		if !(x >= lo && x <= hi) {
			faults = append(faults, fmt.Errorf("the %s is %v; it must be between %.14g and %.14g", name, x, lo, hi))
		}
	}
	inRange("number of documents", float64(o.Docs), 1, 1<<40)
	inRange("number of words", float64(o.Words), 1, 1<<28)
	inRange("mean length of documents", o.MeanLength, 1, 1<<24)
	inRange("number of topics", float64(o.Topics), 1, 1<<16)
	inRange("sum of α", o.AlphaSum, 0.001, 1<<20)
	inRange("sum of β", o.BetaSum, 0.001, 1<<20)
	inRange("number of threads", float64(o.Threads), 1, 1<<16)
	return errors.Join(faults...)
}

// bytes estimates the size of the corpus file: four bytes a token, and an offset for every
// document, which is held in a temporary file, too.
func (o GenerateOptions) bytes() float64 {
	return float64(o.Docs)*(4*o.MeanLength+16) + 16*float64(o.Words)
}

// fits refuses a corpus that is larger than the room in dir, before anything is written.
func (o GenerateOptions) fits(dir string) error {
	free, known := machine.DiskFree(dir)
	if !known || o.bytes() <= float64(free) {
		return nil
	}
	return fmt.Errorf("the corpus would take about %s, and %s has room for %s: ask for fewer or shorter documents, or write elsewhere",
		human.Bytes(int64(min(o.bytes(), math.MaxInt64/2))), dir, human.Bytes(int64(min(free, math.MaxInt64/2))))
}

// lengths draws document lengths from a log-normal law. Quantiles are
// tabulated and rounded to 2^-16, far coarser than machines differ in computing
// exponentials, so that lengths are the same everywhere.
type lengths struct {
	mean     float64
	quantile [lengthSteps]uint64 // in units of 2^-16 of the mean
}

const (
	lengthSteps  = 4096
	lengthSpread = 0.6 // standard deviation of the logarithm, as in collections of papers or news
)

func newLengths(mean float64) *lengths {
	l := &lengths{mean: mean}
	for i := range l.quantile {
		p := (float64(i) + 0.5) / lengthSteps
		z := math.Sqrt2 * math.Erfinv(2*p-1) // normal quantile
		l.quantile[i] = uint64(math.Round(65536 * math.Exp(lengthSpread*z-lengthSpread*lengthSpread/2)))
	}
	return l
}

// draw returns a length of at least 1 for a random word: the quantile that its
// upper 12 bits choose, rounded up or down by its lower 20.
func (l *lengths) draw(x uint32) int {
	exact := float64(float64(l.quantile[x>>20]) * (l.mean / 65536)) // rounded here on every machine
	whole := math.Floor(exact)
	if float64(x&(1<<20-1)) < float64(exact-whole)*(1<<20) {
		whole++
	}
	return max(1, int(whole))
}
