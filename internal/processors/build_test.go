package processors

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/topoi-lda/topoi/internal/program"
)

// emulators are the programs of qemu-user by the processor's name in Go.
var emulators = map[string]string{
	"arm64": "qemu-aarch64-static", "ppc64le": "qemu-ppc64le-static",
	"riscv64": "qemu-riscv64-static", "s390x": "qemu-s390x-static",
}

// machine is a way to run the program.
type machine struct {
	name        string
	emulator    string // empty for the processor of this machine
	program     string
	environment []string
}

// command returns a command that runs the program.
func (m *machine) command(t *testing.T, arguments ...string) *exec.Cmd {
	words := append([]string{m.program}, arguments...)
	if m.emulator != "" {
		words = append([]string{m.emulator}, words...)
	}
	c := exec.CommandContext(t.Context(), words[0], words[1:]...)
	c.Env = append(os.Environ(), m.environment...)
	return c
}

// builds holds the programs of all tests; the directory is removed when they end.
var builds = struct {
	directory string
	programs  map[string]func() (string, error) // by processor and tags
	sync.Mutex
}{programs: map[string]func() (string, error){}}

func TestMain(m *testing.M) {
	directory, err := os.MkdirTemp("", "processors")
	if err != nil {
		panic(err)
	}
	builds.directory = directory
	code := m.Run()
	_ = os.RemoveAll(directory)
	os.Exit(code)
}

// build builds the program for a processor, once for all tests.
func build(t *testing.T, processor, tags string) string {
	t.Helper()
	name := processor + "," + tags
	builds.Lock()
	once, ok := builds.programs[name]
	if !ok {
		once = sync.OnceValues(func() (string, error) { return compile(processor, tags) })
		builds.programs[name] = once
	}
	builds.Unlock()
	program, err := once()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// compile builds the program without symbols for debuggers, which nothing here reads. Without CUDA it is static, as an
// emulator needs it that has no libraries of the other system.
func compile(processor, tags string) (string, error) {
	program := filepath.Join(builds.directory, processor+strings.ReplaceAll(tags, ",", "-"))
	c := exec.Command("go", "build", "-tags", tags, "-ldflags=-s -w", "-o", program, "github.com/topoi-lda/topoi/cmd/topoi")
	c.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+processor, "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return "", &buildError{processor, string(out)}
	}
	return program, nil
}

type buildError struct{ processor, output string }

func (e *buildError) Error() string { return "building for " + e.processor + ": " + e.output }

// named returns the processors that TOPOI_PROCESSORS names and that can run here, or skips the test.
func named(t *testing.T) []string {
	t.Helper()
	list := os.Getenv("TOPOI_PROCESSORS")
	if list == "" {
		t.Skip("TOPOI_PROCESSORS names no processors")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the emulators are for Linux")
	}
	processors := strings.Split(list, ",")
	for _, p := range processors {
		emulator, known := emulators[p]
		if !known {
			t.Fatalf("TOPOI_PROCESSORS names %q, which is none of arm64, ppc64le, riscv64 and s390x", p)
		}
		_, err := exec.LookPath(emulator)
		switch {
		case err == nil:
		case os.Getenv("TOPOI_REQUIRE_QEMU") == "1":
			t.Fatal(err)
		default:
			t.Skipf("skipped: %v (TOPOI_REQUIRE_QEMU=1 makes this a failure)", err)
		}
	}
	return processors
}

// emulated returns the machine that emulates a processor.
func emulated(t *testing.T, processor string) *machine {
	t.Helper()
	return &machine{name: processor, emulator: emulators[processor], program: build(t, processor, "nocuda")}
}

// native returns this machine.
func native(t *testing.T) *machine {
	t.Helper()
	return &machine{name: runtime.GOARCH, program: program.Build(t)}
}
