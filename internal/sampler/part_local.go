package sampler

import (
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
)

// localWords returns the distinct words in increasing order, and all words as
// places in that list.
func localWords(words []uint32, v int) (distinct, local []uint32) {
	place := make([]uint32, v) // 1 + the place of a word, 0 for words that do not occur
	for _, w := range words {
		if place[w] == 0 {
			place[w] = 1
			distinct = append(distinct, w)
		}
	}
	slices.Sort(distinct)
	for i, w := range distinct {
		place[w] = uint32(i)
	}
	local = make([]uint32, len(words))
	for i, w := range words {
		local[i] = place[w]
	}
	return distinct, local
}

// localFrozen numbers the words of a Frozen as a part does.
type localFrozen struct {
	Frozen
	words []uint32
}

func (l localFrozen) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return l.Frozen.AppendRow(dst, int(l.words[w]))
}

// localDense numbers the words of a Dense as a part does.
type localDense struct {
	localFrozen
	dense Dense
}

func (l localDense) DenseRow(w int, room []int32) []int32 {
	return l.dense.DenseRow(int(l.words[w]), room)
}
