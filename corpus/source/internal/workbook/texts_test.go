package workbook

import (
	"os"
	"strings"
	"testing"
)

// TestSharedTextsSpill: texts are the same in memory and in the temporary file,
// which vanishes.
func TestSharedTextsSpill(t *testing.T) {
	dir := t.TempDir()
	s := sharedTexts{dir: dir, limit: 1 << 20}
	text := func(i int) string { return strings.Repeat(string(rune('a'+i%26)), i*50) }
	const n = 300 // 2 MB
	for i := range n {
		if err := s.add([]byte(text(i))); err != nil {
			t.Fatal(err)
		}
	}
	if s.file == nil || len(s.buf) == 0 {
		t.Fatal("not both places are in use")
	}
	for _, i := range []int{0, n - 1, 7, 250, 251, 252, 253, 254, 8, 255} {
		if got, err := s.at(i); string(got) != text(i) || err != nil {
			t.Errorf("text %d has %d bytes, %v", i, len(got), err)
		}
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind %v", left)
	}
}
