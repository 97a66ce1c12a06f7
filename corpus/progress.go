package corpus

import (
	"time"

	"github.com/topoi-lda/topoi/corpus/source"
)

// enter begins a phase of total documents.
func (im *importer) enter(phase Phase, total int64) {
	p := &im.progress
	p.docs.Store(0)
	p.tokens.Store(0)
	p.total.Store(total)
	p.phase.Store(phase)
}

// advance counts documents done in the current phase.
func (im *importer) advance(docs int, tokens int64) {
	im.progress.docs.Add(int64(docs))
	im.progress.tokens.Add(tokens)
}

// announce calls Progress twice a second until the returned function is
// called, which makes the last call.
func (im *importer) announce(start time.Time) (stop func()) {
	if im.opts.Progress == nil {
		return func() {}
	}
	im.enter(PhaseRead, 0)
	call := func() {
		p := &im.progress
		now := Progress{
			Phase: p.phase.Load().(Phase), Docs: p.docs.Load(), Tokens: p.tokens.Load(),
			TotalDocs: p.total.Load(), Elapsed: time.Since(start),
		}
		now.Bytes, now.TotalBytes = im.bytesRead()
		im.opts.Progress(now)
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(500 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				call()
			case <-done:
				call()
				return
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// bytesRead returns how much of the input has been read and how much there is,
// 0 where the source does not tell.
func (im *importer) bytesRead() (read, total int64) {
	if r, ok := im.src.(interface{ Progress() (read, total int64) }); ok {
		return r.Progress()
	}
	return 0, 0
}

// describe adds to the report what the source knows about itself.
func (im *importer) describe() {
	im.report.Bytes, _ = im.bytesRead()
	switch r := im.src.(type) {
	case *source.Reader:
		im.report.Format, im.report.Guessed = r.Format().Name, r.Guessed()
		im.report.RepeatedIDs = int64(r.Repeats())
	case *corpusSource:
		im.report.Format, im.report.Guessed, im.report.Bytes = formatCorpus, true, r.size
	}
}
