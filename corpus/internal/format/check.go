package format

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/mapfile"
)

// largeBytes is the size from which a section's pages are released after reading, so that opening a large
// corpus takes no memory.
const largeBytes = 64 << 20

// Fault returns the error about a section whose checksum does not match.
func Fault(s Section) error {
	return fmt.Errorf("the checksum of section %q does not match", s.Name)
}

// DigestForgetting does what DigestOf does, and calls forget for the bytes of large sections that it has read.
func DigestForgetting(b []byte, forget func([]byte)) Digest {
	if len(b) < largeBytes {
		return DigestOf(b)
	}
	hash := xxh3.New()
	for piece := range slices.Chunk(b, 4<<20) {
		hash.Write(piece)
		forget(piece)
	}
	return hash.Sum128().Bytes()
}

// spanTokens is about how many tokens are hashed, and then checked, at a time.
const spanTokens = 1 << 20

// CheckTokens checks that offsets rise from 0 to len(tokens) and that each document's tokens are sorted and
// below v. The error names the first fault of the first document that has one. CheckTokens returns the
// checksum of raw, the bytes of the tokens. One goroutine hashes them piece by piece and others check what
// was hashed, so that tokens are read from the disk once.
func CheckTokens(offsets []uint64, tokens []uint32, raw []byte, v uint32, forget func([]byte)) (Digest, error) {
	if offsets[0] != 0 || offsets[len(offsets)-1] != uint64(len(tokens)) || !slices.IsSorted(offsets) {
		return Digest{}, fmt.Errorf("the offsets of its documents do not increase from 0 to %d", len(tokens))
	}
	spans := spansOf(offsets)
	faults := make([]error, len(spans))
	todo := make(chan int, len(spans)) // never full
	var group guard.Group
	for range min(runtime.GOMAXPROCS(0), len(spans)) {
		group.Go(func() {
			for i := range todo {
				lo, hi := spans[i][0], spans[i][1]
				faults[i] = checkDocs(offsets[lo:hi+1], tokens, v, lo)
				if len(raw) >= largeBytes {
					forget(mapfile.Bytes(tokens[offsets[lo]:offsets[hi]]))
				}
			}
		})
	}
	hash := xxh3.New()
	func() {
		defer close(todo)
		for i, s := range spans {
			hash.Write(raw[4*offsets[s[0]] : 4*offsets[s[1]]])
			todo <- i
		}
	}()
	group.Wait()
	for _, err := range faults {
		if err != nil {
			return Digest{}, err
		}
	}
	return hash.Sum128().Bytes(), nil
}

// spansOf cuts documents into runs of about spanTokens tokens.
func spansOf(offsets []uint64) (spans [][2]int) {
	first, docs := 0, len(offsets)-1
	for d := range docs {
		if offsets[d+1]-offsets[first] >= spanTokens || d == docs-1 {
			spans = append(spans, [2]int{first, d + 1})
			first = d + 1
		}
	}
	return spans
}

// checkDocs is CheckTokens for the documents between the given offsets; first is the number of the first
// one. The inner loop collects faults without branching.
func checkDocs(offsets []uint64, tokens []uint32, v uint32, first int) error {
	for i := range len(offsets) - 1 {
		doc := tokens[offsets[i]:offsets[i+1]]
		unsorted, last := uint64(0), uint32(0)
		for _, w := range doc {
			unsorted |= uint64(w) - uint64(last) // borrows into the upper half if w < last
			last = w
		}
		if unsorted>>32 != 0 {
			return fmt.Errorf("the tokens of document %d are not sorted", first+i)
		}
		if len(doc) > 0 && last >= v {
			return fmt.Errorf("document %d holds word %d of a vocabulary of %d", first+i, last, v)
		}
	}
	return nil
}
