package train

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/topic"
)

// labelledDocs makes documents of 40 tokens that have one or two of four labels. A third of their words are common to all,
// the others are of their labels; every tenth document has no label.
func labelledDocs(docs int) *corpus.Corpus {
	key, b := rng.NewKey(9), corpus.Builder{}
	names := []string{"cars", "food", "moon", "zoo"}
	for d := range docs {
		own := []string{names[d%4], names[(d/4)%4]}
		doc := corpus.Document{Label: strings.Join(own, "; ")}
		if d%10 == 9 {
			doc.Label = ""
		}
		for i := range uint32(40) {
			x := key.Block(uint32(d), i, 0, 0)
			about := own[x[1]&1]
			if x[0]%3 == 0 {
				about = "common"
			}
			doc.Tokens = append(doc.Tokens, fmt.Sprint(about, rng.Below(x[2], 20)))
		}
		b.Add(doc)
	}
	return b.Corpus()
}

// Topics carry the names of labels, a document has topics of its labels and free ones only, and the free topic is found: it
// has the words that all documents share. Half the words of a document without labels are in the topics of what it is about.
func TestLabels(t *testing.T) {
	c := labelledDocs(400)
	o := topoi.Options{Prior: "labels", Free: 1, Iterations: 300, Tolerance: -1, Seed: 1, Threads: 2}
	m := mustTrain(t, c, o)
	if m.NumTopics() != 5 || m.Label(0) != "cars" || m.Label(3) != "zoo" || m.Label(4) != "" {
		t.Fatalf("%d topics, the first %q", m.NumTopics(), m.Label(0))
	}
	z, right, all := m.AppendTopics(nil, 0, c.NumTokens()), 0, 0
	for d := range c.NumDocs() {
		for i, w := range c.Doc(d) {
			k := int(z[int(c.Offsets()[d])+i])
			if label := m.Label(k); c.Label(d) != "" && label != "" && !strings.Contains(c.Label(d), label) {
				t.Fatalf("document %d, which has the labels %q, has topic %q", d, c.Label(d), label)
			}
			about := strings.TrimRight(c.Words().At(int(w)), "0123456789")
			if all++; about == m.Label(k) || about == "common" && k == 4 {
				right++
			}
		}
	}
	if share := float64(right) / float64(all); share < 0.9 {
		t.Errorf("%.3f of the tokens have the topic that they were made of", share)
	}
	if top := m.TopWords(4, 5); !strings.HasPrefix(top[0].Term, "common") || !strings.HasPrefix(top[4].Term, "common") {
		t.Errorf("the free topic has the words %v", top)
	}

	last := m.Manifest().History[len(m.Manifest().History)-1]
	if want := labelledJoint(m, c) / float64(c.NumTokens()); math.Abs(last.LogLikelihood-want) > 1e-9 {
		t.Errorf("log-likelihood %.10f, by all documents %.10f", last.LogLikelihood, want)
	}
	killed := o
	killed.Checkpoint, killed.Iterations = filepath.Join(t.TempDir(), "checkpoint"), 31
	mustTrain(t, c, killed)
	killed.Iterations, killed.Resume = 300, true
	if got := mustTrain(t, c, killed); got.Fingerprint() != m.Fingerprint() || got.Label(0) != "cars" {
		t.Errorf("resumed: another model, with label %q", got.Label(0))
	}
}

// labelledJoint is log p(w, z) of a model, document by document.
func labelledJoint(m *topoi.Model, c *corpus.Corpus) float64 {
	lgamma := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	total, z := 0.0, m.AppendTopics(nil, 0, c.NumTokens())
	for d := range c.NumDocs() {
		n, sum := make([]float64, m.NumTopics()), 0.0
		for i := range c.Doc(d) {
			n[z[int(c.Offsets()[d])+i]]++
		}
		for k, a := range m.Alpha() {
			label := m.Label(k)
			if c.Label(d) == "" || label == "" || strings.Contains(c.Label(d), label) {
				sum += a
				total += lgamma(a+n[k]) - lgamma(a)
			}
		}
		total += lgamma(sum) - lgamma(sum+float64(len(c.Doc(d))))
	}
	v := float64(m.NumWords())
	for k, n := range m.TopicTotals() {
		total += lgamma(v*m.Beta()) - lgamma(v*m.Beta()+float64(n))
		for w := range m.NumWords() {
			if i := slices.IndexFunc(m.Row(w), func(e topic.Count) bool { return int(e.Topic) == k }); i >= 0 {
				total += lgamma(m.Beta()+float64(m.Row(w)[i].Count)) - lgamma(m.Beta())
			}
		}
	}
	return total
}

// A model is overwritten with the names that training gave it, but not with those that people gave it.
func TestOverwriteLabels(t *testing.T) {
	m := mustTrain(t, labelledDocs(40), topoi.Options{Prior: "labels", Iterations: 2, Seed: 1, Threads: 1})
	dir := filepath.Join(t.TempDir(), "model")
	for range 2 {
		if err := m.Save(dir, topoi.SaveOptions{Overwrite: true}); err != nil {
			t.Fatal(err)
		}
	}
	opened, err := topoi.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	labels, err := opened.Labels()
	if err != nil || !labels.FromTraining || opened.Label(0) != "cars" {
		t.Fatalf("labels %v, %v", labels, err)
	}
	labels = labels.Clone()
	labels.Names[0] = "vehicles"
	if err := opened.SetLabels(labels); err != nil {
		t.Fatal(err)
	}
	if err := m.Save(dir, topoi.SaveOptions{Overwrite: true}); err == nil || !strings.Contains(err.Error(), "move that file first") {
		t.Errorf("names that people gave are overwritten: %v", err)
	}
}

func TestLabelsRefuse(t *testing.T) {
	for want, o := range map[string]topoi.Options{
		"cannot be combined with Options.Topics": {Prior: "labels", Topics: 3},
		"Options.Free needs":                     {Topics: 3, Free: 2},
		"it must be at least 0":                  {Prior: "labels", Free: -2},
		"draws no topics":                        {Prior: "labels", Sampler: "cvb"},
	} {
		if err := Validate(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for want, try := range map[string]func() error{
		"no document has a label": func() error {
			_, err := Run(t.Context(), zipf(20), topoi.Options{Prior: "labels"})
			return err
		},
		"choose auto, batch or gibbs": func() error {
			_, err := Run(t.Context(), labelledDocs(20), topoi.Options{Prior: "labels", Sampler: "warp"})
			return err
		},
		"training with labels runs on the CPU only": func() error {
			defer func(open func(int) (*device.Device, error)) { engine.OpenDevice = open }(engine.OpenDevice)
			engine.OpenDevice = func(int) (*device.Device, error) { return emulated.New(""), nil }
			_, err := Run(t.Context(), labelledDocs(20), topoi.Options{Prior: "labels", Sampler: "batch", Device: "cuda"})
			return err
		},
	} {
		if err := try(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
