package guard

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/mapfile"
)

// A panic of one of several goroutines comes up where all are waited for, with its place.
func TestGroup(t *testing.T) {
	var g Group
	for i := range 5 {
		g.Go(func() {
			if i == 3 {
				panicHere()
			}
		})
	}
	defer func() {
		f, ok := recover().(*Fault)
		if !ok || f.Value != "three" || !strings.Contains(string(f.Stack), "panicHere") {
			t.Errorf("%+v", f)
		}
	}()
	g.Wait()
	t.Error("no panic")
}

func panicHere() { panic("three") }

// A panic of a goroutine that nobody waits for reaches the program.
func TestOnPanic(t *testing.T) {
	defer onPanic.Store(nil)
	got := make(chan *Fault)
	OnPanic(func(f *Fault) {
		got <- f
		runtime.Goexit() // in a program, os.Exit
	})
	Go(panicHere)
	if f := <-got; f.Value != "three" {
		t.Errorf("%+v", f)
	}
}

// A file that is cut short under its map is an error that names it, whether Go or
// assembly reads it, here or in another goroutine.
func TestLostFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("files that are mapped cannot be cut short everywhere")
	}
	sum := func(b []byte) (n uint64) {
		for _, x := range b {
			n += uint64(x)
		}
		return n
	}
	for name, read := range map[string]func(b []byte) uint64{"go": sum, "assembly": xxh3.Hash} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, make([]byte, 1<<20), 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := mapfile.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 1<<16); err != nil {
			t.Fatal(err)
		}
		here := func() (err error) {
			defer Files(&err)()
			read(f.Data)
			return nil
		}
		elsewhere := func() (err error) {
			defer Files(&err)()
			var g Group
			g.Go(func() { read(f.Data) })
			g.Wait()
			return nil
		}
		for _, try := range []func() error{here, elsewhere} {
			if err := try(); !errors.Is(err, ErrFileLost) || !strings.HasPrefix(err.Error(), path+": ") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Panics that have nothing to do with files pass.
func TestOtherPanicsPass(t *testing.T) {
	defer func() {
		if f, ok := recover().(*Fault); !ok || f.Value != "three" {
			t.Errorf("%+v", f)
		}
	}()
	var err error
	defer Files(&err)()
	panicHere()
}
