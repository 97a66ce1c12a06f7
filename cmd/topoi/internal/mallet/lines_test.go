package mallet

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/progress"
)

// FuzzCutLine compares the cut of a line with the expression that it stands for.
func FuzzCutLine(f *testing.F) {
	for _, s := range []string{"a b c d", "a,b, c ,d", " a b", "", "a", "a\tb\t", ",, ,x", "ä\u00a0b c\vd e"} {
		f.Add(s)
	}
	pattern := regexp.MustCompile(strings.ReplaceAll(lineRegex, `\s`, `\s\v`)) // RE2's \s lacks one that MALLET's has
	pattern = regexp.MustCompile(strings.ReplaceAll(pattern.String(), `\S`, `[^\s\v]`))
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "\n") {
			return
		}
		want := pattern.FindStringSubmatch(line)
		name, label, data := cutLine([]byte(line))
		if got := []string{string(name), string(label), string(data)}; want == nil || got[0] != want[1] || got[1] != want[2] || got[2] != want[3] {
			t.Fatalf("%q: %q, want %q", line, got, want)
		}
	})
}

// Names, labels and texts are parted by ASCII's white space and commas, others by none.
func TestCutLine(t *testing.T) {
	for line, want := range map[string][3]string{
		"a b c d":          {"a", "b", "c d"},
		"a, ,b\tc,d ":      {"a,", "b", "c,d "},
		"a ,,b c":          {"a", "b", "c"},
		"a\rb\fc":          {"a", "b", "c"},
		"a\nb\vc":          {"a", "b", "c"},
		"a\x0eb c":         {"a\x0eb", "c", ""},
		"a\x08b c":         {"a\x08b", "c", ""},
		"a\u00a0b\u0085 c": {"a\u00a0b\u0085", "c", ""},
		" a b":             {"", "a", "b"},
		"a":                {"a", "", ""},
	} {
		name, label, data := cutLine([]byte(line))
		if got := [3]string{string(name), string(label), string(data)}; got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// run runs a command in a directory of its own.
func run(t *testing.T, c Command, args ...string) error {
	t.Helper()
	fs := flagsOf(c)
	args, err := Arguments(fs, args)
	if err != nil {
		return err
	}
	if err := fs.Parse(args); err != nil {
		return err
	}
	if err := c.Check(fs); err != nil {
		return err
	}
	return c.Run(t.Context(), fs, Env{Stdout: os.Stdout, Report: progress.NewQuiet(os.Stderr)})
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// opened opens a corpus that a command wrote.
func opened(t *testing.T, name string) *corpus.Corpus {
	t.Helper()
	c, err := corpus.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// words returns the words of a document with blanks between them.
func words(c *corpus.Corpus, d int) string {
	var list []string
	for _, w := range c.Doc(d) {
		list = append(list, c.Word(int(w)))
	}
	return strings.Join(list, " ")
}

// Stop words go in any case of letters; those of a file replace the list.
func TestStopWords(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "docs.txt", "a x The quick Brown fox\nb y THE lazy dog and Fox\n")
	write(t, "list.txt", "fox\nQUICK\n")
	write(t, "more.txt", "lazy dog\n")
	for _, c := range []struct{ args, first, second string }{
		{"--preserve-case", "Brown The fox quick", "Fox THE and dog lazy"},
		{"--remove-stopwords --preserve-case", "Brown fox quick", "Fox dog lazy"},
		{"--stoplist-file list.txt", "the brown", "the and dog lazy"},
		{"--stoplist-file list.txt --extra-stopwords more.txt --preserve-case", "Brown The", "THE and"},
		{"--remove-stopwords --extra-stopwords more.txt", "fox brown quick", "fox"},
	} {
		if err := run(t, &ImportFile{}, append(strings.Fields(c.args), "--input", "docs.txt", "--output", "docs.mallet")...); err != nil {
			t.Fatal(err)
		}
		got := opened(t, "docs.mallet")
		if words(got, 0) != c.first || words(got, 1) != c.second || got.ID(1) != "b" || got.Label(1) != "y" {
			t.Errorf("%s: %q and %q, want %q and %q", c.args, words(got, 0), words(got, 1), c.first, c.second)
		}
	}
}

// Features that are numbers keep their names.
func TestNumericFeatures(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a.svm", "1 3:2 70000:1\n-1 3:1\n")
	if err := run(t, &ImportSVMLight{}, "--input", "a.svm", "--output", "a.mallet"); err != nil {
		t.Fatal(err)
	}
	if c := opened(t, "a.mallet"); c.NumWords() != 2 || words(c, 0) != "3 3 70000" || words(c, 1) != "3" {
		t.Errorf("%d words, %q, %q", c.NumWords(), words(c, 0), words(c, 1))
	}
}

// A pipe must be one that cuts text.
func TestPipeOfCounts(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a.svm", "1 x:2\n")
	write(t, "docs.txt", "a b some text\n")
	if err := run(t, &ImportSVMLight{}, "--input", "a.svm", "--output", "a.mallet"); err != nil {
		t.Fatal(err)
	}
	err := run(t, &ImportFile{}, "--input", "docs.txt", "--use-pipe-from", "a.mallet", "--output", "b.mallet")
	if want := "--use-pipe-from a.mallet: this corpus was not made from text, so it cannot say how to treat text"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Lines that end as Windows has it give the same documents, and so do stop words and options from such files.
func TestLinesOfWindows(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, end := range []string{"\n", "\r\n"} {
		write(t, "docs.txt", strings.ReplaceAll("a x the quick fox\nb y lazy dog\n", "\n", end))
		write(t, "list.txt", strings.ReplaceAll("quick\nlazy\n", "\n", end))
		write(t, "options", strings.ReplaceAll("stoplist-file = list.txt\nkeep-sequence = TRUE\n", "\n", end))
		args, err := Arguments(flagsOf(&ImportFile{}), []string{"--config", "options", "--input", "docs.txt", "--output", "docs.mallet"})
		if err != nil {
			t.Fatal(err)
		}
		if err := run(t, &ImportFile{}, args...); err != nil {
			t.Fatal(err)
		}
		if c := opened(t, "docs.mallet"); words(c, 0) != "fox the" || words(c, 1) != "dog" || c.Text(1) != "lazy dog" {
			t.Errorf("%q: %q, %q, %q", end, words(c, 0), words(c, 1), c.Text(1))
		}
	}
}

func TestFileAddress(t *testing.T) {
	for _, c := range []struct {
		path      string
		separator rune
		want      string
	}{
		{"/tmp/a b/c.txt", '/', "file:/tmp/a%20b/c.txt"},
		{"/é/100%/x;y", '/', "file:/é/100%25/x%3By"},
		{`/a\b`, '/', "file:/a%5Cb"}, // a name like any other
		{`C:\Users\Zoë\a b`, '\\', "file:/C:/Users/Zoë/a%20b"},
		{`\\server\share\x`, '\\', "file://server/share/x"},
	} {
		if got := fileAddress(c.path, c.separator); got != c.want {
			t.Errorf("%s: %s, want %s", c.path, got, c.want)
		}
	}
}

func TestInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		400 * time.Millisecond: "0 seconds",
		3725 * time.Second:     "1 hours 2 minutes 5 seconds",
		48 * time.Hour:         "2 days 0 seconds",
	} {
		if got := inWords(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}
