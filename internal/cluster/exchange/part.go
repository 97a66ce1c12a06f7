package exchange

import (
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// localPart is a part that this worker has. Only the worker changes it; a sampler reads it during a round.

type localPart struct {
	*protocol.Part               // how far it is
	part           *sampler.Part // its tokens and their topics
	place          []uint32      // V: 1 + the number of a word in the part, 0 for others; nil where rows are apart
	totals         []uint64      // K: n_k of its own tokens; nil unless rows are apart

	// recent has the part's changes of the last rounds, oldest first: as many rounds as the staleness, or fewer at
	// the beginning. They are what the part sees of itself beside the model. The solo part of a model needs none.
	recent   []*rows.ChangeSet
	recentTo int // the last round in recent, -1 for none. Unless it is the part's round, recent is read again

	size int // bytes of the largest blob of changes in the last round
}

// local returns what this worker has of a part.

// load takes up a part where the last barrier left it.

// topicsAt returns the topics of a part's tokens where the last barrier, or a checkpoint, left them, or draws the

// first ones.

// skip passes a round in which a part has nothing to do.

// sampleRound moves the tokens of a part.

// seenBy returns the model as a part sees it: with its own changes since.

// tokenTotals counts n_k of a part's tokens.

func (p *localPart) tokenTotals(topics int) []uint64 {
	totals := make([]uint64, topics)
	_ = p.part.EachTopics(func(z []uint32) error {
		for _, k := range z {
			totals[k]++
		}
		return nil
	})
	return totals
}

// next appends an empty change set for a round to recent and returns it. With as many as the staleness, the oldest is

// reused: the model has its changes by now.

func (p *localPart) next(staleness, round, words, topics int) *rows.ChangeSet {
	var own *rows.ChangeSet
	if len(p.recent) < staleness {
		own = rows.NewChangeSet(words, topics)
	} else {
		own, p.recent = p.recent[0], p.recent[1:]
		own.Clear()
	}
	p.recent = append(p.recent, own)
	p.recentTo = round
	return own
}

// recall fills recent from the store with the changes of the part that the model of its next round does not have. That

// is needed where a part begins at a barrier, and where it was the solo part until now.

// placed returns how many words' places in blobs are kept with the changes of a part.
