package counts

import (
	"fmt"
	"math"
	"strconv"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// MaxWordID is the largest word id that formats without a declared vocabulary
// may use; more are a mistake, and would claim memory for all ids below.
const MaxWordID = 1<<31 - 2

// Count parses a number of occurrences: a whole number, also written as a real
// one ("2.0"). Other reals are rounded, halves to even, if round is set.
func Count(in *input.Scanner, b []byte, round bool) (uint32, error) {
	if v, ok := input.Digits(b); ok {
		if v > math.MaxUint32 {
			return 0, in.Errorf("count %s is larger than %d", b, uint32(math.MaxUint32)).WithHint("check the file")
		}
		return uint32(v), nil
	}
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		v = math.NaN()
	}
	c, fault := wholeCount(v, b, round)
	if fault != nil {
		fault.File, fault.Line = in.Name, in.Line
		return 0, fault
	}
	return c, nil
}

// wholeCount makes a count of a real number, which shown stands for in the message; the caller adds where it is.
func wholeCount(v float64, shown []byte, round bool) (uint32, *input.Error) {
	const what = "expected how often the word occurs"
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, &input.Error{Msg: fmt.Sprintf("count is %s, which is not a number", input.Quote(shown)), Hint: what}
	case v < 0:
		return 0, &input.Error{Msg: fmt.Sprintf("count %s is negative", shown), Hint: what}
	case v != math.Trunc(v) && !round:
		return 0, &input.Error{
			Msg:  fmt.Sprintf("count %s is not a whole number", shown),
			Hint: "topic models need counts: use the matrix before any weighting, or round with Options.Round",
		}
	case v > math.MaxUint32:
		return 0, &input.Error{
			Msg:  fmt.Sprintf("count %s is larger than %d", shown, uint32(math.MaxUint32)),
			Hint: "check the file",
		}
	}
	return uint32(math.RoundToEven(v)), nil
}

// Names numbers words in the order in which they first occur.
type Names struct {
	ids   map[string]uint32
	Words []string
}

func NewNames() *Names { return &Names{ids: make(map[string]uint32)} }

func (n *Names) ID(word []byte) uint32 {
	if id, ok := n.ids[string(word)]; ok {
		return id
	}
	id, w := uint32(len(n.Words)), string(word)
	n.ids[w] = id
	n.Words = append(n.Words, w)
	return id
}

// Bag collects the entries of one document.
type Bag struct{ Words, Counts []uint32 }

func (b *Bag) Reset() { b.Words, b.Counts = b.Words[:0], b.Counts[:0] }

// Add appends an entry; a count of zero leaves no trace.
func (b *Bag) Add(word, count uint32) {
	if count > 0 {
		b.Words, b.Counts = append(b.Words, word), append(b.Counts, count)
	}
}
