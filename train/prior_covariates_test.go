package train

import (
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/tier"

	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/rng"
)

// cells is a column in memory.
type cells []string

func (c cells) Len() int        { return len(c) }
func (c cells) At(i int) string { return c[i] }

// columnDocs makes documents of the given length by two parties. Party a speaks mostly about topic x, party b mostly
// about y, and the later the document, the more it is about z. Every 20th document has no party.
func columnDocs(t testing.TB, docs int, tokens uint32) *corpus.Corpus {
	key, b := rng.NewKey(2), corpus.Builder{}
	party, day := make(cells, docs), make(cells, docs)
	for d := range docs {
		at := key.Block(uint32(d), 0, 9, 0)
		party[d], day[d] = "ab"[at[0]&1:][:1], fmt.Sprint(rng.Below(at[1], 100))
		var doc corpus.Document
		for i := range tokens {
			x := key.Block(uint32(d), i, 0, 0)
			about := map[bool]string{true: "x", false: "y"}[(party[d] == "a") == (x[0]%5 != 0)]
			if rng.Below(x[1], 150) < rng.Below(at[1], 100) {
				about = "z"
			}
			doc.Tokens = append(doc.Tokens, fmt.Sprint(about, rng.Below(x[2], 25)))
		}
		if d%20 == 19 {
			party[d] = ""
		}
		b.Add(doc)
	}
	c, err := b.Corpus().WithColumns([]column.Column{{Name: "party", Kind: column.Category, Values: party}, {Name: "day", Kind: column.Number, Values: day}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func covariateOptions() topoi.Options {
	return topoi.Options{Topics: 3, Prior: "covariates", Formula: "~ party + day", Iterations: 120, Tolerance: -1, Seed: 3, Threads: 2}
}

// The signs of what documents were made by are found: b has less of x and more of y, and z comes late. The joint likelihood is
// that of all documents. Resuming gives the same model.
func TestCovariates(t *testing.T) {
	c, o := columnDocs(t, 400, 40), covariateOptions()
	m := mustTrain(t, c, o)
	cov := m.Manifest().Covariates
	if cov == nil || !reflect.DeepEqual(cov.Names, []string{"(Intercept)", "party[b]", "day"}) {
		t.Fatalf("covariates %+v", cov)
	}
	of := map[string][]float64{}
	for k := range 3 {
		of[m.TopWords(k, 1)[0].Term[:1]] = cov.Lambda[k]
	}
	if len(of) != 3 || of["x"][1]-of["y"][1] > -1 || of["z"][2]-max(of["x"][2], of["y"][2]) < 0.3 {
		t.Errorf("λ %v", of)
	}
	last := m.Manifest().History[len(m.Manifest().History)-1]
	if want := covariateJoint(t, m, c) / float64(c.NumTokens()); math.Abs(last.LogLikelihood-want) > 1e-9 {
		t.Errorf("log-likelihood %.10f, by all documents %.10f", last.LogLikelihood, want)
	}
	killed := o
	killed.Checkpoint, killed.Iterations, killed.Threads = filepath.Join(t.TempDir(), "checkpoint"), 61, 1
	mustTrain(t, c, killed)
	killed.Iterations, killed.Resume = 120, true
	got := mustTrain(t, c, killed)
	if got.Fingerprint() != m.Fingerprint() || !reflect.DeepEqual(got.Manifest().Covariates, cov) {
		t.Error("resumed: another model")
	}
}

// covariateJoint is log p(w, z) of a model, document by document.
func covariateJoint(t *testing.T, m *topoi.Model, c *corpus.Corpus) float64 {
	lgamma := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	total, z := 0.0, m.AppendTopics(nil, 0, c.NumTokens())
	err := m.EachPrior(c, func(with eval.Model, docs *corpus.Corpus, numbers []uint32) error {
		for _, d := range numbers {
			n := make([]float64, m.NumTopics())
			for i := range c.Doc(int(d)) {
				n[z[int(c.Offsets()[d])+i]]++
			}
			for k, a := range with.Alpha() {
				total += lgamma(a+n[k]) - lgamma(a)
			}
			total += lgamma(prior.Sum(with.Alpha())) - lgamma(prior.Sum(with.Alpha())+float64(len(c.Doc(int(d)))))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	v := float64(m.NumWords())
	for _, n := range m.TopicTotals() {
		total += lgamma(v*m.Beta()) - lgamma(v*m.Beta()+float64(n))
	}
	for w := range m.NumWords() {
		for _, e := range m.Row(w) {
			total += lgamma(m.Beta()+float64(e.Count)) - lgamma(m.Beta())
		}
	}
	return total
}

// A model that was saved finds topics of documents with their columns, in their order. Columns predict documents before a word of
// them is seen; documents without columns have Model.Alpha.
func TestCovariatesOfNewDocuments(t *testing.T) {
	c := columnDocs(t, 400, 40)
	dir := filepath.Join(t.TempDir(), "model")
	if err := mustTrain(t, c, covariateOptions()).Save(dir, topoi.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	m, err := topoi.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if m.Manifest().Covariates == nil || m.Verify() != nil {
		t.Fatal("the saved model has no covariates, or is damaged")
	}
	numbers := 0
	err = m.Infer(t.Context(), c, topoi.InferOptions{Iterations: 10}, func(d *topoi.DocTopics) error {
		if d.Doc != numbers {
			return fmt.Errorf("document %d comes at %d", d.Doc, numbers)
		}
		numbers++
		return nil
	})
	if err != nil || numbers != 400 {
		t.Fatalf("%d documents: %v", numbers, err)
	}
	score := func(docs *corpus.Corpus) (total float64) {
		scored := 0
		err := m.EachPrior(docs, func(with eval.Model, docs *corpus.Corpus, _ []uint32) error {
			s, err := eval.Completion(t.Context(), with, docs, eval.Options{Variant: "prior", Threads: 2})
			total, scored = total+s.PerToken*float64(s.Scored), scored+s.Scored
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return total / float64(scored)
	}
	with := score(c)
	bare := score(corpus.FromIDs(c.Words().List(), documentsOf(c)))
	if with < bare+0.1 {
		t.Errorf("prior-only score %.4f with columns, %.4f without", with, bare)
	}
}

func documentsOf(c *corpus.Corpus) (list [][]uint32) {
	for d := range c.NumDocs() {
		list = append(list, c.Doc(d))
	}
	return list
}

func TestCovariatesRefuse(t *testing.T) {
	for want, o := range map[string]topoi.Options{
		"need each other":                      {Topics: 3, Prior: "covariates"},
		"Options.Formula need each other":      {Topics: 3, Formula: "~ a"},
		"Options.Topics is 0: it must be at l": {Prior: "covariates", Formula: "~ a"},
	} {
		if err := Validate(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for formula, want := range map[string]string{"~ colour": "colour", "~ party - 1": "needs its intercept", "~ party +": "cannot read the formula"} {
		o := covariateOptions()
		o.Formula = formula
		if _, err := Run(t.Context(), columnDocs(t, 60, 5), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", formula, err, want)
		}
	}
}

// The quick sampler gives the same bytes for any number of threads, from files and wherever it is resumed, and finds what the exact one does;
// so do parts that see each other's changes late. A corpus that is not small has it by default.
func TestGroupsByBatch(t *testing.T) {
	tier.Long(t, "internal/sampler/batch compares groups with their definition")
	small(t)
	for name, o := range map[string]topoi.Options{"covariates": covariateOptions(), "labels": {Prior: "labels", Free: 1, Iterations: 40, Tolerance: -1, Seed: 1}} {
		c := labelledDocs(400)
		if name == "covariates" {
			c = columnDocs(t, 400, 40)
		}
		o.Sampler, o.Threads = "batch", 1
		want := mustTrain(t, c, o).Fingerprint()
		for _, threads := range []int{2, 5} {
			o.Threads = threads
			if got := mustTrain(t, c, o).Fingerprint(); got != want {
				t.Errorf("%s: %d threads give another model", name, threads)
			}
		}
		half := o
		half.Checkpoint, half.Iterations = filepath.Join(t.TempDir(), "checkpoint"), 31
		mustTrain(t, c, half)
		half.Iterations, half.Resume = o.Iterations, true
		if got := mustTrain(t, c, half).Fingerprint(); got != want {
			t.Errorf("%s: resumed, another model", name)
		}
		files := o
		files.Checkpoint, files.Memory, files.Iterations = filepath.Join(t.TempDir(), "checkpoint"), 7_000, 31
		mustTrain(t, c, files)
		if parts, _ := filepath.Glob(files.Checkpoint + ".parts/*.layout"); len(parts) < 2 {
			t.Errorf("%s: %d parts in files", name, len(parts))
		}
		files.Iterations, files.Resume = o.Iterations, true
		if m := mustTrain(t, c, files); m.Fingerprint() != want || name == "labels" && m.Label(3) != "zoo" {
			t.Errorf("%s: from files, another model", name)
		}
		late := o
		late.Tuning.Staleness, late.Tuning.Parts = 1, 2
		if m := mustTrain(t, c, late); m.Manifest().History[len(m.Manifest().History)-1].LogLikelihood < -5 {
			t.Errorf("%s: with staleness the log-likelihood is %v", name, m.Manifest().History)
		}
	}
	o := covariateOptions()
	o.Sampler, o.Iterations = "auto", 1
	if m := mustTrain(t, columnDocs(t, 1700, 40), o); m.Manifest().Options.Sampler != "batch" {
		t.Errorf("sampler %s", m.Manifest().Options.Sampler)
	}
}
