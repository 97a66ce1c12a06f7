package kernels

import (
	"flag"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/topoi-lda/topoi/internal/cuda/kernels/emulate"
)

func eachKernel(t *testing.T, check func(t *testing.T, name, ptx string)) {
	names, err := kernelNames(".")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatal("there are no kernels here")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			ptx, err := PTX(name)
			if err != nil {
				t.Fatal(err)
			}
			check(t, name, ptx)
		})
	}
}

var update = flag.Bool("update", false, "compile the kernels and write what Go shares with them")

// TestGenerate is the test that go generate runs.
func TestGenerate(t *testing.T) {
	if !*update {
		t.Skip("for go generate")
	}
	layout, err := makeLayout(".")
	if err == nil {
		err = os.WriteFile(layoutFile, layout, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	writer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	names, err := kernelNames(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		ptx, err := compilePTX(".", name)
		if err == nil {
			err = os.WriteFile(name+".ptx.zst", writer.EncodeAll(ptx, nil), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The PTX must carry the hash of the sources beside it. This needs no compiler.
func TestSourcesUnchangedSinceGenerate(t *testing.T) {
	eachKernel(t, func(t *testing.T, name, ptx string) {
		got, _, err := ptxHead(ptx)
		if err != nil {
			t.Fatal(err)
		}
		want, err := emulate.Hash(".", name)
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s.ptx.zst is not made from the present %s.cu, headers and flags: run go generate and commit it", name, name)
		}
	})
}

// One gives each kernel alone: the text around it and, of all bodies, its own.
func TestOneKernel(t *testing.T) {
	entry := regexp.MustCompile(`(?m)^\.visible \.entry (\w+)\(`)
	eachKernel(t, func(t *testing.T, name, ptx string) {
		all := entry.FindAllStringSubmatch(ptx, -1)
		length := 0
		for _, kernel := range all {
			one, err := One(name, kernel[1])
			if err != nil {
				t.Fatal(err)
			}
			if got := entry.FindAllStringSubmatch(one, -1); len(got) != 1 || got[0][1] != kernel[1] || !strings.Contains(one, "\n.target ") {
				t.Errorf("asked for %s alone, got %v", kernel[1], got)
			}
			length += len(one)
		}
		if around := (length - len(ptx)) / max(1, len(all)-1); len(all) > 1 && around > 4096 {
			t.Errorf("every kernel comes with %d bytes beside its own", around)
		}
		if _, err := One(name, "nobody"); err == nil {
			t.Error("there is a kernel called nobody")
		}
	})
}

// What Go shares with the sources must be what they say. This needs no compiler.
func TestLayoutIsFresh(t *testing.T) {
	want, err := makeLayout(".")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(layoutFile)
	if err != nil || string(got) != string(want) {
		t.Errorf("%s is not what the sources say (%v): run go generate and commit it", layoutFile, err)
	}
}

// The PTX must be what the compiler makes, to the byte.
func TestCompilingAgainGivesTheSame(t *testing.T) {
	version, err := emulate.Version()
	emulate.Need(t, err)
	eachKernel(t, func(t *testing.T, name, ptx string) {
		_, made, err := ptxHead(ptx)
		if err != nil {
			t.Fatal(err)
		}
		if made != version && !emulate.Required() {
			t.Skipf("not checked: made by %s %s, here is %s", emulate.Compiler, made, version)
		}
		again, err := compilePTX(".", name)
		if err != nil {
			t.Fatal(err)
		}
		if string(again) != ptx {
			t.Errorf("%s.ptx.zst is not what %s makes of %s.cu: run go generate and commit it", name, emulate.Compiler, name)
		}
	})
}

// Results must equal plain Go's: no fused multiply-add, and no add or mul without
// a rounding mode, which the driver's compiler would be free to fuse. No
// approximate or flushing arithmetic, and no array in local memory, where it
// would be slow.
func TestArithmeticIsPlain(t *testing.T) {
	forbidden := regexp.MustCompile(`\b(fma\.\w+|mad\.(rn|f)\w*|(add|sub|mul)\.f(32|64)|\w+\.approx\S*|\w+\.ftz\S*)`)
	eachKernel(t, func(t *testing.T, _, ptx string) {
		for i, line := range strings.Split(ptx, "\n") {
			if m := forbidden.FindString(line); m != "" {
				t.Errorf("line %d: %s", i+1, m)
			}
			if strings.Contains(line, "__local_depot") {
				t.Errorf("line %d: an array lies in local memory", i+1)
			}
		}
	})
}

func TestHead(t *testing.T) {
	hash, version, err := ptxHead("// Compiled from x.cu\n// sources sha256:abc\n// compiler 19.1.7\n.version 7.0\n")
	if hash != "abc" || version != "19.1.7" || err != nil {
		t.Errorf("got %q, %q, %v", hash, version, err)
	}
	for _, bad := range []string{"", ".version 7.0\n", "//\n//\n//\n//\n"} {
		if _, _, err := ptxHead(bad); err == nil {
			t.Errorf("%q accepted", bad)
		}
	}
}

func TestUnknownName(t *testing.T) {
	if _, err := PTX("nosuch"); err == nil || !strings.Contains(err.Error(), "nosuch.cu") {
		t.Errorf("got %v", err)
	}
}

// The emulator and the compiler are for tests: no program that is given away has them.
func TestProgramsHaveNoEmulator(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "github.com/topoi-lda/topoi/cmd/topoi").Output()
	if err != nil {
		t.Skipf("skipped: go list does not work here: %v", err)
	}
	for _, name := range strings.Fields(string(out)) {
		if name == "testing" || strings.Contains(name, "emulat") {
			t.Errorf("cmd/topoi imports %s", name)
		}
	}
}
