package sampler

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
)

// ErrExtra is returned by LoadExtra for bytes of another problem.
var ErrExtra = errors.New("the late changes are not those of this problem")

// SaveExtra implements Capabilities.SaveExtra. It returns the late changes, as blobs numbered by
// round and part, each after its length.
func (s *Stale) SaveExtra() []byte {
	out := binary.AppendUvarint(nil, uint64(len(s.late)))
	var encoder blob.Encoder
	for r, sets := range s.late {
		for part, set := range sets {
			encoder.Begin(nil, s.blobID(r, part))
			if set != nil {
				set.Each(encoder.Changes)
			}
			b := encoder.Finish()
			out = append(binary.AppendUvarint(out, uint64(len(b))), b...)
		}
	}
	return out
}

func (s *Stale) blobID(round, part int) blob.ID {
	return blob.ID{Kind: blob.Changes, Round: uint32(round), Part: uint32(part), Topics: uint32(s.p.K)}
}

// LoadExtra implements Capabilities.LoadExtra. It subtracts the late changes from the counts that Start made.
func (s *Stale) LoadExtra(extra []byte) error {
	rounds, n := binary.Uvarint(extra)
	if n <= 0 || rounds > uint64(s.staleness) {
		return ErrExtra
	}
	extra = extra[n:]
	for r := range int(rounds) {
		sets := make([]*counts.ChangeSet, len(s.Parts))
		for part := range sets {
			length, n := binary.Uvarint(extra)
			if n <= 0 || length > uint64(len(extra)-n) {
				return ErrExtra
			}
			set, err := s.loadSet(extra[n:][:length], s.blobID(r, part))
			if err != nil {
				return fmt.Errorf("%w: %w", ErrExtra, err)
			}
			sets[part], extra = set, extra[n:][length:]
		}
		s.late = append(s.late, sets)
	}
	if len(extra) > 0 {
		return ErrExtra
	}
	return s.takeBack()
}

// loadSet reads one blob.
func (s *Stale) loadSet(b []byte, id blob.ID) (*counts.ChangeSet, error) {
	d, err := blob.Open(b, id)
	if err != nil {
		return nil, err
	}
	set := &counts.ChangeSet{}
	var changes []counts.Change
	for d.Next() {
		if int(d.Word()) >= s.p.V {
			return nil, fmt.Errorf("word %d of %d", d.Word(), s.p.V)
		}
		changes = d.Changes(changes[:0])
		set.Append(d.Word(), changes)
	}
	return set, d.Err()
}

// takeBack subtracts all late rounds from the counts of the current topics.
func (s *Stale) takeBack() (err error) {
	defer func() {
		if recover() != nil { // the table panics if a count becomes negative
			err = ErrExtra
		}
	}()
	for r := len(s.late) - 1; r >= 0; r-- {
		for _, set := range s.late[r] {
			set.TakeFrom(s.table)
			set.Each(func(_ uint32, changes []counts.Change) {
				for _, c := range changes {
					s.nk[c.Topic] -= uint64(int64(c.Delta))
				}
			})
		}
	}
	return nil
}

func (s *Stale) Capabilities() Capabilities {
	return Capabilities{SaveExtra: s.SaveExtra, LoadExtra: s.LoadExtra}
}
