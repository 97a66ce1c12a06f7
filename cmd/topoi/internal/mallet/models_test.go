package mallet

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/corpus"
)

// newTexts are the words of new.mallet that the model knows.
var newTexts = []string{"cat dog soup cat", "", "bread soup bread"}

// trained imports documents, trains a model of two topics as m.model, and imports new documents as new.mallet: one
// with a word that the model lacks, one without words.
func trained(t *testing.T) *topoi.Model {
	t.Helper()
	imported(t)
	told(t, &TrainTopics{}, "--input", "docs.mallet", "--num-topics", "2", "--num-iterations", "12", "--optimize-interval",
		"4",
		"--optimize-burn-in", "3", "--random-seed", "5", "--output-model", "m.model")
	write(t, "new.txt", "n0 x cat zebra dog soup cat zebra\nn1 x\nn2 x bread soup bread\n")
	told(t, &ImportFile{}, "--input", "new.txt", "--use-pipe-from", "docs.mallet", "--output", "new.mallet")
	return model(t, "m.model")
}

func model(t *testing.T, name string) *topoi.Model {
	t.Helper()
	m, err := topoi.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// numbers returns the numbers of the lines of a file that is no comment, without the first fields of each.
func numbers(t *testing.T, name string, first int) (rows [][]float64) {
	t.Helper()
	lines := bufio.NewScanner(strings.NewReader(unpacked(t, name)))
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		var row []float64
		for _, field := range strings.Fields(lines.Text())[first:] {
			x, err := strconv.ParseFloat(field, 64)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, x)
		}
		rows = append(rows, row)
	}
	return rows
}

// near reports whether two numbers are equal but for the digits that files drop.
func near(x, y float64) bool { return math.Abs(x-y) < 1e-6 }

// inVocabulary returns documents in the words of a model.
func inVocabulary(m *topoi.Model, texts ...string) *corpus.Corpus {
	number := map[string]uint32{}
	for w, word := range m.Words().All() {
		number[word] = uint32(w)
	}
	docs := make([][]uint32, len(texts))
	for d, text := range texts {
		for _, word := range strings.Fields(text) {
			docs[d] = append(docs[d], number[word])
		}
	}
	return corpus.FromIDs(m.Words().List(), docs)
}

// Shares are those that the model infers with the same sweeps, burn-in and seed.
func TestInferTopics(t *testing.T) {
	m := trained(t)
	infer := func(args ...string) (rows [][]float64, says string) {
		_, says = told(t, &InferTopics{},
			append(args, "--inferencer", "m.model", "--input", "new.mallet", "--output-doc-topics", "new.tsv")...)
		return numbers(t, "new.tsv", 2), says
	}
	rows, says := infer("--num-iterations", "7", "--burn-in", "2", "--random-seed", "4")
	if !strings.Contains(says, "note: ignored 1 word (2 tokens) that the model does not know") ||
		strings.Contains(says, "note: all sweeps") {
		t.Error(says)
	}
	docs := inVocabulary(m, newTexts...)
	o := topoi.InferOptions{Iterations: 7, BurnIn: 2, Seed: 4}
	if err := m.Infer(t.Context(), docs, o, func(d *topoi.DocTopics) error {
		for k, x := range d.Theta(nil) {
			if len(rows[d.Doc]) != 2 || !near(rows[d.Doc][k], x) {
				t.Errorf("document %d: shares %v, of topic %d %v", d.Doc, rows[d.Doc], k, x)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if alpha := m.Alpha(); !near(rows[1][0], alpha[0]/(alpha[0]+alpha[1])) {
		t.Errorf("shares %v of no words, α %v", rows[1], alpha)
	}
	_, says = infer("--num-iterations", "7", "--sample-interval", "3")
	if !strings.Contains(says, "note: all sweeps after the burn-in count, not only every 3th") {
		t.Error(says)
	}
	one, _ := infer("--num-iterations", "7", "--doc-topics-threshold", "0.01", "--doc-topics-max", "1")
	if len(one) != 3 || len(one[0]) != 2 || one[0][1] < 0.5 {
		t.Errorf("%v, want a topic and its share", one)
	}
}

// Where the model knows all words, nothing is said of them.
func TestKnownWords(t *testing.T) {
	trained(t)
	_, says := told(t, &InferTopics{}, "--inferencer", "m.model", "--input", "docs.mallet", "--output-doc-topics", "x")
	if strings.Contains(says, "ignored") {
		t.Error(says)
	}
}

// Log-probabilities are those of the left-to-right estimator with the same particles and seed.
func TestEvaluateTopics(t *testing.T) {
	m := trained(t)
	docs := inVocabulary(m, newTexts...)
	for _, c := range []struct {
		args      string
		particles int
		seed      uint64
		once      bool
	}{
		{"", 10, 0, true},
		{"--num-particles 3 --random-seed 8", 3, 8, true},
		{"--use-resampling --num-iterations 7 --sample-interval 2 --burn-in 3", 10, 0, false}, // the last three do nothing
	} {
		args := append(strings.Fields(c.args), "--evaluator", "m.model", "--input", "new.mallet")
		var each []float64
		total := 0.0
		if _, err := eval.LeftToRight(t.Context(), m, docs, eval.Options{
			Particles: c.particles, Seed: c.seed, Once: c.once,
			EachDoc: func(_ int, x float64) { each, total = append(each, x), total+x },
		}); err != nil {
			t.Fatal(err)
		}
		out, _ := told(t, &EvaluateTopics{}, append(args, "--output-doc-probs", "each.txt")...)
		if want := fmt.Sprintln(total); out != want || total > -5 {
			t.Errorf("%s: %s, want %s", c.args, out, want)
		}
		if got := slices.Concat(numbers(t, "each.txt", 0)...); !slices.Equal(got, each) || got[1] != 0 {
			t.Errorf("%s: %v, want %v", c.args, got, each)
		}
		out, _ = told(t, &EvaluateTopics{}, append(args, "--output-prob", "all.txt")...)
		if got := numbers(t, "all.txt", 0); out != "" || len(got) != 1 || got[0][0] != total {
			t.Errorf("%s: %v and %q, want %v", c.args, got, out, total)
		}
	}
}

// What cannot be read or written is said before anything is computed.
func TestFaultsOfModels(t *testing.T) {
	trained(t)
	if err := os.Mkdir("dir", 0o777); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"--inferencer m.model --input new.mallet --output-doc-topics dir":    "cannot write dir: it is a directory",
		"--inferencer m.model --input new.mallet --output-doc-topics none/x": "none/x",
		"--inferencer docs.txt --input new.mallet --output-doc-topics x":     "--inferencer docs.txt: this is not a model",
		"--inferencer m.model --input docs.txt --output-doc-topics x":        "--input docs.txt: this is not a corpus",
		"--inferencer m.model --input none.mallet --output-doc-topics x":     "none.mallet",
	} {
		if err := run(t, &InferTopics{}, strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
	for args, want := range map[string]string{
		"--evaluator m.model --input new.mallet --output-prob dir":         "cannot write dir: it is a directory",
		"--evaluator m.model --input new.mallet --output-doc-probs none/x": "none/x",
		"--evaluator docs.txt --input new.mallet":                          "--evaluator docs.txt: this is not a model",
		"--evaluator m.model --input docs.txt":                             "--input docs.txt: this is not a corpus",
		"--evaluator m.model --input new.mallet --num-particles 0":         "--num-particles is 0: it must be above 0",
		"--evaluator m.model":                                              "--input is missing",
	} {
		if err := run(t, &EvaluateTopics{}, strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

// A run that goes on from a model, or from a state, does what the whole run does.
func TestTrainFurther(t *testing.T) {
	imported(t)
	common := strings.Fields("--input docs.mallet --num-topics 3 " +
		"--optimize-interval 5 --optimize-burn-in 2 --random-seed 9")
	told(t, &TrainTopics{}, append(slices.Clone(common), "--num-iterations", "12", "--output-model", "half",
		"--output-state", "half.gz")...)
	told(t, &TrainTopics{}, append(slices.Clone(common), "--num-iterations", "20", "--output-model", "whole")...)
	further := strings.Fields("--input-model half --num-iterations 8 " +
		"--optimize-interval 5 --optimize-burn-in 0 --output-model further")
	told(t, &TrainTopics{}, further...)
	if a, b := model(t, "whole").Fingerprint(), model(t, "further").Fingerprint(); a != b {
		t.Errorf("12 and 8 sweeps give %s, 20 give %s", b, a)
	}
	told(t, &TrainTopics{}, append(slices.Clone(further[:len(further)-1]), "another", "--random-seed", "10")...)
	if model(t, "another").Manifest().Options.Seed != 10 || model(t, "further").Manifest().Options.Seed != 9 {
		t.Error("the seed is that of the model unless another one is given")
	}
	told(t, &TrainTopics{}, append(slices.Clone(further[:len(further)-1]), "later", "--optimize-burn-in", "8")...)
	if before, now := model(t, "half").Alpha(), model(t, "later").Alpha(); !slices.Equal(before, now) {
		t.Errorf("priors are estimated in the burn-in: %v, then %v", before, now)
	}

	// A state is a model without a sweep.
	told(t, &TrainTopics{}, "--input", "docs.mallet", "--input-state", "half.gz", "--no-inference", "--output-model",
		"state", "--output-state", "again.gz")
	if a, b := model(t, "half").Fingerprint(), model(t, "state").Fingerprint(); a != b ||
		unpacked(t, "half.gz") != unpacked(t, "again.gz") {
		t.Errorf("a model %s has the state of %s", a, b)
	}
	if m := model(t, "state"); m.Manifest().Options.Topics != 3 || m.Manifest().Iterations != 1 {
		t.Errorf("%+v", m.Manifest())
	}
	if err := run(t, &TrainTopics{}, "--input-model", "docs.txt"); err == nil ||
		!strings.HasPrefix(err.Error(), "--input-model docs.txt: this is not a model of topoi") {
		t.Error(err)
	}
}

// Sweeps of ICM begin with the state of the training, and end when nothing changes.
func TestMaximizations(t *testing.T) {
	imported(t)
	common := strings.Fields("--input docs.mallet --num-topics 3 --num-iterations 3 --random-seed 2")
	told(t, &TrainTopics{}, append(slices.Clone(common), "--output-model", "before")...)
	for most := 1; most < 9; most += 7 {
		start, docs := model(t, "before").Start(), opened(t, "docs.mallet")
		icm, want := newMaximizer(start, docs), ""
		for range most {
			changed := icm.sweep()
			want += fmt.Sprintf("ICM: %d tokens changed\n", changed)
			if changed == 0 {
				break
			}
		}
		_, says := told(t, &TrainTopics{},
			append(slices.Clone(common), "--num-icm-iterations", fmt.Sprint(most), "--output-model", "after")...)
		if !strings.Contains(says, want) || strings.Count(says, "ICM: ") != strings.Count(want, "\n") {
			t.Errorf("%d sweeps: %s\nwant\n%s", most, says, want)
		}
		if got := model(t, "after").Start(); !slices.Equal(got.Topics, start.Topics) ||
			!slices.Equal(got.Alpha, start.Alpha) {
			t.Errorf("%d sweeps: topics %v, want %v", most, got.Topics, start.Topics)
		}
	}
}
