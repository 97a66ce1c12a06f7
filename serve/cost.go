package serve

import (
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
)

// Upper bounds on the bytes of pieces of answers, beside the texts in them. A text of n bytes takes at most escaped × n
// in JSON.
const (
	docBytes    = 160 // a document's line without its topics
	shareBytes  = 80  // a topic of a document without its label
	wordBytes   = 96  // a word of a document with its topic, or a top word of a topic
	similarFrom = 160 // a training document without its texts
	tensorBytes = 32  // a share in a tensor, as a number and as text
	escaped     = 6
)

// afford takes the memory of an answer from the budget of all requests, before any work for it begins. It refuses an
// answer that may have more bytes than one may have. The caller must call release.
func (s *Server) afford(bytes int64, advice string) (release func(), err error) {
	if bytes > s.limits.Answer {
		return func() {}, tooLarge("the answer may have %s, and %s are the limit: %s",
			human.Bytes(bytes), human.Bytes(s.limits.Answer), advice)
	}
	if !s.buffered.TryAcquire(bytes) {
		return func() {}, busy(s.queue.retryAfter())
	}
	return func() { s.buffered.Release(bytes) }, nil
}

// topicsCost returns the most bytes of the topics of a document.
func (v *version) topicsCost(p *params) int64 {
	topics := v.topics
	if p.top > 0 {
		topics = min(topics, p.top)
	}
	if p.minTheta > 0 { // no more shares than these fit into 1
		topics = int(min(float64(topics), 1+1/p.minTheta))
	}
	return int64(topics) * (shareBytes + escaped*int64(v.label()))
}

// lineCost returns the most bytes of the answer for a document.
func (d *document) lineCost(p *params, topics int64) int64 {
	cost := docBytes + topics + escaped*int64(len(d.id)+len(d.label)+len(d.time))
	if p.words { // a word has a letter and something behind it
		cost += (wordBytes/2 + escaped) * int64(d.bytes())
	}
	return cost
}

// answerCost returns the most bytes of the answer for documents.
func (v *version) answerCost(p *params, docs []document) (cost int64) {
	topics := v.topicsCost(p)
	for i := range docs {
		cost += docs[i].lineCost(p, topics)
	}
	return cost
}

// longestLabel returns the length of the longest name of a topic.
func (v *version) longestLabel() (most int) {
	labels, _ := v.model.Labels() // answers have no names then
	for _, name := range labels.Names {
		most = max(most, len(name))
	}
	return most
}

// longestDoc returns the most bytes of texts that an answer shows of a training document.
func longestDoc(docs *corpus.Corpus) (most int) {
	for d := range docs.NumDocs() {
		most = max(most, len(docs.ID(d))+len(docs.Label(d))+len(docs.Time(d))+len(docs.Title(d))+len(docs.Snippet(d)))
	}
	return most
}
