//go:build unix

package train

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/tier"

	"golang.org/x/sys/unix"
)

const trainOnFullDisk = "TOPOI_TEST_TRAIN_ON_FULL_DISK"

// A disk that is full stops a run with one sentence and leaves the state before,
// from which it goes on to the same model. A limit on the size of files, set in a
// process of its own, stands for the disk.
func TestFilesOnAFullDisk(t *testing.T) {
	tier.Long(t, "internal/wholefile fills disks")
	small(t)
	c := zipf(4000)
	if of := os.Getenv(trainOnFullDisk); of != "" {
		name, dir, _ := strings.Cut(of, ":")
		opts := filesOptions(name, dir)
		opts.Events.Iteration = func(i topoi.IterationInfo) {
			if i.Iteration == 2 {
				limitFiles(t, 100_000)
			}
		}
		_, err := Run(t.Context(), c, opts)
		fmt.Printf("error: %v\n", err)
		return
	}
	for _, name := range []string{"warp", "light"} {
		dir := t.TempDir()
		opts := filesOptions(name, dir)
		want := mustTrain(t, c, inMemory(opts)).Fingerprint()
		child := exec.Command(os.Args[0], "-test.run=^TestFilesOnAFullDisk$")
		child.Env = append(os.Environ(), trainOnFullDisk+"="+name+":"+dir)
		out, err := child.CombinedOutput()
		line, _, _ := strings.Cut(string(out), "\n")
		if err != nil || !strings.HasPrefix(line, "error: iteration 3: cannot write ") ||
			!strings.HasSuffix(line, ": file too large: the run up to iteration 2 is kept: resume when that is fixed") {
			t.Fatalf("%s: %v, %s", name, err, out)
		}
		resumed := -1
		opts.Resume, opts.Events = true, topoi.Events{Start: func(s topoi.StartInfo) { resumed = s.Iteration }}
		if got := mustTrain(t, c, opts).Fingerprint(); got != want || resumed != 2 {
			t.Errorf("%s: model %s, want %s, resumed after iteration %d", name, got, want, resumed)
		}
	}
}

// limitFiles sets the largest size that a file of this process can grow to.
func limitFiles(t *testing.T, bytes uint64) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	limit.Cur = bytes
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
}
