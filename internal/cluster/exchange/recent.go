package exchange

import (
	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
)

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
func (x *core) recall(p *localPart) error {
	if p.recentTo == p.Round {
		return nil
	}
	j := x.o.Job
	if err := x.Flush(x.ctx); err != nil { // some may be on their way
		return err
	}
	p.recent = nil
	for round := max(p.Round-j.Staleness, 0) + 1; round <= p.Round; round++ {
		changes := rows.NewChangeSet(x.placed(p), j.Topics)
		if x.o.Takes(p.Number, round) {
			blobs, err := j.GetChanges(x.ctx, round, p.Number)
			if err != nil {
				return err
			}
			fault := func(slice int, err error) error {
				return protocol.Damaged(j.Key.Changes(slice, round, p.Number), err)
			}
			if err := changes.Read(blobs, p.place, j.BlobID(blob.Changes, round, p.Number), fault); err != nil {
				return err
			}
		}
		p.recent = append(p.recent, changes)
	}
	p.recentTo = p.Round
	return nil
}

// placed returns how many words' places in blobs are kept with the changes of a part.
func (x *core) placed(p *localPart) int {
	if x.o.Job.Apart {
		return 0
	}
	return len(p.part.Words())
}
