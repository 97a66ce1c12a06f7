package training

import (
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/prior"
)

// The time of a sweep is the mean since the last score, and its own where a job has gone back.
func TestMeanSweep(t *testing.T) {
	c := Clock{Training: time.Second}
	c.Scored(10, 0)
	c.Training = 5 * time.Second
	if got := c.Scored(14, time.Minute); got != time.Second {
		t.Errorf("%v", got)
	}
	if got := c.Scored(12, time.Minute); got != time.Minute || c.scored != 12 || c.scoredAfter != 5*time.Second {
		t.Errorf("%v, %+v", got, c)
	}
}

func TestClock(t *testing.T) {
	c := Clock{Began: time.Now().Add(-time.Hour)}
	if c.Past(0) || c.Past(2*time.Hour) || !c.Past(time.Minute) {
		t.Error("the limit is kept wrongly")
	}
	_ = Timed(&c.Scoring, func() error { time.Sleep(time.Millisecond); return nil })
	if c.Scoring < time.Millisecond {
		t.Errorf("%v", c.Scoring)
	}
}

// documents makes documents of five words each.
func documents(n int) *corpus.Corpus {
	var list [][]string
	for range n {
		list = append(list, []string{"a", "b", "c", "a", "b"})
	}
	return corpus.FromTokens(list)
}

// A run without tokens is refused, and samples have about the tokens that they should have.
func TestDocuments(t *testing.T) {
	d := Documents{Train: documents(1000), Heldout: documents(400)}
	if err := d.Check(); err != nil {
		t.Error(err)
	}
	first := d.Sample()
	if n := first.NumTokens(); n < 400 || n > 600 || d.Sample() != first {
		t.Errorf("%d tokens in the sample of 5,000", n)
	}
	if n := d.HeldoutSample(500).NumTokens(); n < 400 || n > 600 {
		t.Errorf("%d held-out tokens in the sample, want about 500", n)
	}
	if d.HeldoutSample(2000) != nil || d.HeldoutSample(-1) != nil {
		t.Error("a sample although all are to be scored")
	}
	for _, bad := range []Documents{{Train: documents(0)}, {Train: documents(1), Heldout: documents(0)}} {
		if bad.Check() == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
	if err := (*Documents)(nil).Close(); err != nil {
		t.Error(err)
	}
}

// A directory that nobody named is removed, unless somebody else is to do that; one that has a name is left alone.
func TestWorkDir(t *testing.T) {
	var w WorkDir
	if err := w.Make(); err != nil || !w.Temporary() {
		t.Fatal(err)
	}
	handed := w.Hand()
	w.Close()
	if _, err := os.Stat(w.Path); err != nil {
		t.Error(err)
	}
	handed.Close()
	if _, err := os.Stat(w.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory is still there: %v", err)
	}
	named := WorkDir{Path: t.TempDir()}
	if err := named.Make(); err != nil || named.Temporary() {
		t.Fatal(err)
	}
	named.Close()
	if _, err := os.Stat(named.Path); err != nil {
		t.Error(err)
	}
}

// histograms returns the counts of two documents in which topic 0 has most tokens.
func histograms() *counts.Histograms {
	return &counts.Histograms{
		DocLengths: []uint64{0, 0, 0, 0, 0, 1, 1}, Topic: [][]uint32{{0, 0, 0, 1, 0, 1}, {0, 1, 1}},
		WordTopic: []uint64{0, 0, 1, 1, 0, 0, 1}, TopicTotals: []uint64{8, 3},
	}
}

// Priors are estimated when they are due: in all topics, in all alike, or β alone.
func TestPriors(t *testing.T) {
	p := Priors{Every: 5, BurnIn: 10}
	var due []int
	for i := range 26 {
		if p.Due(i) {
			due = append(due, i)
		}
	}
	if !slices.Equal(due, []int{15, 20, 25}) || (&Priors{Every: -1}).Due(20) {
		t.Errorf("due after %v", due)
	}
	p, due = Priors{Every: 5, BurnIn: 10, Rarer: true}, nil
	for i := 185; i <= 440; i++ {
		if p.Due(i) {
			due = append(due, i)
		}
	}
	if !slices.Equal(due[:6], []int{185, 190, 195, 200, 210, 220}) || !slices.Equal(due[len(due)-4:], []int{390, 400, 420, 440}) {
		t.Errorf("rarer estimations are due after %v", due)
	}
	labels, err := prior.NewLabels(1, func(int) string { return "x" }, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*Priors{"all": {}, "symmetric": {Symmetric: true}, "labels": {Labels: labels}} {
		p.Words, p.Length, p.Threads = 3, 10, 1
		p.Begin(2, 4, 0.1)
		p.SetGroups()
		was := p.Now
		p.Learn(1, histograms())
		if was.Beta != 0.1 || was.Alpha[0] != 2 || p.Now.Beta == 0.1 {
			t.Errorf("%s: β is %v, and was changed to %v in place", name, p.Now.Beta, was.Beta)
		}
		if kept := slices.Equal(p.Now.Alpha, was.Alpha); kept != (name == "labels") || (len(p.Now.Groups) == 1) != kept {
			t.Errorf("%s: α is %v", name, p.Now.Alpha)
		}
		if name == "symmetric" && p.Now.Alpha[0] != p.Now.Alpha[1] {
			t.Errorf("α is %v", p.Now.Alpha)
		}
	}
}
