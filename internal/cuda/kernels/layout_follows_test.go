package kernels

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// layoutOf is the layout with one file of the kernels' directory replaced.
func layoutOf(t *testing.T, file, from, to string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	for _, of := range shared {
		text, err := os.ReadFile(of.file)
		if err != nil {
			t.Fatal(err)
		}
		if of.file == file {
			if !strings.Contains(string(text), from) {
				t.Fatalf("%s does not contain %q", file, from)
			}
			text = []byte(strings.Replace(string(text), from, to, 1))
		}
		if err := os.WriteFile(filepath.Join(dir, of.file), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	layout, err := makeLayout(dir)
	return string(layout), err
}

// A change of a constant, a field or a kernel shows.
func TestLayoutFollowsSources(t *testing.T) {
	for _, c := range []struct{ file, from, to, want string }{
		{"warp_groups.h", "kMembers = 32;", "kMembers = 64;", "WarpGroupsMembers = 64\n"},
		{"warp_stream.cu", "kDense = 0x80000000u;", "kDense = 0x40000000u;", "WarpStreamDense = 0x40000000\n"},
		{"warp_docs.h", "u32 from, n; ", "u32 n, from, more; ", "N, From, More uint32"},
		{"batch.cu", "DRAW(64, 2, 12, true)", "DRAW(96, 3, 7, false)", "{Topics: 96, Blocks: 7, Counts: false},"},
		{"batch.cu", "__launch_bounds__(128, BLOCKS)", "__launch_bounds__(64, BLOCKS)", "BatchDrawThreads = 64\n"},
	} {
		got, err := layoutOf(t, c.file, c.from, c.to)
		if err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q is not in the layout (%v)", c.file, c.want, err)
		}
	}
}

// What is not understood is refused.
func TestLayoutRefuses(t *testing.T) {
	for _, c := range []struct{ file, from, to, want string }{
		{"warp_groups.h", "const u32 kMembers = 32;", "const u32 kMembers = 4 * 8;", "kMembers"},
		{"warp_groups.h", "const u32 kMembers = 32;", "const u32 kMembers = 32;\n", "NUMBER;  // what it is"},
		{"warp_groups.h", "u32 unused[2];", "float unused[2];", "float unused[2];"},
		{"warp_docs.h", "struct alignas(16) Head", "struct alignas(16) Title", "no structure Head"},
		{"batch.cu", "__launch_bounds__(128, BLOCKS)", "", "no macro DRAW"},
	} {
		if _, err := layoutOf(t, c.file, c.from, c.to); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.file, err, c.want)
		}
	}
}
