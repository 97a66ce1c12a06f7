package export

import (
	"cmp"
	"slices"
)

// docView is one document with its topics. It is valid until the next one.
type docView struct {
	index  int      // number of the document
	id     string   // the user's name for it, or its number
	words  []uint32 // N_d word ids
	z      []uint32 // N_d topics
	counts []uint32 // K: n_dk
	topics []uint32 // the topics with n_dk > 0, rising

	alpha    []float64 // K: α_k
	alphaSum float64   // Σα
	byAlpha  []uint32  // topics by falling α; nil until someone asks
}

// theta returns θ_dk = (n_dk + α_k)/(N_d + Σα).
func (v *docView) theta(k int) float64 {
	return (float64(v.counts[k]) + v.alpha[k]) / (float64(len(v.z)) + v.alphaSum)
}

// eachDoc calls f with every training document in order.
func (j *job) eachDoc(f func(v *docView) error) error {
	m := j.model
	v := docView{counts: make([]uint32, m.NumTopics()), alpha: m.Alpha()}
	for _, a := range v.alpha {
		v.alphaSum += a
	}
	offsets, n := j.docs.Offsets(), j.docs.NumDocs()
	for d := range n {
		if err := j.step(d, n); err != nil {
			return err
		}
		v.index, v.id = d, j.docs.ID(d)
		v.words = j.docs.Doc(d)
		v.z = m.AppendTopics(v.z[:0], int(offsets[d]), int(offsets[d+1]))
		v.topics = v.topics[:0]
		for _, k := range v.z {
			if v.counts[k] == 0 {
				v.topics = append(v.topics, k)
			}
			v.counts[k]++
		}
		slices.Sort(v.topics)
		if err := f(&v); err != nil {
			return err
		}
		for _, k := range v.topics {
			v.counts[k] = 0
		}
	}
	return j.step(n, n)
}

// share is a topic with its share of a document.
type share struct {
	topic int
	theta float64
}

// shares appends the topics of a document by falling θ, equal ones by number,
// as far as Options.MinTheta and Options.Top allow. Of the topics that the document
// does not have, those of large α come first: no more than allowed are looked at.
func (j *job) shares(dst []share, v *docView) []share {
	begin := len(dst)
	for _, k := range v.topics {
		dst = append(dst, share{int(k), v.theta(int(k))})
	}
	absent, least := 0, 1.0
	for _, k := range v.topicsByAlpha() {
		if v.counts[k] > 0 {
			continue
		}
		theta := v.theta(int(k))
		if theta < j.options.MinTheta || j.options.Top > 0 && absent >= j.options.Top && theta < least {
			break
		}
		dst = append(dst, share{int(k), theta})
		absent, least = absent+1, theta
	}
	return dst[:begin+j.rank(dst[begin:])]
}

// topicsByAlpha returns all topics by falling α.
func (v *docView) topicsByAlpha() []uint32 {
	if v.byAlpha == nil {
		for k := range v.alpha {
			v.byAlpha = append(v.byAlpha, uint32(k))
		}
		slices.SortFunc(v.byAlpha, func(a, b uint32) int { return cmp.Compare(v.alpha[b], v.alpha[a]) })
	}
	return v.byAlpha
}

// presentShares is shares of the topics with n_dk > 0.
func (j *job) presentShares(dst []share, v *docView) []share {
	begin := len(dst)
	for _, k := range v.topics {
		dst = append(dst, share{int(k), v.theta(int(k))})
	}
	return dst[:begin+j.rank(dst[begin:])]
}

// rank sorts the shares and returns how many of them the options allow.
func (j *job) rank(list []share) int {
	slices.SortFunc(list, func(a, b share) int {
		if c := cmp.Compare(b.theta, a.theta); c != 0 {
			return c
		}
		return cmp.Compare(a.topic, b.topic)
	})
	n := len(list)
	for n > 0 && list[n-1].theta < j.options.MinTheta {
		n--
	}
	if j.options.Top > 0 {
		n = min(n, j.options.Top)
	}
	return n
}
