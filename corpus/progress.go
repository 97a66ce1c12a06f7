package corpus

import (
	"sync/atomic"
	"time"
)

// Phase names a part of an import.
type Phase string

// The phases of an import, in order, and that of [Generate].
const (
	PhaseRead     Phase = "read"     // reading documents and counting words
	PhasePhrases  Phase = "phrases"  // finding phrases, then joining them
	PhaseWrite    Phase = "write"    // numbering words and writing the corpus
	PhaseGenerate Phase = "generate" // drawing documents and writing them
)

// Progress tells how far an import has come.
type Progress struct {
	Phase      Phase
	Docs       int64 // documents done in this phase
	Tokens     int64 // tokens in them
	TotalDocs  int64 // documents to do in this phase, 0 while reading
	Bytes      int64 // bytes of input read so far, as stored (compressed)
	TotalBytes int64 // bytes of input in all, 0 when not known
	Elapsed    time.Duration
}

// meter counts what is done and tells it twice a second.
type meter struct {
	tell  func(Progress)             // nil: nobody wants to know
	bytes func() (read, total int64) // nil: not known
	start time.Time

	phase               atomic.Value // Phase
	docs, tokens, total atomic.Int64
}

// enter begins a phase of total documents.
func (m *meter) enter(phase Phase, total int64) {
	m.docs.Store(0)
	m.tokens.Store(0)
	m.total.Store(total)
	m.phase.Store(phase)
}

// advance counts documents done in the current phase.
func (m *meter) advance(docs int, tokens int64) {
	m.docs.Add(int64(docs))
	m.tokens.Add(tokens)
}

// run tells until the returned function is called, which tells once more.
func (m *meter) run(first Phase) (stop func()) {
	m.start = time.Now()
	m.enter(first, 0)
	if m.tell == nil {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(500 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				m.tell(m.now())
			case <-done:
				m.tell(m.now())
				return
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

func (m *meter) now() Progress {
	p := Progress{
		Phase: m.phase.Load().(Phase), Docs: m.docs.Load(), Tokens: m.tokens.Load(),
		TotalDocs: m.total.Load(), Elapsed: time.Since(m.start),
	}
	if m.bytes != nil {
		p.Bytes, p.TotalBytes = m.bytes()
	}
	return p
}
