package processors

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/topoi-lda/topoi/export"
	"github.com/topoi-lda/topoi/internal/rng"
)

// Sizes of the corpus of texts.
const (
	documents = 250
	words     = 140 // in the longest document
)

// largerCorpus names a corpus file that all samplers are trained on instead, such as one of KOS, with 50 topics. That
// takes an hour in an emulator.
const largerCorpus = "TOPOI_PROCESSORS_CORPUS"

// few is the number of documents for runs to the end, which may take a thousand sweeps.
const few = 90

// texts makes a table of n documents: their words have Zipf's law within ten themes, and the columns depend on the
// theme.
func texts(n int) []byte {
	var b bytes.Buffer
	b.WriteString("id,theme,date,party,rating,speaker,text\n")
	key := rng.NewKey(49)
	for d := range uint32(n) {
		head := key.Block(d, 0, 1, 0)
		theme := head[0] % 10
		fmt.Fprintf(&b, "d%d,theme%d,%d-%02d-%02d,%s,%d,s%d,", d, theme, 2001+head[1]%9, 1+head[2]%12, 1+head[3]%28,
			[]string{"left", "right", "green"}[(theme+head[1]%2)%3], 1+(theme+head[2]%5)%7, d%23)
		for i := range uint32(40 + head[3]%(words-40)) {
			block := key.Block(d, i, 2, 0)
			x := rng.Float64(block[0], block[1])
			word := int(900 * x * x * x)
			if block[2]%4 > 0 { // else a word of all themes
				word += 1000 * int(1+theme)
			}
			fmt.Fprintf(&b, "%s ", name(word))
		}
		b.WriteString("\n")
	}
	return b.Bytes()
}

// name makes a word of letters, so that it is neither a number nor a stop word.
func name(number int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for n := number + 70; n > 0; n /= 70 {
		b.WriteByte(consonants[n%70/5])
		b.WriteByte(vowels[n%5])
	}
	return b.String() + "x"
}

// steps are the commands, in order. Each may use what those before it wrote. What they print is compared too, but for
// the first word's sake: "!" marks commands that print seconds.
func steps() []string {
	list := []string{
		"! import texts.csv -o c.topoi --id-field id --label-field theme --time-field date --min-df 2",
		"! import texts.csv -o p.topoi --id-field id --label-field theme --time-field date --min-df 2 --phrases",
		"! generate -o g.topoi --docs 300 --words 2000 --topics 20",
	}
	train := func(name, flags string) {
		list = append(list, fmt.Sprintf("! study c.topoi -o %s.model --quiet %s", name, flags))
	}
	for _, s := range samplers {
		flags := s[1]
		if larger := os.Getenv(largerCorpus); larger != "" {
			list = append(list, fmt.Sprintf("! study %s -o large-%s.model --quiet --iterations 20 --sampler %s -k 50", larger, s[0], flags))
		}
		train(s[0], "-k 20 --iterations 20 --burn-in 5 --sampler "+flags)
	}
	// A different rounding becomes another topic once in some million draws. With one product left to the compiler in
	// draw32.Draw these three differ on arm64, and those above, with fewer topics, do not.
	list = append(list, "! generate -o many.topoi --docs 600 --words 3000 --topics 20 --mean-length 90")
	for _, s := range []string{
		"batch -k 50 --iterations 20",
		"grid -k 150 --iterations 30",
		"cvb -k 50 --iterations 20 --cvb zero --exact-sweeps 8",
	} {
		name, _, _ := strings.Cut(s, " ")
		list = append(list, fmt.Sprintf("! study many.topoi -o many-%s.model --quiet --sampler %s", name, s))
	}
	list = append(list, "! train few.csv -o auto.model --quiet -k 8 --holdout 0.1 --id-field id --label-field theme --time-field date")
	train("auto3", "-k 20 --seed 3 --iterations 30")
	train("files", "-k 20 --sampler warp --iterations 5 --threads 2 --memory 75MB")
	train("hdp", "-k 40 --prior hdp --sampler warp --iterations 30")
	train("labels", "--prior labels --free 2 --iterations 30")
	train("covariates", "-k 8 --prior covariates --formula ~party+s(date) --iterations 30")
	list = append(list,
		"! update auto.model texts.csv -o updated.model --iterations 15 --new-topics 2 --keep 100 --quiet",
		"! edit gibbs.model -o edited.model --merge 0,1 --drop 2 --split 5=2 --sweeps 5 --quiet",
		"! sweep c.topoi -o s -k 4,8 --seeds 2 --iterations 20 --quiet",
		"topics auto.model --words 20",
		"topics auto.model --json",
		"infer auto.model texts.csv --top 0 -o inferred.csv --quiet",
		"infer auto.model texts.csv --top 0 --iterations 20 --burn-in 5 -o drawn.csv --quiet",
		"infer auto3.model texts.csv --top 0 -o inferred3.parquet --quiet",
		"eval auto.model --heldout --estimator completion,test-set,left-to-right --json",
		"eval auto3.model texts.csv --estimator coherence --json",
		"eval labels.model texts.csv --label-field theme --estimator labels --json",
		"eval covariates.model texts.csv --estimator prior --json",
		"prevalence auto.model --by label,time --bins year -o prevalence.csv",
		"prevalence auto.model --by label -o prevalence.svg",
		"effects auto.model ~party*s(date)+log(length) --cluster speaker --format json",
		"effects auto.model ~party+rating --draws 5 -o effects.csv",
		"compare auto.model auto3.model --json",
		"compare auto.model auto3.model batch.model --json",
		"drift auto.model --by year --csv",
		"seeds suggest texts.csv --label-field theme",
		"explore auto.model -o page.html --quiet",
		"explore auto3.model -o page3.html --quiet",
		"compare auto.model auto3.model -o compare.html",
		"info auto.model", "info --fingerprint auto.model",
	)
	for _, f := range export.Formats() {
		list = append(list, fmt.Sprintf("export auto.model --format %s -o exported-%s --quiet", f.Name, f.Name))
	}
	return list
}

// samplers are the training algorithms with the choices that select other code, by the model's name. The slowest get fewer
// topics or sweeps: each rounds millions of times all the same.
var samplers = [][2]string{
	{"gibbs", "gibbs"},
	{"sparse", "sparse"},
	{"panel", "panel"},
	{"alias", "alias"},
	{"light", "light"},
	{"light-doc", "light --proposal doc --rounds 2"},
	{"warp", "warp"},
	{"warp-three", "warp --mh-steps 3 --start-topics 4"},
	{"grid", "grid"},
	{"batch", "batch"},
	{"batch-fresh", "batch --fresh word=immediate --own-count in"},
	{"batch-mini", "batch --mini-batches 4"},
	{"cvb", "cvb -k 6 --iterations 8"},
	{"cvb-zero", "cvb --cvb zero"},
	{"cvb-exact", "cvb --cvb zero --exact-sweeps 8"},
	{"cvb-step", "cvb --step 0.5 -k 4 --iterations 6"},
	{"mean", "mean"},
	{"mean-drawn", "mean --uncollapsed --draw butterfly --iterations 8"},
	{"mean-short", "mean --precision float32 --draw alias --iterations 8"},
}

// slow is the time from which on a step is worth a line in the log.
const slow = 5 * time.Second

// run runs all steps in a directory and returns what they printed, by step.
func (m *machine) run(t *testing.T, dir string) map[string]string {
	t.Helper()
	for name, n := range map[string]int{"texts.csv": documents, "few.csv": few} {
		if err := os.WriteFile(filepath.Join(dir, name), texts(n), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	printed := map[string]string{}
	var mutex sync.Mutex
	for _, group := range groups(steps()) {
		var running errgroup.Group
		running.SetLimit(runtime.GOMAXPROCS(0))
		for _, step := range group {
			running.Go(func() error {
				line, timed := strings.CutPrefix(step, "! ")
				out := m.step(t, dir, line)
				mutex.Lock()
				defer mutex.Unlock()
				if !timed {
					printed[line] = out
				}
				return nil
			})
		}
		_ = running.Wait() // faults of steps are the test's
	}
	return printed
}

// groups cuts steps into runs of one command, which read only what runs before them wrote, so that an emulator may do
// several at once.
func groups(steps []string) [][]string {
	var list [][]string
	command := func(step string) string {
		name, _, _ := strings.Cut(strings.TrimPrefix(step, "! "), " ")
		return name
	}
	for i, step := range steps {
		if i == 0 || command(step) != command(steps[i-1]) {
			list = append(list, nil)
		}
		last := len(list) - 1
		list[last] = append(list[last], step)
	}
	return list
}

// step runs one command and returns what it printed.
func (m *machine) step(t *testing.T, dir, line string) string {
	t.Helper()
	c := m.command(t, strings.Fields(line)...)
	c.Dir = dir
	began := time.Now()
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		t.Errorf("%s: topoi %s: %v\n%s%s", m.name, line, err, out.Bytes(), errs.Bytes())
	}
	if took := time.Since(began); took > slow {
		t.Logf("%s: %v: topoi %s", m.name, took.Round(time.Second), line)
	}
	return out.String()
}

// hidden are outputs that tell of the machine, each with the reason.
var hidden = map[string]string{
	"run.json":             "names the machine and the seconds",
	"exported-openlineage": "names the machine and the time",
	filepath.Join("exported-mlflow", "MLmodel"): "names the time",
}

// same compares two directories and what was printed.
func same(t *testing.T, name, want, got string, printed, wantPrinted map[string]string) {
	t.Helper()
	for line, text := range wantPrinted {
		if printed[line] != text {
			t.Errorf("%s: topoi %s prints something else: %s", name, line, difference(text, printed[line]))
		}
	}
	files := 0
	err := filepath.WalkDir(want, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(want, path)
		if err != nil || hidden[relative] != "" || hidden[entry.Name()] != "" || strings.HasPrefix(relative, "s"+string(filepath.Separator)) {
			return err // the directory of a sweep has seconds in it
		}
		files++
		a, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		b, err := os.ReadFile(filepath.Join(got, relative))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return nil
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s: %s has other bytes: %s", name, relative, difference(string(a), string(b)))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if files < 100 {
		t.Errorf("there are only %d files to compare", files)
	}
}

// difference shows where two texts begin to differ.
func difference(want, got string) string {
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	part := func(s string) string { return s[max(0, min(at-30, len(s))):min(at+50, len(s))] }
	return fmt.Sprintf("byte %d of %d and %d: %q and %q", at, len(want), len(got), part(want), part(got))
}

// Every processor and every set of vector instructions gives the same bytes: every sampler, all defaults, learned
// priors, inference, evaluation, every export and the pages.
func TestSameBytesOnEveryProcessor(t *testing.T) {
	processors := named(t)
	here, want := native(t), t.TempDir()
	printed := here.run(t, want)
	compare := func(name string, other func(t *testing.T) *machine) {
		t.Run(name, func(t *testing.T) { // -run may leave it out, and then nothing is built
			m, got := other(t), t.TempDir()
			same(t, name, want, got, m.run(t, got), printed)
		})
	}
	for _, p := range processors {
		compare(p, func(t *testing.T) *machine { return emulated(t, p) })
	}
	if runtime.GOARCH != "amd64" {
		return
	}
	for _, set := range []string{"off", "avx2"} {
		compare("TOPOI_SIMD="+set, func(*testing.T) *machine {
			other := *here
			other.name, other.environment = "TOPOI_SIMD="+set, []string{"TOPOI_SIMD=" + set}
			return &other
		})
	}
	compare("noasm", func(t *testing.T) *machine {
		other := *here
		other.name, other.program = "noasm", build(t, runtime.GOARCH, "nocuda,noasm")
		return &other
	})
}
