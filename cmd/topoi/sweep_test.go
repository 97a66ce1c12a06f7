//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestKilledSweep kills a sweep again and again, at moments when something in its
// directory has just changed, and compares what it leaves in the end with what a sweep leaves
// that nobody killed.
func TestKilledSweep(t *testing.T) {
	dir := t.TempDir()
	corpus := filepath.Join(dir, "corpus.topoi")
	topoi := func(args ...string) *exec.Cmd {
		c := exec.Command("topoi", args...)
		c.Dir, c.Stderr = dir, os.Stderr
		return c
	}
	if err := topoi("generate", "--docs", "300", "--words", "300", "--mean-length", "40", "--topics", "5", "-o", corpus, "--quiet").Run(); err != nil {
		t.Fatal(err)
	}
	args := func(out string, more ...string) []string {
		return append([]string{"sweep", corpus, "-k", "3,5,40", "--seeds", "2", "-o", out, "--iterations", "40", "--checkpoint-every", "10", "--threads", "2", "--quiet"}, more...)
	}
	if err := topoi(args("whole")...).Run(); err != nil {
		t.Fatal(err)
	}
	kills := 0
	for n := 1; ; n++ {
		c := topoi(args("killed", "--resume")...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if killAfter(c, filepath.Join(dir, "killed"), 3*n) {
			kills++
			continue
		}
		if code := c.ProcessState.ExitCode(); code != 0 {
			t.Fatalf("the sweep that went on exited with %d", code)
		}
		break
	}
	if kills < 3 {
		t.Errorf("it was killed %d times only", kills)
	}
	for _, name := range []string{"sweep.csv", "topics.csv", "stability.csv", "sweep.parquet", "topics.parquet", "recommendation.json"} {
		want, err := os.ReadFile(filepath.Join(dir, "whole", name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "killed", name)); err != nil || string(got) != string(want) {
			t.Errorf("%s after %d kills differs from that of a sweep that was not killed, %v", name, kills, err)
		}
	}
	for _, name := range []string{"models", "pages", "runs"} {
		// A process that was killed between its last file and its end leaves its lock, which is nobody's then.
		got := regexp.MustCompile(`(?m)^.*\.topoi-lock\n`).ReplaceAllString(names(filepath.Join(dir, "killed", name)), "")
		if want := names(filepath.Join(dir, "whole", name)); got != want {
			t.Errorf("%s are\n%snot\n%s", name, got, want)
		}
	}
}

// killAfter kills a process once the names in a directory have changed so many times. It
// returns false if the process ended by itself.
func killAfter(c *exec.Cmd, dir string, changes int) bool {
	ended := make(chan struct{})
	go func() {
		_ = c.Wait() // its state is looked at
		close(ended)
	}()
	for last := names(dir); ; {
		select {
		case <-ended:
			return c.ProcessState.Sys().(syscall.WaitStatus).Signaled()
		case <-time.After(time.Millisecond):
		}
		if now := names(dir); now != last {
			last = now
			if changes--; changes == 0 {
				_ = c.Process.Kill() // unless it has just ended
			}
		}
	}
}

// names lists the files below a directory, a line each.
func names(dir string) string {
	var b strings.Builder
	_ = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil { // files may go while they are listed
			rest, _ := filepath.Rel(dir, path)
			fmt.Fprintln(&b, rest)
		}
		return nil
	})
	return b.String()
}
