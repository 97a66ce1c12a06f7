package train

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/internal/training"
)

// startState returns the checkpoint from which a run with the given options and documents begins.
func startState(s *topoi.Start, record topoi.Options, docs *training.Documents) (*checkpoint, error) {
	if len(s.Topics) != docs.All.NumTokens() {
		return nil, fmt.Errorf("Options.Start belongs to another corpus: it has %d tokens, not %d",
			len(s.Topics), docs.All.NumTokens())
	}
	state := &checkpoint{
		Options: record, Iteration: s.Iteration, Alpha: slices.Clone(s.Alpha), Beta: s.Beta,
		Topics: topics.List{Wide: startTopics(s, docs)}, Given: true,
	}
	if err := state.check(record.Topics, docs.Train.NumTokens()); err != nil {
		return nil, fmt.Errorf("Options.Start belongs to another corpus: %w", err)
	}
	for i, k := range s.Topics {
		if int(k) >= record.Topics {
			return nil, fmt.Errorf("Options.Start gives token %d topic %d, and the topics are 0 to %d", i, k,
				record.Topics-1)
		}
	}
	return state, nil
}

// startTopics returns the topics of the training documents.
func startTopics(s *topoi.Start, docs *training.Documents) []uint32 {
	if docs.Heldout == nil {
		return s.Topics
	}
	z, offsets := make([]uint32, 0, docs.Train.NumTokens()), docs.All.Offsets()
	for d := range docs.Train.NumDocs() {
		n := docs.Train.Number(d) - docs.All.Number(0)
		z = append(z, s.Topics[offsets[n]-offsets[0]:offsets[n+1]-offsets[0]]...)
	}
	return z
}

// startHash returns a hash that identifies the state, or "" for nil.
func startHash(s *topoi.Start) string {
	if s == nil {
		return ""
	}
	h := xxh3.New()
	_ = binary.Write(h, binary.LittleEndian, s.Topics) // writing to a hash never fails
	_ = binary.Write(h, binary.LittleEndian, append(s.Alpha, s.Beta, float64(s.Iteration)))
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:])
}
