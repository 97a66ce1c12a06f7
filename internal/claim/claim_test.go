package claim

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var background = context.Background()

// holdVariable has the test binary hold the place that it names until its standard input ends. It checks the place, and
// says what came of it, for every line that it reads. beatVariable sets the time between signs of life.
const (
	holdVariable = "TOPOI_TEST_HOLD"
	beatVariable = "TOPOI_TEST_BEAT"
)

func TestMain(m *testing.M) {
	path := os.Getenv(holdVariable)
	if path == "" {
		os.Exit(m.Run())
	}
	if every, err := time.ParseDuration(os.Getenv(beatVariable)); err == nil {
		beatEvery = every
	}
	_, s, err := Hold(background, At(path))
	if err != nil {
		os.Stdout.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
	os.Stdout.WriteString("held\n")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if err := errors.Join(s.Check(), Verify(path)); err != nil {
			os.Stdout.WriteString(strings.ReplaceAll(err.Error(), "\n", "; ") + "\n")
		} else {
			os.Stdout.WriteString("mine\n")
		}
	}
	s.Release()
}

// another is a process that tries to hold a place.
type another struct {
	*exec.Cmd
	end  io.WriteCloser // lets it release the place when it is closed
	out  *bufio.Reader
	said string
}

func startAnother(t *testing.T, path string) *another {
	t.Helper()
	return startWith(t, path, func(*exec.Cmd) {})
}

// startWith is startAnother for a process that is prepared.
func startWith(t *testing.T, path string, prepare func(*exec.Cmd)) *another {
	t.Helper()
	a := &another{Cmd: exec.Command(os.Args[0], "train", "--password", "geheim")}
	a.Env = append(os.Environ(), holdVariable+"="+path)
	prepare(a.Cmd)
	in, err := a.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := a.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Start(); err != nil {
		t.Fatal(err)
	}
	a.end = in
	a.out = bufio.NewReader(out)
	a.said, _ = a.out.ReadString('\n')
	t.Cleanup(func() { _ = a.Process.Kill(); _ = a.Wait() })
	return a
}

// check has the process look whether the place is still its own, and returns what it says.
func (a *another) check() string {
	_, _ = io.WriteString(a.end, "check\n") // one that has ended says nothing
	said, _ := a.out.ReadString('\n')
	return said
}

func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A place of another process is refused with a sentence that names it, whatever path leads there, and is free as
// soon as that process has ended, however that happens.
func TestAnotherProcess(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	first := startAnother(t, path)
	if first.said != "held\n" {
		t.Fatal(first.said)
	}
	for _, same := range []string{path, filepath.Join(link, "m"), filepath.Join(dir, "x", "..", "m")} {
		_, _, err := Hold(background, At(same))
		if !errors.Is(err, ErrTaken) {
			t.Fatalf("%s: %v", same, err)
		}
		for _, want := range []string{same, "process " + strconv.Itoa(first.Process.Pid), " train\"", "since 2"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q does not say %q", err, want)
			}
		}
		if strings.Contains(err.Error(), "geheim") {
			t.Errorf("a password is told: %v", err)
		}
	}
	if err := errors.Join(first.Process.Kill()); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	second := startAnother(t, path) // takes over what the killed one left
	if second.said != "held\n" {
		t.Fatal(second.said)
	}
	second.end.Close()
	if err := second.Wait(); err != nil {
		t.Error(err)
	}
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

// Many processes at once: one at a time has the place, and all have it in the end.
func TestWait(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m")
	first := startAnother(t, path)
	time.AfterFunc(50*time.Millisecond, func() { first.end.Close() })
	s, err := Wait(background, time.Minute, At(path))
	if err != nil {
		t.Fatal(err)
	}
	if second := startAnother(t, path); !strings.Contains(second.said, "in use by process") {
		t.Error(second.said)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	s.Release()
	s.Release() // again does nothing
	third := startAnother(t, path)
	if _, err := Wait(background, 20*time.Millisecond, At(path)); !errors.Is(err, ErrTaken) {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(background)
	cancel()
	if _, err := Wait(ended, time.Minute, At(path)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	third.end.Close()
}

// In one process a place can be held once, except by those who have the context of the owner.
func TestOneProcess(t *testing.T) {
	dir := t.TempDir()
	path, work := filepath.Join(dir, "m"), filepath.Join(dir, "work")
	ctx, outer, err := Hold(background, OfRun(path, work)...)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Hold(background, At(path)); !errors.Is(err, ErrTaken) {
		t.Errorf("it was held twice: %v", err)
	}
	_, inner, err := Hold(ctx, At(path), At(path), In(work))
	if err != nil {
		t.Fatal(err)
	}
	outer.Release()
	if _, _, err := Hold(background, At(path)); !errors.Is(err, ErrTaken) {
		t.Errorf("it was released too early: %v", err)
	}
	shared, err := Share(At(path))
	if err != nil {
		t.Fatal(err)
	}
	inner.Release()
	shared.Release()
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	// Nothing is claimed where nothing can be replaced or made.
	for _, p := range []Place{At(os.DevNull), At(filepath.Join(dir, "missing", "m"))} {
		if _, s, err := Hold(background, p); err != nil || len(s.claims) > 0 {
			t.Errorf("%v: %v", p, err)
		}
	}
}

// Goroutines that claim and release at once never own a place together.
func TestManyAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m")
	var group sync.WaitGroup
	var inside sync.Mutex
	for range 4 {
		group.Go(func() {
			for done := 0; done < 20; {
				_, s, err := Hold(background, At(path))
				if err != nil {
					continue
				}
				if !inside.TryLock() {
					t.Error("two own it")
				} else {
					inside.Unlock()
				}
				s.Release()
				done++
			}
		})
	}
	group.Wait()
}

// Who removes a lock file lets others in: the owner notices.
func TestLockFileRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m")
	_, s, err := Hold(background, At(path))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Release()
	lock, _ := At(path).lockFile()
	if err := os.Remove(lock); err != nil {
		t.Skip(err)
	}
	if err := s.Check(); err != nil {
		t.Errorf("nobody has taken it: %v", err)
	}
	if _, err := os.Stat(lock); err != nil {
		t.Error("it is not locked again")
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	if other := startAnother(t, path); other.said != "held\n" {
		t.Fatal(other.said)
	}
	if err := s.Check(); !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "was removed meanwhile") {
		t.Errorf("another has it: %v", err)
	}
}

// leave puts the record of another machine's process into a lock file.
func leave(t *testing.T, path string) {
	t.Helper()
	b, err := json.Marshal(owner{Token: "other", PID: 17, Host: "elsewhere", Command: "topoi train"})
	if err == nil {
		err = os.WriteFile(path, b, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Where a lock cannot be seen, an owner counts as long as it touches its record; of several who find a place free, one
// gets it.
func TestWithoutLocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer func(s, b time.Duration) { settle, beatEvery = s, b }(settle, beatEvery)
		settle, beatEvery = 5*time.Millisecond, 20*time.Millisecond
		defer func(before func(*os.File) (bool, bool)) { tryLock = before }(tryLock)
		for _, locks := range []bool{true, false} {
			if !locks {
				tryLock = func(*os.File) (bool, bool) { return false, false }
			}
			path := filepath.Join(t.TempDir(), "m")
			lock, _ := At(path).lockFile()
			leave(t, lock)
			stop := make(chan struct{})
			var touching sync.WaitGroup
			touching.Go(func() {
				for i := 0; ; i++ {
					select {
					case <-stop:
						return
					case <-time.After(beatEvery):
						_ = os.Chtimes(lock, time.Time{}, time.Now().Add(time.Duration(i)*time.Second))
					}
				}
			})
			_, _, err := Hold(background, At(path))
			if !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "process 17 on elsewhere") {
				t.Errorf("locks %v: it is touched, and taken: %v", locks, err)
			}
			close(stop)
			touching.Wait()
			_, s, err := Hold(background, At(path))
			if err != nil {
				t.Fatalf("locks %v: it is stale: %v", locks, err)
			}
			was := contentOf(lock)
			time.Sleep(3*beatEvery + beatEvery/2)
			synctest.Wait() // a sign of life that waits for the mutex would hold the clock of the bubble
			if now := contentOf(lock); string(now) == string(was) || string(now[:maxRecord]) != string(was[:maxRecord]) {
				t.Errorf("locks %v: the owner does not count behind its record: %s", locks, now[maxRecord:])
			}
			leave(t, lock)
			if err := s.Check(); !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "process 17 on elsewhere") {
				t.Errorf("locks %v: the record of somebody else is taken back: %v", locks, err)
			}
			s.Release()
			if o, err := ownerAt(lock); err != nil || o.Token != "other" {
				t.Errorf("locks %v: the record of somebody else is removed: %v, %v", locks, o, err)
			}
		}
	})
}
