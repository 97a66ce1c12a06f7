package corpus

import (
	"os"
	"path/filepath"
	"testing"
)

// Two processes, or goroutines, load tables at the same time with one directory for
// temporary files.
func TestLoadsAtOnce(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "t.csv")
	if err := os.WriteFile(table, []byte("id,text\n1,cats dogs dogs\n2,dogs cats cats\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	options := ImportOptions{MinDF: 1, TempDir: dir}
	options.Progress = func(Progress) { // while the first load is under way
		options.Progress = nil
		c, _, err := Load(t.Context(), []string{table}, options)
		if err != nil {
			t.Error(err)
			return
		}
		c.Close()
	}
	c, _, err := Load(t.Context(), []string{table}, options)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}
