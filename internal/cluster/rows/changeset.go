package rows

import (
	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
)

// ChangeSet has the changes of a part in a round: the blobs that others read, and where in them the part's words are.
// Different goroutines may set Places of different words.
type ChangeSet struct {
	Blobs  [][]byte     // by slice
	Places []blob.Place // by the number of a word in the part; empty where rows come slice by slice
	Totals []uint64     // K: changes of n_k, modulo 2^64
}

// NewChangeSet returns an empty change set for a part with so many words.
func NewChangeSet(words, topics int) *ChangeSet {
	return &ChangeSet{Places: make([]blob.Place, words), Totals: make([]uint64, topics)}
}

// Clear empties the change set.
func (o *ChangeSet) Clear() {
	o.Blobs = nil
	clear(o.Places)
	clear(o.Totals)
}

// Read reads blobs from the store. place has 1 + the number of a word in the part, 0 for others. It is nil if places
// are not needed. fault names the blob that an error is about.
func (o *ChangeSet) Read(blobs [][]byte, place []uint32, id func(slice int) blob.ID,
	fault func(slice int, err error) error,
) error {
	o.Blobs = blobs
	for i, b := range blobs {
		d, err := blob.Open(b, id(i))
		if err == nil {
			err = o.read(&d, place)
		}
		if err != nil {
			return fault(i, err)
		}
	}
	return nil
}

// read reads the blob of a slice.
func (o *ChangeSet) read(d *blob.Decoder, place []uint32) error {
	var changes []counts.Change
	for d.Next() {
		if place != nil {
			at := place[d.Word()]
			if at == 0 {
				return ended(true, d)
			}
			o.Places[at-1] = d.Place()
		}
		changes = d.Changes(changes[:0])
		AddTotals(o.Totals, changes, 1)
	}
	return d.Err()
}
