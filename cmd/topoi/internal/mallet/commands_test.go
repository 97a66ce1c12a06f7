package mallet

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/progress"
)

// told runs a command and returns what it says.
func told(t *testing.T, c Command, args ...string) (out, says string) {
	t.Helper()
	fs := flagsOf(c)
	args, err := Arguments(fs, args)
	if err == nil {
		err = fs.Parse(args)
	}
	if err == nil {
		err = c.Check(fs)
	}
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if err := c.Run(t.Context(), fs, Env{Stdout: &stdout, Report: progress.NewLog(&stderr)}); err != nil {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String()
}

// unpacked returns a file, unpacked if its name ends in .gz.
func unpacked(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err == nil && strings.HasSuffix(name, ".gz") {
		var r *gzip.Reader
		if r, err = gzip.NewReader(bytes.NewReader(b)); err == nil {
			b, err = io.ReadAll(r)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Directories are read one after the other; a header ends at the first blank line, and only where it is to be left out; tags go
// only where that is asked for.
func TestImportDirectories(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{
		"one/a": "From: me\n\nbody words", "one/b": "plain words", "two/c": "<p>tagged words</p>\n\nand more", "three/d": "last words",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, name, content)
	}
	for args, want := range map[string][]string{
		"":                          {"from me body words", "plain words", "tagged words and more", "last words"},
		"--skip-header":             {"body words", "plain words", "and more", "last words"},
		"--skip-html":               {"from me body words", "plain words", "tagged words and more", "last words"},
		"--skip-header --skip-html": {"body words", "plain words", "and more", "last words"},
	} {
		list := append([]string{"--input", "one", "two", "three", "--output", "dirs.mallet", "--keep-sequence", "--token-regex", `\w\w+`}, strings.Fields(args)...)
		told(t, &ImportDir{}, list...)
		c := opened(t, "dirs.mallet")
		if c.NumDocs() != 4 {
			t.Fatalf("%s: %d documents", args, c.NumDocs())
		}
		for d, doc := range want {
			if args == "" && d == 2 || args == "--skip-header" && d == 2 {
				continue // p is too short a word to tell tags by
			}
			got, wanted := strings.Fields(words(c, d)), strings.Fields(doc)
			slices.Sort(got)
			slices.Sort(wanted)
			if !slices.Equal(got, wanted) {
				t.Errorf("%s: document %d has %q, want %q", args, d, got, wanted)
			}
		}
		if c.Label(0) != "one" || c.Label(2) != "two" || c.Label(3) != "three" || !strings.HasSuffix(c.ID(3), "/three/d") {
			t.Errorf("%s: labels %q %q %q, id %q", args, c.Label(0), c.Label(2), c.Label(3), c.ID(3))
		}
	}
}

// The groups of an expression are name, label and text by their numbers; 0 is none.
func TestLineGroups(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "lines.txt", "pets|d1|cat dog\nmeals|d2|soup bread\n")
	told(t, &ImportFile{}, "--input", "lines.txt", "--keep-sequence", "--line-regex", `^(\w+)\|(\w+)\|(.*)$`, "--name", "2", "--label", "1", "--data", "3", "--output", "lines.mallet")
	c := opened(t, "lines.mallet")
	if c.ID(1) != "d2" || c.Label(1) != "meals" || c.Label(0) != "pets" || len(c.Doc(0)) != 2 || !strings.Contains(words(c, 1), "soup") {
		t.Errorf("id %q, labels %q and %q, words %q", c.ID(1), c.Label(0), c.Label(1), words(c, 1))
	}
	told(t, &ImportFile{}, "--input", "lines.txt", "--keep-sequence", "--line-regex", `^(\w+)\|(\w+)\|(.*)$`, "--name", "0", "--label", "0", "--data", "3", "--output", "bare.mallet")
	if c := opened(t, "bare.mallet"); c.Label(0) != "" || c.ID(0) != "0" {
		t.Errorf("without groups: id %q, label %q", c.ID(0), c.Label(0))
	}
}

// imported imports six short documents as docs.mallet into a new directory.
func imported(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	var lines []string
	for i := range 6 {
		lines = append(lines, fmt.Sprintf("d%d x %s", i, strings.Repeat([]string{"cat dog bird ", "soup bread salt "}[i%2], 4)))
	}
	write(t, "docs.txt", strings.Join(lines, "\n")+"\n")
	told(t, &ImportFile{}, "--input", "docs.txt", "--keep-sequence", "--output", "docs.mallet")
}

// Documents are dealt out by their shares, rounded; each to one list.
func TestSplit(t *testing.T) {
	imported(t)
	for shares, want := range map[string][3]int{
		"0.5 0":     {3, 3, 0},
		"0.5 0.5":   {3, 0, 3},
		"0.34 0.33": {2, 2, 2},
		"1 0":       {6, 0, 0},
		"0 1":       {0, 0, 6},
		"0.25 0.75": {2, 0, 4}, // 1.5 and 4.5 documents, rounded to 2 and 5: the first list comes first
	} {
		train, third, _ := strings.Cut(shares, " ")
		names := [3]string{"a.mallet", "b.mallet", "c.mallet"}
		for _, name := range names {
			_ = os.Remove(name) // of the case before
		}
		c := &Change{}
		told(t, c, "--input", "docs.mallet", "--training-portion", train, "--validation-portion", third,
			"--training-file", names[0], "--testing-file", names[1], "--validation-file", names[2])
		seen := map[string]int{}
		for i, name := range names {
			if _, err := os.Stat(name); (err == nil) != (want[i] > 0) {
				t.Errorf("%s: %s is there: %v", shares, name, err)
			}
			if want[i] == 0 {
				continue
			}
			list := opened(t, name)
			if list.NumDocs() != want[i] {
				t.Errorf("%s: %s has %d documents, want %d", shares, name, list.NumDocs(), want[i])
			}
			for d := range list.NumDocs() {
				seen[list.ID(d)]++
			}
		}
		if len(seen) != 6 || slices.Max(slices.Collect(maps.Values(seen))) != 1 {
			t.Errorf("%s: documents %v", shares, seen)
		}
	}
}

// A training tells its likelihood every ten sweeps, and how long it took. States and models are saved on the way where they
// have names, with the result of a training without.
func TestTrainOnTheWay(t *testing.T) {
	imported(t)
	common := []string{"--input", "docs.mallet", "--num-topics", "2", "--num-iterations", "25", "--random-seed", "3", "--optimize-interval", "5", "--optimize-burn-in", "2"}
	_, says := told(t, &TrainTopics{}, append(slices.Clone(common), "--output-model", "whole", "--output-state", "whole.gz")...)
	for _, want := range []string{"<10> LL/token: -", "<20> LL/token: -", "Total time: "} {
		if strings.Count(says, want) != 1 {
			t.Errorf("%q is said %d times:\n%s", want, strings.Count(says, want), says)
		}
	}
	if strings.Count(says, "LL/token") != 2 {
		t.Errorf("the likelihood is told %d times", strings.Count(says, "LL/token"))
	}
	told(t, &TrainTopics{}, append(slices.Clone(common), "--output-model", "parts", "--output-state", "parts.gz", "--output-model-interval", "10", "--output-state-interval", "12")...)
	prints := func(name string) string {
		m, err := topoi.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		return m.Fingerprint()
	}
	if prints("whole") != prints("parts") || unpacked(t, "whole.gz") != unpacked(t, "parts.gz") {
		t.Error("saving on the way gives another model")
	}
	names, err := filepath.Glob("parts*")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"parts", "parts.10", "parts.20", "parts.gz", "parts.gz.12", "parts.gz.24"}; !slices.Equal(names, want) {
		t.Errorf("files %q, want %q", names, want)
	}
	for args, want := range map[string][]string{
		"--output-model one --output-model-interval 10":    {"one", "one.10", "one.20"},
		"--output-state one.gz --output-state-interval 12": {"one.gz", "one.gz.12", "one.gz.24"},
	} {
		told(t, &TrainTopics{}, append(slices.Clone(common), strings.Fields(args)...)...)
		if names, err := filepath.Glob(want[0] + "*"); err != nil || !slices.Equal(names, want) {
			t.Errorf("%s: files %q, want %q", args, names, want)
		}
		for _, name := range want {
			_ = os.RemoveAll(name)
		}
	}
	told(t, &TrainTopics{}, append(slices.Clone(common), "--output-topic-keys", "keys.txt", "--output-model-interval", "10", "--output-state-interval", "10")...)
	if names, err := filepath.Glob("*.10"); err != nil || len(names) != 1 {
		t.Errorf("states without a name are saved as %q", names)
	}
}

// Options that topoi lacks are refused with the reason, unless their value changes nothing.
func TestRefusals(t *testing.T) {
	for args, want := range map[string]string{
		"--use-ngrams true":  "--use-ngrams is not supported: ",
		"--use-ngrams false": "",
		"--use-pam":          "--use-pam is not supported: ",
		"--gamma 0.1":        "",
		"":                   "",
	} {
		err := checked(t, &TrainTopics{}, "--input a --output-model m "+args)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
	if err := checked(t, &TrainTopics{}, "--output-model m"); err == nil || !strings.Contains(err.Error(), "--input is missing: add --input FILE") {
		t.Error(err)
	}
}

// A value that changes nothing is no reason to refuse an option.
func TestHarmlessValues(t *testing.T) {
	if err := checked(t, &Info{}, "--input a --print-infogain 0"); err != nil {
		t.Error(err)
	}
	if err := checked(t, &Info{}, "--input a --print-infogain 5"); err == nil || !strings.Contains(err.Error(), "--print-infogain is not supported: ") {
		t.Error(err)
	}
}
