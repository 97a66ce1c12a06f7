package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/program"
)

// What cannot become a kernel is refused with a sentence, and nothing is written.
func TestRefuses(t *testing.T) {
	program.Need(t, "TOPOI_REQUIRE_CLANG", "there is no clang-19", "clang-19", "--version")
	for name, c := range map[string]struct{ declared, source, want string }{
		"a call": {
			"func sumNEON(p *float32, n int)",
			"void other(float *);\nvoid sum(float *p, int64_t n) { if (n > 0) other(p); }", `it calls "other"`,
		},
		"no source": {"func sumNEON(p *float32)", "void add(float *p) { *p += 1; }", "neither the C files nor"},
		"a string":  {"func sumNEON(s string)", "", "a kernel cannot take string"},
		"a map in a structure": {
			"type args struct{ m map[int]int }\n\nfunc sumNEON(a *args)", "", "field m of args",
		},
		"two results":         {"func sumNEON(p *float32) (a, b int)", "", "it returns 2 values"},
		"another declaration": {"func sumNEON(p *float32)", "void sum(double *p) { *p += 1; }", "conflicting types"},
		"too much stack": {
			"func sumNEON(p *float32, n int)",
			"void sum(float *p, int64_t n) { volatile float x[999]; for (int64_t i = 0; i < n; i++) x[i] = p[i]; }",
			"bytes of stack",
		},
		"nine numbers": {
			"func sumNEON(a, b, c, d, e, f, g, h, i *float32)",
			"void sum(float *a, float *b, float *c, float *d, float *e, float *f, float *g, float *h, float *i) {\n" +
				"*a = *b + *c + *d + *e + *f + *g + *h + *i; }",
			"give a structure",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range map[string]string{
				"go.mod":       "module example.org/m\n",
				"sum_arm64.go": "package m\n\n" + c.declared + "\n",
				"kernel/sum.c": "#include \"go.h\"\n" + c.source + "\n",
			} {
				path := filepath.Join(dir, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if err := generate(dir, false); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
			if _, err := os.Stat(filepath.Join(dir, "kernels_arm64.s")); err == nil {
				t.Error("a file was written")
			}
		})
	}
}
