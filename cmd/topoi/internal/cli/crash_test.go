package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/guard"
)

// A crash report has the trace of the goroutine that failed and no password.
func TestCrashReport(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var group guard.Group
	group.Go(func() { failsHere() })
	fault := func() (value any) {
		defer func() { value = recover() }()
		group.Wait()
		return nil
	}()
	var out strings.Builder
	args := []string{"topoi", "cluster", "work", "--store=rediss://alice:s3cret/p@ss@host:6379/0?cert=s3cret", "--job", "x"}
	if code := InternalFailure(fault, args, &out); code != exitFailure {
		t.Errorf("exit code %d", code)
	}
	if strings.Count(out.String(), "\n") != 1 || !strings.HasPrefix(out.String(), "topoi: internal error: at redis://host: it failed; please report it with ") {
		t.Errorf("%q", out.String())
	}
	found, err := filepath.Glob(filepath.Join(os.TempDir(), "topoi-crash-*.txt"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	b, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"failsHere", "--store=rediss://host:6379/0 --job x"} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %q in %s", want, b)
		}
	}
	if strings.Contains(string(b)+out.String(), "s3cret") || strings.Contains(string(b), "p@ss") {
		t.Errorf("the password is in the report: %s", b)
	}
}

func failsHere() { panic(errors.New("at redis://bob:s3cret@host: it failed")) }
