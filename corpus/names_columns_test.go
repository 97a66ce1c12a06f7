package corpus

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/corpus/source"
)

// Labels and times from names of files are columns with the names of the pattern, and are found as label and time too.
func TestColumnsOfNames(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"2001_red_7.txt": "wind coal wind", "2002_blue_8.txt": "school pupil coal"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, _, err := Load(t.Context(), []string{dir}, ImportOptions{
		Source: source.Options{NamePattern: "{year}_{party}_{number}.txt"}, MinDF: 1, MaxDF: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for name, want := range map[string]string{"party": "red", "label": "red", "year": "2001", "time": "2001", "number": "7"} {
		found, err := column.Find(c.Columns(), name)
		if err != nil || found.Values.At(0) != want {
			t.Errorf("column %s: %v, %v", name, found, err)
		}
	}
}
