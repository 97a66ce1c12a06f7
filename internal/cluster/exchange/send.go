package exchange

import (
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
)

// tell sends the changes of a part's last round to others. The worker keeps them until its own model has them.
func (x *wholeRows) tell(p *held) error {
	j, round := x.o.Job, p.Round
	blobs, err := x.collect(p, round)
	if err != nil {
		return err
	}
	if x.own[round] == nil {
		x.own[round] = map[int][][]byte{}
	}
	x.own[round][p.Number] = blobs
	p.Told, p.size = round, 0
	var writes []records.Write
	for slice, b := range blobs {
		p.size = max(p.size, len(b))
		writes = append(writes, records.Write{Key: j.Key.Changes(slice, round, p.Number), Round: round, Blob: b})
	}
	return x.put(writes, x.reached(p, round))
}

// collect encodes the changes of a part's last round, one blob per slice, and adds them to what the part sees next.
func (x *wholeRows) collect(p *held, round int) ([][]byte, error) {
	begin, j := time.Now(), x.o.Job
	defer x.tally.spend(&x.tally.report.Coding, begin)
	var ahead *rows.Model
	var own *rows.Own // takes the changes beside the model; nil: the model takes them
	totals := x.model.Totals
	if x.model.Ahead == p.Number {
		ahead, x.model.Applied = x.model, round
	} else if j.Staleness > 0 {
		own = p.next(j.Staleness, round, len(p.part.Words()), j.Topics)
		totals = own.Totals
	}
	blobs := make([][]byte, j.Slices)
	err := x.share(j.Slices, totals, func(c *coder, slice int) error {
		blobs[slice] = x.encodeSlice(c, p, round, slice, ahead, own != nil, own)
		return nil
	})
	if own != nil {
		own.Blobs = blobs
	}
	return blobs, err
}
