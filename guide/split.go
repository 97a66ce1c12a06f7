package guide

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/topic"
	"github.com/topoi-lda/topoi/train"
)

// splitSweeps are those of the small model that splits a topic.
const splitSweeps = 200

// split trains a small model on the tokens of a topic alone, and makes topics of its topics.
func (s *state) split(ctx context.Context, split Split, e Edits) error {
	if err := s.check(split.Topic); err != nil {
		return err
	}
	if split.Into < 2 {
		return fmt.Errorf("topic %d cannot be split into %d: 2 or more are needed, such as %d=2", split.Topic,
			split.Into, split.Topic)
	}
	tokens, docs := s.tokensOf(split.Topic)
	if len(tokens) < split.Into {
		return fmt.Errorf("topic %d has only %d tokens: it cannot be split into %d", split.Topic, len(tokens),
			split.Into)
	}
	small, err := train.Run(ctx, corpus.FromIDs(s.docs.Words().List(), docs), topoi.Options{
		Topics: split.Into, Sampler: "batch", Seed: e.Seed, Iterations: splitSweeps, Threads: e.Threads,
		Device: e.Device,
	})
	if err != nil {
		return err
	}
	sizes := small.TopicTokens()
	order := small.LargestTopics(0) // the largest part keeps the id
	ids := make([]uint32, split.Into)
	for i, part := range order {
		k := split.Topic
		if i > 0 {
			k = s.free()
		}
		ids[part] = uint32(k)
	}
	alpha := s.alpha[split.Topic]
	for part, n := range sizes {
		s.alpha[ids[part]] = max(empty, alpha*float64(n)/float64(len(tokens)))
	}
	s.settle(split.Topic)
	for i, at := range tokens {
		s.z[at] = ids[small.Topic(i)]
	}
	s.splitPseudo(split.Topic, small, ids)
	s.did = append(s.did, fmt.Sprintf("split %d into %v", split.Topic, ids))
	return nil
}

// tokensOf returns the tokens of a topic, and the words of each document that they are.
func (s *state) tokensOf(topic int) (tokens []uint64, docs [][]uint32) {
	base := s.docs.Offsets()[0]
	for d := range s.docs.NumDocs() {
		var words []uint32
		for i, w := range s.docs.Doc(d) {
			if at := s.docs.Offsets()[d] - base + uint64(i); int(s.z[at]) == topic {
				tokens, words = append(tokens, at), append(words, w)
			}
		}
		if words != nil {
			docs = append(docs, words)
		}
	}
	return tokens, docs
}

// free returns an id that no topic has: that of one that is gone, or a new one.
func (s *state) free() int {
	if k := slices.Index(s.gone, true); k >= 0 {
		s.gone[k] = false
		return k
	}
	s.alpha, s.gone = append(s.alpha, empty), append(s.gone, false)
	return len(s.alpha) - 1
}

// splitPseudo gives each part of a topic the share of its pseudo-counts that it has of the word's tokens; what is left
// by rounding goes to the part with most.
func (s *state) splitPseudo(k int, small *topoi.Model, ids []uint32) {
	for w, row := range s.pseudo {
		i := slices.IndexFunc(row, func(e topic.Count) bool { return int(e.Topic) == k })
		if i < 0 {
			continue
		}
		all, sum := row[i].Count, uint32(0)
		parts := slices.Clone(small.Row(w))
		if len(parts) == 0 {
			continue
		}
		slices.SortFunc(parts, func(a, b topic.Count) int { return cmp.Compare(b.Count, a.Count) })
		for _, p := range parts {
			sum += p.Count
		}
		rest, list := all, slices.Delete(row, i, i+1)
		for j := len(parts) - 1; j >= 0; j-- {
			n := uint32(uint64(all) * uint64(parts[j].Count) / uint64(sum))
			if j == 0 {
				n = rest
			}
			rest -= n
			list = append(list, topic.Count{Topic: ids[parts[j].Topic], Count: n})
		}
		s.pseudo[w] = merged(list, func(k int) int { return k })
	}
}

// draws are random numbers that no sampler uses: sweeps are numbered from 1.
func draws(seed uint64) sampler.Draws {
	return sampler.Draws{Key: rng.NewKey(seed), Purpose: sampler.ForDraw}
}

func numbers(list []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ", ")
}
