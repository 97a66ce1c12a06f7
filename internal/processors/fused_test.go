package processors

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// ours picks the functions of this module. Others may fuse: none of them decides bytes that are promised, and
// the runs on other processors would show it.
func ours(function string) bool { return strings.HasPrefix(function, "github.com/topoi-lda/topoi/") }

// No function of the program rounds a product together with the sum it goes into, because only some processors
// do that. This finds what no rule about sources can: products that reach a sum by a variable, through a function that
// was inlined, or as divisions that the compiler turned into multiplications.
func TestNothingIsFused(t *testing.T) {
	for _, processor := range named(t) {
		places, err := FindFused(build(t, processor, "nocuda"), ours)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range places {
			t.Errorf("%s: %s:%d: a product in %s is rounded together with a sum: write float64(x*y) + z, with the conversion "+
				"where the product is made", processor, p.File, p.Line, p.Function)
		}
	}
}

// The search finds fused instructions on every processor, each on its line, and none where a conversion forbids them.
func TestFusedIsFound(t *testing.T) {
	processors := named(t)
	dir := t.TempDir()
	source := `package main

import "os"

var x = float64(len(os.Args))

//go:noinline
func fused(a, b, c float64) float64 {
	t := a * b
	c++
	return t - c
}

//go:noinline
func single(a, b, c float32) float32 { return a*b + c }

//go:noinline
func rounded(a, b, c float64) float64 { return float64(a*b) + c }

func main() { println(fused(x, x, x), single(float32(x), 2, 3), rounded(x, x, x)) }
`
	for name, text := range map[string]string{"main.go": source, "go.mod": "module m\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, processor := range processors {
		program := filepath.Join(dir, processor)
		c := exec.Command("go", "build", "-o", program, ".")
		c.Dir, c.Env = dir, append(os.Environ(), "GOOS=linux", "GOARCH="+processor, "CGO_ENABLED=0", "GOFLAGS=-trimpath")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		places, err := FindFused(program, func(f string) bool { return strings.HasPrefix(f, "main.") })
		if err != nil {
			t.Fatal(err)
		}
		var functions []string
		for _, p := range places {
			functions = append(functions, p.Function)
		}
		if got := strings.Join(functions, " "); got != "main.fused main.single" {
			t.Errorf("%s: found %q in %v", processor, got, places)
		}
	}
}
