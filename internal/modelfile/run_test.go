package modelfile

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/corpus/source"
)

// Files and directories are described by their size and content; what cannot be read is only named.
func TestObserve(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.csv": "id,text\n1,x\n", "texts/1.txt": "one", "texts/b/2.txt": "two"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	sum := func(text string) string {
		b := xxh3.HashString128(text).Bytes()
		return "xxh3-128:" + hex.EncodeToString(b[:])
	}
	want := []Input{{"a.csv", 12, sum("id,text\n1,x\n")}, {"texts", 6, sum("onetwo")}, {"-", 0, ""}, {"none.csv", 0, ""}}
	facts := Observe("m", "v1", []string{"a.csv", "texts", "-", "none.csv"}, source.Options{})()
	if facts.Model != "m" || facts.Program != "v1" || facts.Cores < 1 || facts.Began.IsZero() || len(facts.Inputs) != len(want) {
		t.Fatalf("%+v", facts)
	}
	for i, in := range facts.Inputs {
		if in != want[i] {
			t.Errorf("%+v, want %+v", in, want[i])
		}
	}
}
