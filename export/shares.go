package export

import (
	"cmp"
	"slices"
)

// priors returns the priors of the model, which it computes once.
func (j *modelJob) priors() *priors {
	if j.prior == nil {
		p := &priors{alpha: j.model.Alpha(), byAlpha: make([]uint32, j.model.NumTopics())}
		for k, a := range p.alpha {
			p.alphaSum += a
			p.byAlpha[k] = uint32(k)
		}
		slices.SortStableFunc(p.byAlpha, func(a, b uint32) int { return cmp.Compare(p.alpha[b], p.alpha[a]) })
		p.runEnd = make([]uint32, len(p.byAlpha))
		for i, end := len(p.byAlpha)-1, len(p.byAlpha); i >= 0; i-- {
			if end < len(p.byAlpha) && p.alpha[p.byAlpha[i]] != p.alpha[p.byAlpha[i+1]] {
				end = i + 1
			}
			p.runEnd[i] = uint32(end)
		}
		j.prior = p
	}
	return j.prior
}

// share is a topic with its share of a document.
type share struct {
	topic int
	theta float64
}

// byTheta orders by falling θ, and by number if θ is equal.
func byTheta(a, b share) int {
	switch { // an export spends most of its time in this comparison
	case a.theta > b.theta:
		return -1
	case a.theta < b.theta:
		return 1
	}
	return a.topic - b.topic
}

// shares returns the topics of a document by falling θ, and by number if θ is equal, including topics that
// none of its tokens has. Options.MinTheta and Options.Top limit the list, but it has at least least
// topics. It is valid until the next call.
//
// Topics that the document does not have come in order of falling α. The last ones of a short list are
// never asked for, so they are left out, and the list need not be sorted.
func (j *modelJob) shares(v *docView, least int) []share {
	limit := len(v.alpha)
	if j.options.Top > 0 {
		limit = min(limit, j.options.Top)
	}
	v.present = v.present[:0]
	for _, k := range v.topics {
		v.present = append(v.present, share{int(k), v.theta(int(k))})
	}
	v.present = largest(v.present, limit)
	v.absent = j.absentShares(v.absent[:0], v, limit)
	present, absent, list := v.present, v.absent, v.listed[:0]
	for len(list) < limit && len(present)+len(absent) > 0 {
		next := &present
		if len(present) == 0 || len(absent) > 0 && byTheta(absent[0], present[0]) < 0 {
			next = &absent
		}
		if (*next)[0].theta < j.options.MinTheta && len(list) >= least {
			break
		}
		list = append(list, (*next)[0])
		*next = (*next)[1:]
	}
	v.listed = list
	return list
}

// largest sorts a list by falling θ and keeps the first limit elements.
func largest(list []share, limit int) []share {
	const few = 16 // up to this number insertion is faster
	if limit > few || len(list) <= few {
		slices.SortFunc(list, byTheta)
		return list[:min(limit, len(list))]
	}
	kept := list[:0]
	for _, next := range list {
		if len(kept) < limit {
			kept = append(kept, next)
		} else if byTheta(kept[limit-1], next) < 0 {
			continue
		}
		i := len(kept) - 1
		for ; i > 0 && byTheta(next, kept[i-1]) < 0; i-- {
			kept[i] = kept[i-1]
		}
		kept[i] = next
	}
	return kept
}

// absentShares appends the shares of topics that the document does not have, by falling θ, at least limit of them if
// there are so many. It skips later topics by runs of equal α: only another α could, by rounding, give the same θ.
func (j *modelJob) absentShares(absent []share, v *docView, limit int) []share {
	for i := 0; i < len(v.byAlpha); i++ {
		k := v.byAlpha[i]
		if v.counts[k] > 0 {
			continue
		}
		theta := v.theta(int(k))
		n := len(absent)
		if n >= limit && theta < absent[n-1].theta || n > 0 && theta < j.options.MinTheta {
			break
		}
		if n >= limit && v.alpha[k] == v.alpha[absent[n-1].topic] {
			i = int(v.runEnd[i]) - 1
			continue
		}
		absent = append(absent, share{int(k), theta})
	}
	if !slices.IsSortedFunc(absent, byTheta) { // rounding can make shares of different α equal
		slices.SortFunc(absent, byTheta)
	}
	return absent
}
