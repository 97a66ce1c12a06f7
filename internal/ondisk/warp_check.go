package ondisk

import (
	"fmt"
	"os"

	"github.com/topoi-lda/topoi/internal/sampler"
)

// A resumed run reads files that may be damaged, or wrong in spite of their checksums. The checks
// below cover all that memory safety and the sums of the model depend on: every token of a block is
// in exactly one segment and has a place of its own, and topics are below K.

// addUp reports whether the sizes are not negative and add up to n.
func addUp(sizes []int, n int) bool {
	for _, size := range sizes {
		if size < 0 || size > n {
			return false
		}
		n -= size
	}
	return n == 0
}

// checkSlices checks all slices of the vocabulary, and that together they contain every token of
// every block: in a block, each slice begins where the one before ends.
func (s *streamed) checkSlices() error {
	next := make([]uint32, s.plan.Blocks())
	for i := range len(s.slices) - 1 {
		d := &s.workers[0]
		if err := s.readSlice(d, i, nil); err != nil {
			return err
		}
		if err := d.slice.follow(next); err != nil {
			return fmt.Errorf("%s: %w: %w", s.sliceFile(i), ErrDamaged, err)
		}
	}
	for b, n := range next {
		if want := s.plan.Span(b, b+1).Tokens(); int(n) != want {
			return fmt.Errorf("%s: %w: words have %d tokens in block %d, which has %d", s.dir, ErrDamaged, n, b, want)
		}
	}
	return nil
}

// checkBlocks checks the places and tokens of all blocks, and counts n_k.
func (s *streamed) checkBlocks() error {
	if err := s.readAllSums(); err != nil {
		return err
	}
	f, err := s.openTokens()
	if err != nil {
		return err
	}
	defer f.Close()
	err = s.eachBlock(s.p.Threads, f, nil, func(g int, b *sampler.TokenBlock) error {
		if err := b.CheckPlaces(); err != nil {
			return fmt.Errorf("%s: %w: block %d: %w", s.placesFile(), ErrDamaged, b.Number, err)
		}
		if err := s.phases.Count(g, b); err != nil {
			return fmt.Errorf("%s: %w: block %d: %w", f.Name(), ErrDamaged, b.Number, err)
		}
		return nil
	})
	s.nk = s.phases.Totals()
	return err
}

// readAllSums reads the checksums of places and tokens.
func (s *streamed) readAllSums() error {
	places, err := os.Open(s.placesFile())
	if err != nil {
		return fmt.Errorf("cannot read the state of the run: %w", err)
	}
	defer places.Close()
	if s.placeSums, err = readSums(places, placesBytes(s.p.N()), s.plan.Blocks()); err != nil {
		return err
	}
	f, err := s.openTokens()
	if err != nil {
		return err
	}
	defer f.Close()
	s.sums, err = readSums(f.File, f.n*f.record, s.plan.Blocks())
	return err
}
