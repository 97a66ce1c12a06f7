package emulate

import (
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda/kernels/compile"
)

func TestFaults(t *testing.T) {
	compile.Need(t, Available())
	if _, err := Compile("..", "nosuch", t.TempDir()); err == nil || !strings.Contains(err.Error(), "nosuch.cu") {
		t.Errorf("a source that is not there: %v", err)
	}
	program, err := Compile("..", "philox", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for want, launch := range map[string]func(*Emulator) error{
		"no kernel nosuch":            func(e *Emulator) error { return e.Launch("nosuch", 1, 32) },
		"threads must be whole warps": func(e *Emulator) error { return e.Launch("philox_blocks", 1, 33) },
		"cannot be an argument":       func(e *Emulator) error { return e.Launch("philox_blocks", 1, 32, "text") },
	} {
		e, err := Start(program)
		if err != nil {
			t.Fatal(err)
		}
		if err := launch(e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		_ = e.Close() // already ended by the fault
	}
}
