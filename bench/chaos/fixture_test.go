package chaos

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// fixture holds the files with which schedules begin, and the results of undisturbed runs.
type fixture struct {
	program string
	dir     string

	environment []string // beside that of the tests

	text   []string // inputs of import: the same documents in several forms
	small  string   // a corpus of 12,000 tokens
	middle string   // one of 330,000, which a cluster cuts into six parts at most
	large  string   // one of 1.2 million, which 70 MB of memory do not hold
	model  string   // a model of the small one

	mutex  sync.Mutex
	cached map[string]reference // undisturbed runs, by options
}

func newFixture(dir, program string) (*fixture, error) {
	program, err := filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	f := &fixture{
		program: program, dir: dir, small: filepath.Join(dir, "small.topoi"), middle: filepath.Join(dir, "middle.topoi"),
		large: filepath.Join(dir, "large.topoi"), model: filepath.Join(dir, "small.model"), cached: map[string]reference{},
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if err := f.writeTexts(); err != nil {
		return nil, err
	}
	for _, args := range [][]string{
		{"generate", "--docs", "400", "--words", "300", "--mean-length", "30", "--topics", "8", "-o", f.small, "--quiet"},
		{"generate", "--docs", "3000", "--words", "800", "--mean-length", "110", "--topics", "8", "-o", f.middle, "--quiet"},
		{"generate", "--docs", "8000", "--words", "3000", "--mean-length", "150", "--topics", "20", "-o", f.large, "--quiet"},
		{"train", f.small, "-k", "12", "--iterations", "10", "-o", f.model, "--quiet"},
	} {
		if _, err := f.do(dir, args...); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// writeTexts writes some thousand short documents as CSV, packed and not, and as
// JSON lines.
func (f *fixture) writeTexts() error {
	r := rand.New(rand.NewPCG(1, 2))
	var table, lines, packed bytes.Buffer
	table.WriteString("id,text\n")
	for d := range 4000 {
		var words []string
		for range 5 + r.IntN(30) {
			words = append(words, fmt.Sprintf("word%c%c", 'a'+r.IntN(1+r.IntN(26)), 'a'+r.IntN(26)))
		}
		text := strings.Join(words, " ")
		fmt.Fprintf(&table, "d%d,%s\n", d, text)
		fmt.Fprintf(&lines, "{\"id\":\"d%d\",\"text\":\"%s\"}\n", d, text)
	}
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(table.Bytes()); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	for name, b := range map[string][]byte{"docs.csv": table.Bytes(), "docs.csv.gz": packed.Bytes(), "docs.jsonl": lines.Bytes()} {
		path := filepath.Join(f.dir, name)
		f.text = append(f.text, path)
		if err := os.WriteFile(path, b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// reference is an undisturbed run.
type reference struct {
	fingerprint string
	took        time.Duration
}

// undisturbed returns what training with options gives, and how long it takes.
func (f *fixture) undisturbed(corpus string, options []string) (reference, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	key := corpus + " " + strings.Join(options, " ")
	if got, ok := f.cached[key]; ok {
		return got, nil
	}
	dir := filepath.Join(f.dir, fmt.Sprint("reference", len(f.cached)))
	begin := time.Now()
	if _, err := f.do(f.dir, append([]string{"train", corpus, "-o", dir, "--quiet"}, options...)...); err != nil {
		return reference{}, err
	}
	took := time.Since(begin)
	got, err := f.fingerprint(dir)
	f.cached[key] = reference{got, took}
	return f.cached[key], err
}

// fingerprint returns the fingerprint of a model that is whole.
func (f *fixture) fingerprint(model string) (string, error) {
	text, err := f.do(f.dir, "info", "--fingerprint", "--verify", model)
	fields := strings.Fields(text)
	if err == nil && len(fields) == 0 {
		err = fmt.Errorf("no fingerprint of %s", model)
	}
	if err != nil {
		return "", err
	}
	return fields[0], nil
}

// imported returns the bytes of the corpus file that an input gives undisturbed.
func (f *fixture) imported(input string) ([]byte, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	path := filepath.Join(f.dir, filepath.Base(input)+".topoi")
	if _, err := os.Stat(path); err != nil {
		if _, err := f.do(f.dir, "import", input, "-o", path, "--quiet"); err != nil {
			return nil, err
		}
	}
	return os.ReadFile(path)
}
