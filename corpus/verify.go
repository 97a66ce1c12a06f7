package corpus

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/mapfile"
)

// largeBytes is the size from which what was read of a section is forgotten again, so
// that opening a large corpus takes no memory.
const largeBytes = 64 << 20

// prove checks the tokens and compares the checksum of every section with its content.
// Faults of the structure come first: they say more.
func (d *decoder) prove(c *Corpus, forget func([]byte)) error {
	own := slices.IndexFunc(d.header.sections, func(s section) bool { return s.name == sectionTokens })
	digests := make([]digest, len(d.header.sections))
	var group guard.Group
	for i, s := range d.header.sections {
		if i != own {
			group.Go(func() { digests[i] = digestForgetting(d.file[s.offset:s.offset+s.size], forget) })
		}
	}
	var err error
	digests[own], err = checkTokens(c.offsets, c.tokens, d.bytes(sectionTokens), uint32(min(d.header.words, 1<<32-1)), forget)
	group.Wait()
	for i, s := range d.header.sections {
		if err == nil && digests[i] != s.digest {
			err = sectionFault(s)
		}
	}
	return err
}

func sectionFault(s section) error {
	return fmt.Errorf("the checksum of section %q does not match", s.name)
}

// digestForgetting is digestOf that takes no memory for large sections.
func digestForgetting(b []byte, forget func([]byte)) digest {
	if len(b) < largeBytes {
		return digestOf(b)
	}
	hash := xxh3.New()
	for piece := range slices.Chunk(b, 4<<20) {
		hash.Write(piece)
		forget(piece)
	}
	return hash.Sum128().Bytes()
}

// spanTokens is about how many tokens are hashed, then checked, at a time.
const spanTokens = 1 << 20

// checkTokens checks that offsets rise from 0 to len(tokens) and that each document's
// tokens are sorted and below v. The error names the first fault of the first document
// that has one. It returns the checksum of raw, the bytes of the tokens: one goroutine
// hashes them piece by piece, others check what was hashed, so that tokens come from the
// disk once.
func checkTokens(offsets []uint64, tokens []uint32, raw []byte, v uint32, forget func([]byte)) (digest, error) {
	if offsets[0] != 0 || offsets[len(offsets)-1] != uint64(len(tokens)) || !slices.IsSorted(offsets) {
		return digest{}, fmt.Errorf("the offsets of its documents do not rise from 0 to %d", len(tokens))
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
			return digest{}, err
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

// checkDocs is checkTokens for the documents that offsets delimits, the first
// of which has number first. The inner loop gathers faults without branching.
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

// Verify compares every checksum of the file behind c, or of the file it is a view of,
// with its content again, which reads the whole file: [Open] has done so already, and
// the file may have changed since. A corpus in memory has nothing to compare and is fine.
func (c *Corpus) Verify() (err error) {
	c = c.Whole()
	if c.file == nil {
		return nil
	}
	defer guard.Files(&err)()
	h, err := decodeHeader(c.file.Data)
	if err == nil && !slices.Equal(h.sections, c.sections) {
		err = fmt.Errorf("%w: it holds something else than when it was opened", ErrDamaged)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.path, err)
	}
	wrong := make([]bool, len(h.sections))
	var group guard.Group
	for i, s := range h.sections {
		group.Go(func() {
			wrong[i] = digestForgetting(c.file.Data[s.offset:s.offset+s.size], c.file.Forget) != s.digest
		})
	}
	group.Wait()
	if i := slices.Index(wrong, true); i >= 0 {
		return fmt.Errorf("%s: %w: %w; copy or import it again", c.path, ErrDamaged, sectionFault(h.sections[i]))
	}
	return nil
}

// Unchanged returns an error that wraps [ErrChanged] if the file behind c was written to since
// it was opened and no longer holds the same. It looks at size and time first, and
// costs nothing while they are as they were.
func (c *Corpus) Unchanged() error {
	c = c.Whole()
	if c.file == nil {
		return nil
	}
	change, accept := c.file.Changed()
	if change != mapfile.Altered {
		return nil
	}
	if err := c.Verify(); err != nil {
		if errors.Is(err, guard.ErrFileLost) {
			return err
		}
		return fmt.Errorf("%w: %w", ErrChanged, err)
	}
	accept()
	return nil
}

// Replaced says whether the name of the file behind c has come to mean another file since
// it was opened, or none: c is what was opened.
func (c *Corpus) Replaced() bool {
	file := c.Whole().file
	if file == nil {
		return false
	}
	change, _ := file.Changed()
	return change == mapfile.Replaced
}
