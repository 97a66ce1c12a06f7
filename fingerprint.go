package topoi

import (
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/zeebo/xxh3"
)

// Fingerprint identifies what was learned: words, counts, assignments, α and β.
// It holds nothing of paths, times, threads or the way the model was reached,
// so two runs gave the same model exactly if their fingerprints are equal.
//
// It is the XXH3-128 hash, in hexadecimal, of the checksums of the model's
// arrays (all but the text options, in the manifest's order) followed by β as a
// little-endian float64. A model opened from disk answers at once from its
// manifest; [Model.Verify] compares that with the content.
func (m *Model) Fingerprint() string {
	arrays := m.describeArrays()
	h := xxh3.New()
	for _, a := range arrays {
		if a.Name != arrayPipeline {
			sum, _ := hex.DecodeString(a.Checksum) // of our own making, or covered by the manifest's checksum
			h.Write(sum)
		}
	}
	h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(m.Beta())))
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:])
}

// describeArrays returns the manifest's list of arrays, hashing them if need be.
func (m *Model) describeArrays() []arrayInfo {
	if m.stored != nil {
		return m.stored.manifest.Arrays[:len(arraySpecs(m.NumTopics()))]
	}
	arrays := arraySpecs(m.NumTopics())
	for i := range arrays {
		h := xxh3.New()
		size := uint64(0)
		_ = m.eachChunk(arrays[i].Name, func(b []byte) error { // hashing never fails
			size += uint64(len(b))
			h.Write(b)
			return nil
		})
		sum := h.Sum128().Bytes()
		arrays[i].Checksum = hex.EncodeToString(sum[:])
		arrays[i].Length = size / elementBytes[arrays[i].Type]
	}
	return arrays
}
