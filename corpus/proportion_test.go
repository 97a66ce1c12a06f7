package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Inputs of a few bytes that promise thousands of millions of documents, words or tokens are
// refused before memory and disk are spent on them.
func TestOutOfProportion(t *testing.T) {
	for _, test := range []struct{ name, content, want string }{
		{"docs.txt", "1000000000\n5\n1\n1 1 1\n", "documents; check its header"},
		{"gap.txt", "1000000000\n5\n2\n1 1 1\n999999999 1 1\n", "documents; check its header"},
		{"matrix.mtx", "%%MatrixMarket matrix coordinate integer general\n1000000000 10 1\n1 1 1\n", "documents; check its header"},
		{"ids.ldac", "1 268435454:1\n", "the input has 14 bytes but refers to 268,435,454 words; check its header"},
		{"tokens.ldac", "1 5:2000000000\n", "2,000,000,000 tokens; check its header"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, test.name)
		if err := os.WriteFile(path, []byte(test.content), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Import(t.Context(), []string{path}, filepath.Join(dir, "out.topoi"), ImportOptions{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		if left, _ := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("%s: %v is left", test.name, left)
		}
	}
}

// So are synthetic corpora that no disk holds.
func TestGenerateTooMuch(t *testing.T) {
	out := filepath.Join(t.TempDir(), "c.topoi")
	_, err := Generate(t.Context(), out, GenerateOptions{Docs: 1 << 40, MeanLength: 1 << 20})
	if err == nil || !strings.Contains(err.Error(), "the corpus needs about ") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a file was made")
	}
}
