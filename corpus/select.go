package corpus

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"runtime"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/topoi-lda/topoi/corpus/internal/format"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// selection holds the documents of a view made by Select.
type selection struct {
	docs   []uint32                 // their numbers in the whole corpus
	tokens atomic.Pointer[[]uint32] // all their tokens, once they have been gathered
	once   sync.Mutex               // held while they are gathered
	file   *mapfile.File            // the file that holds tokens; nil if they are in memory
}

// Select returns the documents with the given numbers, in the order given, as a corpus over the same
// vocabulary. It is valid as long as c is. Documents without an id keep their number in c as ID;
// [Corpus.Number] returns the number of any document.
//
// The view costs 12 bytes a document, and keeps docs. It reads documents where they are in c. Only
// [Corpus.Tokens], which returns them in one piece, copies them once, with 4 bytes of memory a token.
// [Corpus.Gather] makes that copy beforehand, or in a file, and [Corpus.TokensBetween] avoids it.
func (c *Corpus) Select(docs []uint32) *Corpus {
	offsets := make([]uint64, len(docs)+1)
	numbers := docs
	if c.whole != nil {
		numbers = make([]uint32, len(docs))
	}
	for i, d := range docs {
		if int(d) >= c.NumDocs() {
			panic(fmt.Sprintf("corpus: document %d of a corpus of %d", d, c.NumDocs()))
		}
		offsets[i+1] = offsets[i] + c.offsets[d+1] - c.offsets[d]
		if c.whole != nil {
			numbers[i] = uint32(c.Number(int(d)))
		}
	}
	v := c.view(offsets, func(s Strings) Strings { return s.pick(docs) })
	v.selected = &selection{docs: numbers}
	return v
}

// MaxSelect is the largest number of documents in a corpus from which Select can choose.
const MaxSelect = math.MaxUint32

// doc returns the tokens of document d.
func (s *selection) doc(c *Corpus, d int) []uint32 {
	if t := s.tokens.Load(); t != nil {
		return (*t)[c.offsets[d]:c.offsets[d+1]]
	}
	return c.whole.Doc(int(s.docs[d]))
}

// all returns the tokens of all documents.
func (s *selection) all(c *Corpus) []uint32 {
	if t := s.tokens.Load(); t != nil {
		return *t
	}
	s.once.Lock()
	defer s.once.Unlock()
	if t := s.tokens.Load(); t != nil {
		return *t
	}
	tokens := make([]uint32, c.NumTokens())
	parallel.Runs(runtime.GOMAXPROCS(0), len(tokens), func(first, last int) {
		at := first
		_ = c.eachRun(first, last, func(run []uint32) error { // copying cannot fail
			at += copy(tokens[at:], run)
			return nil
		})
	})
	s.tokens.Store(&tokens)
	return tokens
}

// Gather copies the tokens of a selection into one piece. If path is "", the copy is in memory, else in a file
// that is created at path, loses its name at once and is memory-mapped until the selection is closed. Tokens of c
// that were read are released. Gather does nothing for a corpus that is not a selection, nor at a second call.
func (c *Corpus) Gather(path string) error {
	s := c.selected
	switch {
	case s == nil || s.tokens.Load() != nil:
		return nil
	case path == "" || c.NumTokens() == 0:
		s.all(c)
		return nil
	}
	s.once.Lock()
	defer s.once.Unlock()
	f, err := os.Create(path)
	if err != nil {
		return wholefile.Explain(path, err)
	}
	defer os.Remove(path) // the map, or the copy, outlives the name
	defer f.Close()
	w := bufio.NewWriterSize(f, format.WriteBuffer)
	err = c.eachRun(0, c.NumTokens(), func(run []uint32) error {
		_, err := w.Write(mapfile.Bytes(run))
		return err
	})
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		_, err = f.Seek(0, 0)
	}
	if err == nil {
		s.file, err = mapfile.Of(f)
	}
	if err != nil {
		return wholefile.Explain(path, err)
	}
	tokens := mapfile.View[uint32](s.file.Data)
	s.tokens.Store(&tokens)
	return nil
}

// TokensBetween returns the tokens lo, …, hi-1 of Tokens. It copies only if c is a selection that has not
// been gathered, and then only these tokens.
func (c *Corpus) TokensBetween(lo, hi int) []uint32 {
	if c.selected == nil {
		return c.tokens[lo:hi:hi]
	}
	if t := c.selected.tokens.Load(); t != nil {
		return (*t)[lo:hi:hi]
	}
	tokens := make([]uint32, 0, hi-lo)
	_ = c.eachRun(lo, hi, func(run []uint32) error {
		tokens = append(tokens, run...)
		return nil
	})
	return tokens
}

// eachRun calls f with the tokens lo, …, hi-1 of a selection without copying them, in runs of neighbouring
// documents. It releases the tokens of the whole corpus that it has passed.
func (c *Corpus) eachRun(lo, hi int, f func([]uint32) error) error {
	const most = 1 << 20 // largest number of tokens in a run, unless a document is longer
	whole, numbers := c.whole, c.selected.docs
	d := sort.Search(c.NumDocs(), func(d int) bool { return c.offsets[d+1] > uint64(lo) })
	passed := -1 // up to where tokens were released; runs can be shorter than pages
	for lo < hi {
		last := d // last document of the run
		for last+1 < c.NumDocs() && numbers[last+1] == numbers[last]+1 && c.offsets[last+1]-uint64(lo) < most {
			last++
		}
		end := min(hi, int(c.offsets[last+1]))
		begin := int(whole.offsets[numbers[d]]) + lo - int(c.offsets[d])
		stop := begin + end - lo
		if err := f(whole.tokens[begin:stop]); err != nil {
			return err
		}
		if passed < 0 || passed > begin { // the first run, or document numbers that do not rise
			passed = begin
		}
		if stop-passed > most || end == hi {
			whole.Release(passed, stop)
			passed = stop
		}
		lo, d = end, last+1
	}
	return nil
}

func (s *selection) release(lo, hi int) {
	if s.file != nil {
		s.file.Forget(mapfile.Bytes((*s.tokens.Load())[lo:hi]))
	}
}

func (s *selection) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// perDoc returns the lists that hold a string for every document, by tag, including empty lists. Views are
// made from all of them.
func (c *Corpus) perDoc() []*Strings {
	return []*Strings{&c.ids, &c.labels, &c.times, &c.titles, &c.snippets, &c.texts}
}

// view returns a corpus of other documents of c, which begin at the given offsets. pick makes their lists
// from those of c.
func (c *Corpus) view(offsets []uint64, pick func(Strings) Strings) *Corpus {
	v := newCorpus(Corpus{offsets: offsets, words: c.words, pipeline: c.pipeline, whole: c.Whole()})
	lists := v.perDoc()
	for i, list := range c.perDoc() {
		if list.Len() > 0 {
			*lists[i] = pick(*list)
		}
	}
	for _, d := range c.columns {
		if d.list.Len() > 0 {
			d.list = pick(d.list)
		}
		v.columns = append(v.columns, d)
	}
	return v
}

// Docs returns the documents lo, …, hi-1 as a corpus over the same vocabulary. It shares the memory of c and
// is valid as long as c is; closing it does nothing. Documents without an id keep their number in c as ID.
//
// A view that begins with document 0 costs nothing; any other view copies its hi-lo+1 offsets. A view that
// is saved becomes a normal corpus and counts its documents from 0.
func (c *Corpus) Docs(lo, hi int) *Corpus {
	if lo < 0 || hi < lo || hi > c.NumDocs() {
		panic(fmt.Sprintf("corpus: documents %d to %d of a corpus of %d", lo, hi, c.NumDocs()))
	}
	if c.selected != nil {
		return c.Whole().Select(c.selected.docs[lo:hi:hi])
	}
	offsets := c.offsets[lo : hi+1]
	begin, end := offsets[0], offsets[hi-lo]
	if begin > 0 {
		offsets = append([]uint64(nil), offsets...)
		for i := range offsets {
			offsets[i] -= begin
		}
	}
	v := c.view(offsets, func(s Strings) Strings { return s.slice(lo, hi) })
	v.tokens, v.first = c.tokens[begin:end:end], c.first+lo
	return v
}

// Whole returns the corpus that c is a view of, or c itself.
func (c *Corpus) Whole() *Corpus {
	if c.whole != nil {
		return c.whole
	}
	return c
}

// Release tells the system that the tokens lo, …, hi-1 will not be read soon. If the corpus was opened from
// a file, they then no longer count as memory in use. They can still be read.
func (c *Corpus) Release(lo, hi int) {
	if c.selected != nil {
		c.selected.release(lo, hi)
		return
	}
	if file := c.Whole().file; file != nil {
		file.Forget(mapfile.Bytes(c.tokens[lo:hi]))
	}
}
