package corpus

import (
	"bufio"
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

// selection holds the tokens of a view made by Select.
type selection struct {
	docs    []uint32                           // numbers of the documents in the whole corpus
	offsets []uint64                           // where they begin among the tokens of the selection
	from    []uint64                           // where documents begin in whole
	whole   []uint32                           // tokens of the whole corpus; nil if they are elsewhere
	read    func(lo, hi int) ([]uint32, error) // tokens of the whole corpus
	passed  func(lo, hi int)                   // releases tokens of whole
	file    *mapfile.File                      // the file that holds the selection's tokens; nil if they are in memory
	once    sync.Mutex                         // held while they are gathered
	tokens  atomic.Pointer[[]uint32]           // all of them, once they have been gathered
}

// doc returns the tokens of document d.
func (s *selection) doc(d int) []uint32 {
	if t := s.tokens.Load(); t != nil {
		return (*t)[s.offsets[d]:s.offsets[d+1]]
	}
	return s.whole[s.from[s.docs[d]]:s.from[s.docs[d]+1]]
}

func (s *selection) size() int { return int(s.offsets[len(s.docs)]) }

// all returns the tokens of all documents.
func (s *selection) all() []uint32 {
	if t := s.tokens.Load(); t != nil {
		return *t
	}
	s.once.Lock()
	defer s.once.Unlock()
	if t := s.tokens.Load(); t != nil {
		return *t
	}
	tokens := make([]uint32, s.size())
	parallel.Runs(runtime.GOMAXPROCS(0), len(tokens), func(first, last int) {
		at := first
		_ = s.eachRun(first, last, func(run []uint32) error { // copying cannot fail
			at += copy(tokens[at:], run)
			return nil
		})
	})
	s.tokens.Store(&tokens)
	return tokens
}

// between returns tokens lo, …, hi-1. It copies them unless they have been gathered.
func (s *selection) between(lo, hi int) []uint32 {
	if t := s.tokens.Load(); t != nil {
		return (*t)[lo:hi:hi]
	}
	tokens := make([]uint32, 0, hi-lo)
	_ = s.eachRun(lo, hi, func(run []uint32) error {
		tokens = append(tokens, run...)
		return nil
	})
	return tokens
}

// gather copies the tokens into memory if path is "", else into a file without a name.
func (s *selection) gather(path string) error {
	switch {
	case s.tokens.Load() != nil:
		return nil
	case s.whole == nil: // elsewhere
		tokens := make([]uint32, 0, s.size())
		err := s.eachRun(0, s.size(), func(run []uint32) error { tokens = append(tokens, run...); return nil })
		s.tokens.Store(&tokens)
		return err
	case path == "" || s.size() == 0:
		s.all()
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
	err = s.eachRun(0, s.size(), func(run []uint32) error {
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

// eachRun calls f with tokens lo, …, hi-1 without copying them, in runs of neighbouring documents. It
// releases the tokens of the whole corpus that it has passed.
func (s *selection) eachRun(lo, hi int, f func([]uint32) error) error {
	const most = 1 << 20 // largest number of tokens in a run, unless a document is longer
	docs := len(s.docs)
	d := sort.Search(docs, func(d int) bool { return s.offsets[d+1] > uint64(lo) })
	passed := -1 // up to where tokens were released; runs can be shorter than pages
	for lo < hi {
		last := d // last document of the run
		for last+1 < docs && s.docs[last+1] == s.docs[last]+1 && s.offsets[last+1]-uint64(lo) < most {
			last++
		}
		end := min(hi, int(s.offsets[last+1]))
		begin := int(s.from[s.docs[d]]) + lo - int(s.offsets[d])
		stop := begin + end - lo
		run, err := s.read(begin, stop)
		if err == nil {
			err = f(run)
		}
		if err != nil {
			return err
		}
		if passed < 0 || passed > begin { // the first run, or document numbers that do not rise
			passed = begin
		}
		if stop-passed > most || end == hi {
			s.passed(passed, stop)
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
