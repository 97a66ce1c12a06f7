package topoi

import (
	"encoding/binary"
	"encoding/hex"
	"io"
	"math"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/wholefile"
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
	if m.of != nil {
		return m.of.Fingerprint()
	}
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

// describeArrays returns the manifest's list of arrays. Those of a model that was neither opened nor saved are
// hashed, once.
func (m *Model) describeArrays() []arrayInfo {
	if known := m.sums.Load(); known != nil {
		return *known
	}
	arrays := m.listArrays()
	if m.stored == nil {
		parallel.Each(len(arrays), func(i int) {
			s := wholefile.NewSummed(io.Discard)
			_ = m.eachChunk(arrays[i].Name, s.Put) // which never fails
			arrays[i].set(s)
		})
	}
	m.sums.Store(&arrays)
	return arrays
}

// listArrays returns a list of the arrays, with checksums if the model was opened.
func (m *Model) listArrays() []arrayInfo {
	arrays := m.manifest.arraySpecs()
	if m.stored != nil {
		copy(arrays, m.stored.manifest.Arrays)
	}
	return arrays
}

// set notes what an array's bytes come to.
func (a *arrayInfo) set(s *wholefile.Summed) {
	a.Checksum, a.Length = hex.EncodeToString(s.Sum()), uint64(s.Size)/elementBytes[a.Type]
}
