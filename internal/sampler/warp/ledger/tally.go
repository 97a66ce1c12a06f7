package ledger

import (
	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
)

// Tally counts on the device what a part changes in a round, and encodes it.
type Tally struct {
	rows   *Rows
	places *device.Buffer[uint32] // V × 2: of the part's tokens, see ledger_changes
	deltas *device.Buffer[uint32] // words with a row of differences × K, zero between rounds
	moves  *device.Buffer[uint32] // tokens of all other words
	taken  *device.Buffer[uint32] // V: moves of a word, zero between rounds
	coder  *coder
}

// NewTally makes a tally for a part in which words occur so often, in an arena.
func (r *Rows) NewTally(a *device.Arena, frequencies []uint32) (*Tally, error) {
	places := make([]uint32, 2*len(frequencies))
	dense, listed := 0, 0
	for w, n := range frequencies {
		places[2*w+1] = n
		if int(n) >= r.topics {
			places[2*w] = layout.LedgerSums | uint32(dense)
			dense++
		} else {
			places[2*w] = uint32(listed)
			listed += int(n)
		}
	}
	t := &Tally{
		rows: r, places: device.Upload(a, places), deltas: device.Alloc[uint32](a, dense*r.topics),
		moves: device.Alloc[uint32](a, listed), taken: device.Alloc[uint32](a, len(frequencies)),
		coder: newCoder(r, a, func(w int) (entries, sum uint64) {
			n := 2 * uint64(frequencies[w])
			return min(n, uint64(r.topics)), n
		}),
	}
	if err := a.Err(); err != nil {
		return nil, err
	}
	return t, t.Clear()
}

// TallyBytes is the memory on the device of a tally of a part in which words occur so often.
func TallyBytes(topics int, frequencies []uint32) int64 {
	bytes := int64(0)
	for _, n := range frequencies {
		most := 2 * uint64(n)
		bytes += 8 + 4 + 20 + int64(roomUnits(min(most, uint64(topics)), most))*layout.LedgerUnit
		if int(n) >= topics {
			bytes += 4 * int64(topics)
		} else {
			bytes += 4 * int64(n)
		}
	}
	return bytes
}

// Clear forgets what was counted.
func (t *Tally) Clear() error { return device.FirstError(t.deltas.Zero(), t.taken.Zero()) }

// Load says where a load's tokens are: its topics before and after, and lists of Words of words.h.
type Load struct {
	State  *device.Buffer[uint16] // new topics, some numbers apart
	Layout uint32                 // how many, in its upper half
	Topics *device.Buffer[uint16] // old topics, which become the new ones
	Tokens int

	Begins, Before, Segments *device.Buffer[uint32]
}

// Count counts the moves of a load's tokens.
func (t *Tally) Count(l Load) error {
	d := t.rows.device
	return d.Launch("ledger", "ledger_moves", device.Spread(d, l.Tokens, 256, 0, 16), l.State, l.Layout, l.Topics, uint32(l.Tokens),
		l.Begins, l.Before, l.Segments, t.places, t.deltas, t.moves, t.taken, uint32(t.rows.topics))
}

// Encode makes blobs' rows of what was counted since the last time.
func (t *Tally) Encode() error {
	r, c := t.rows, t.coder
	err := r.device.Launch("ledger", "ledger_changes", c.shape(r.words()), t.places, t.deltas, t.moves, t.taken, uint32(r.words()), uint32(r.topics),
		c.roomOf, c.rooms, c.lengths, c.entries)
	return device.FirstError(err, c.gather(0, len(r.begins)-1))
}

// Bodies returns what Encode made, one for each slice, valid until the next time.
func (t *Tally) Bodies() []blob.Body { return t.coder.bodies }
