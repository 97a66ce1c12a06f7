// Package guide steers topics. Before training, seed words say what topics are to be about: FindSeeds finds them in a
// corpus and turns them into pseudo-counts, and tells afterwards whether topics kept to them. After training, models
// are made from models: with topics merged, split, dropped or corrected (Edit), with new documents (Update), and along
// time (ByTime). Topics that stay keep their ids and names.
package guide

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/topic"
	"github.com/topoi-lda/topoi/train"
)

// Edits are changes to the topics of a model. They are applied in the order of the fields.
type Edits struct {
	Merge [][]int // the first topic of each list takes the tokens of the others, which become empty
	Drop  []int   // topics whose tokens go to the topics that fit them best
	Split []Split
	Move  []Move

	// Renumber removes empty topics and closes the gaps. By default all topics keep their ids, and a topic
	// that was merged or dropped is empty; a split uses the id of such a topic first.
	Renumber bool

	Sweeps int    // sweeps of sampling after the edits, so that other tokens adapt. Default 0: nothing else changes
	Seed   uint64 // seed of Drop, Split and Sweeps

	Threads int          // goroutines; never changes the result. Default: all cores
	Device  string       // as in topoi.Options
	Program string       // likewise
	Events  topoi.Events // likewise
}

// Split cuts a topic into several. The largest part keeps its id.
type Split struct{ Topic, Into int }

// Move gives the tokens that a word has in one topic to another.
type Move struct {
	Word     string
	From, To int
}

// Edit returns a new model. It needs the documents of the old model, which must stay open as long as the
// new one is used. Without Sweeps a model that adds up several draws keeps them, with the edits in each; topics that no
// edit names keep φ and θ to the last bit, but for θ where a topic is dropped. With Sweeps the draws are made anew.
func Edit(ctx context.Context, m *topoi.Model, e Edits) (*topoi.Model, error) {
	draws := m.Manifest().Draws
	if e.Sweeps > 0 {
		m = m.LastDraw() // whose state goes on
	}
	s, err := newState(m)
	if err == nil {
		s.draws = draws
		err = s.apply(ctx, e)
	}
	if err != nil {
		return nil, err
	}
	if e.Renumber {
		s.renumber()
	}
	edited, err := s.train(ctx, e)
	if err != nil {
		return nil, err
	}
	return edited, edited.SetLabels(topic.Labels{Names: s.names})
}

func (s *state) apply(ctx context.Context, e Edits) error {
	if len(e.Merge)+len(e.Drop)+len(e.Split)+len(e.Move) == 0 && e.Sweeps == 0 && !e.Renumber {
		return errors.New("there is nothing to change: name topics to merge, drop or split, or words to move")
	}
	for _, list := range e.Merge {
		if err := s.merge(list); err != nil {
			return err
		}
	}
	if err := s.drop(e.Drop, e.Seed); err != nil {
		return err
	}
	for _, split := range e.Split {
		if err := s.split(ctx, split, e); err != nil {
			return err
		}
	}
	for _, move := range e.Move {
		if err := s.move(move); err != nil {
			return err
		}
	}
	return nil
}

func (s *state) merge(list []int) error {
	if len(list) < 2 {
		return errors.New("a merge needs two topics or more, such as 3,17")
	}
	if err := s.check(list...); err != nil {
		return err
	}
	into, others := list[0], list[1:]
	s.relabel(func(_ uint32, k int) int {
		if slices.Contains(others, k) {
			return into
		}
		return k
	})
	for _, k := range others {
		s.alpha[into] += s.alpha[k] - empty
		s.remove(k)
	}
	s.settle(into)
	s.did = append(s.did, fmt.Sprintf("merged %s into %d", numbers(others), into))
	return nil
}

// move gives the tokens of a word to another topic.
func (s *state) move(m Move) error {
	if err := s.check(m.From, m.To); err != nil {
		return err
	}
	words := s.old.Words().List()
	id := slices.Index(words, m.Word)
	if id < 0 {
		return fmt.Errorf("the model does not know the word %q%s", m.Word, human.Hint(m.Word, words))
	}
	moved := 0
	s.relabel(func(w uint32, k int) int {
		if int(w) == id && k == m.From {
			moved++
			return m.To
		}
		return k
	})
	if moved == 0 {
		return fmt.Errorf("topic %d has no token of %q to move", m.From, m.Word)
	}
	s.did = append(s.did, fmt.Sprintf("moved %q from %d to %d", m.Word, m.From, m.To))
	return nil
}

// renumber closes the gaps that empty topics leave.
func (s *state) renumber() {
	now, alpha, names := make([]int, len(s.gone)), []float64(nil), map[int]string{}
	for k, gone := range s.gone {
		now[k] = len(alpha)
		if gone {
			continue
		}
		if name, ok := s.names[k]; ok {
			names[len(alpha)] = name
		}
		alpha = append(alpha, s.alpha[k])
	}
	s.relabel(func(_ uint32, k int) int { return now[k] })
	s.alpha, s.names, s.gone = alpha, names, make([]bool, len(alpha))
	s.did = append(s.did, "renumbered")
}

// train makes the model of the state, after as many sweeps as the edits say.
func (s *state) train(ctx context.Context, e Edits) (*topoi.Model, error) {
	k, before := len(s.alpha), s.old.Manifest()
	o := topoi.Options{
		Topics: k, Sampler: drawing(k), Seed: e.Seed, Iterations: max(1, before.Iterations) + e.Sweeps, Tolerance: -1,
		AlphaSum: before.Options.AlphaSum, Beta: before.Options.Beta, OptimizeInterval: before.Options.OptimizeInterval,
		SymmetricAlpha: before.Options.SymmetricAlpha, BurnIn: -1,
		Threads: e.Threads, Device: e.Device, Program: e.Program, Events: e.Events,
		Start: &topoi.Start{Topics: s.z, Alpha: s.alpha, Beta: before.Beta, Iteration: max(1, before.Iterations)},
		Lineage: append(slices.Clone(before.Lineage), topoi.Ancestor{
			Kind: "edit", From: s.old.Fingerprint(), Docs: before.Docs,
			Detail: strings.Join(s.did, "; ") + fmt.Sprintf("; %s after it", human.Of(e.Sweeps, "sweep")),
		}),
	}
	if p := topic.NewPseudoCounts(s.old.NumWords(), k,
		func(w int) []topic.Count { return s.pseudo[w] }); p.Tokens() > 0 {
		o.Pseudo = p
	}
	if e.Sweeps > 0 && o.Pseudo == nil {
		o.Draws = min(s.draws, o.Iterations/training.DrawEvery)
	}
	made, err := train.Run(ctx, s.docs, o)
	if err != nil {
		return nil, err
	}
	return made.EditedFrom(s.old, e.Sweeps == 0), nil
}

// drawing names the sampler for sweeps that go on from topics.
func drawing(k int) string {
	const exact = 300 // topics up to which exact draws are quick
	if k <= exact {
		return "batch"
	}
	return "warp"
}
