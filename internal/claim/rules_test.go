package claim

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// quick makes signs of life frequent for the time of a test.
func quick(t *testing.T) {
	s, b := settle, beatEvery
	settle, beatEvery = 5*time.Millisecond, 20*time.Millisecond
	t.Cleanup(func() { settle, beatEvery = s, b })
}

// linked returns a directory and a link to it.
func linked(t *testing.T) (dir, link string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	link = filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	return dir, link
}

// All paths that lead to one place have one lock file: beside a file, inside a directory if the place says so, and
// inside the root, which has nothing beside it.
func TestLockFilesOfPlaces(t *testing.T) {
	dir, link := linked(t)
	for _, name := range []string{"file", "sub/file"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "sub", "file"), filepath.Join(dir, "alias")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, c := range []struct {
		place      Place
		file, path string // below dir
	}{
		{At(filepath.Join(dir, "file")), ".file.topoi-lock", "file"},
		{At(filepath.Join(link, "file")), ".file.topoi-lock", "file"},
		{At("file"), ".file.topoi-lock", "file"},
		{At("alias"), "sub/.file.topoi-lock", "sub/file"},
		{At(filepath.Join(link, "new")), ".new.topoi-lock", "new"},
		{At(filepath.Join(link, "missing", "new")), "", ""}, // what no link leads to stays as it is
		{At("sub"), ".sub.topoi-lock", "sub"},
		{In("sub"), "sub/.topoi-lock", "sub"},
		{InTemporary(filepath.Join(link, "sub")), "sub/.topoi-lock", "sub"},
	} {
		file, path := c.place.lockFile()
		wantFile, wantPath := filepath.Join(dir, c.file), filepath.Join(dir, c.path)
		if c.file == "" {
			wantFile, wantPath = filepath.Join(link, "missing", ".new.topoi-lock"), filepath.Join(link, "missing", "new")
		}
		if file != wantFile || path != wantPath {
			t.Errorf("%+v: lock file %s of %s, want %s of %s", c.place, file, path, wantFile, wantPath)
		}
	}
	root := filepath.VolumeName(dir) + string(filepath.Separator)
	if file, path := At(root).lockFile(); file != filepath.Join(root, ".topoi-lock") || path != root {
		t.Errorf("the root has the lock file %s of %s", file, path)
	}
	if file, path := At(os.DevNull).lockFile(); file != "" || path != "" {
		t.Errorf("a device has the lock file %s of %s", file, path)
	}
}

// A place that was lost fails what is written there and below it, and nothing elsewhere. The error about the place
// explains every other one.
func TestVerifyAndExplain(t *testing.T) {
	dir, link := linked(t)
	work, other := filepath.Join(dir, "work"), filepath.Join(dir, "other")
	_, kept, err := Hold(background, At(other))
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Release()
	_, s, err := Hold(background, In(work), At(other+"2"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{work, filepath.Join(work, "file"), other, dir} {
		if err := Verify(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	cause := errors.New("a cause")
	if err := s.Explain(cause); !errors.Is(err, cause) {
		t.Errorf("explained by %v", err)
	}
	leave(t, filepath.Join(work, suffix))
	for _, path := range []string{work, filepath.Join(work, "file"), filepath.Join(link, "work", "file")} {
		if err := Verify(path); !errors.Is(err, ErrTaken) {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, path := range []string{other, other + "2", dir, work + "2", filepath.Join(dir, "..work")} {
		if err := Verify(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := s.Check(); !errors.Is(err, ErrTaken) {
		t.Errorf("checked: %v", err)
	}
	for range 2 { // before and after the release
		if err := s.Explain(cause); !errors.Is(err, ErrTaken) || errors.Is(err, cause) {
			t.Errorf("explained by %v", err)
		}
		if err := s.Explain(nil); err != nil {
			t.Errorf("nothing is explained by %v", err)
		}
		s.Release()
	}
	if err := s.Check(); err != nil {
		t.Errorf("a set that owns nothing: %v", err)
	}
	var none *Set
	none.Release()
	if err := errors.Join(none.Check(), none.Explain(nil)); err != nil {
		t.Errorf("no set: %v", err)
	}
	if err := none.Explain(cause); !errors.Is(err, cause) {
		t.Errorf("no set explains by %v", err)
	}
}

// A place that was lost is found among those that hold it too and were not.
func TestVerifyNested(t *testing.T) {
	dir := t.TempDir()
	work := filepath.Join(dir, "a", "b", "c")
	_, s, err := Hold(background, In(dir), In(filepath.Join(dir, "a")), In(filepath.Join(dir, "a", "b")), In(work))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Release()
	leave(t, filepath.Join(work, suffix))
	for range 20 { // the places are asked in any order
		if err := Verify(filepath.Join(work, "file")); !errors.Is(err, ErrTaken) {
			t.Fatalf("%v", err)
		}
	}
}

// A place that was lost cannot be held once more by its owner.
func TestHoldWhatIsLost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m")
	ctx, s, err := Hold(background, At(path))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Release()
	lock, _ := At(path).lockFile()
	leave(t, lock)
	if _, _, err := Hold(ctx, At(path)); !errors.Is(err, ErrTaken) {
		t.Errorf("held: %v", err)
	}
	stopped, stop := context.WithCancel(background)
	time.AfterFunc(20*time.Millisecond, stop)
	if _, err := Wait(stopped, time.Minute, At(path)); !errors.Is(err, context.Canceled) {
		t.Errorf("waited for: %v", err)
	}
}

// A claim without a record has its place as long as its file is there.
func TestClaimWithoutRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c := &claim{file: file, path: path}
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		if there, err := c.look(); !there || err != nil || time.Since(begin) > 0 {
			t.Errorf("its file: %v, %v after %v", there, err, time.Since(begin))
		}
	})
	if !c.owns() {
		t.Error("it does not own its file")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	leave(t, path)
	if there, err := c.look(); !there || !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "process 17") {
		t.Errorf("another's file: %v, %v", there, err)
	}
	if c.owns() {
		t.Error("it owns another's file")
	}
}

// Who stops waiting for a sign of life gets neither the place nor none.
func TestHoldStopped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m")
	lock, _ := At(path).lockFile()
	leave(t, lock)
	ended, cancel := context.WithCancel(background)
	cancel()
	if _, s, err := Hold(ended, At(path)); !errors.Is(err, context.Canceled) || s != nil {
		t.Errorf("%v, %v", s, err)
	}
}

// All places are claimed or none.
func TestAllPlacesOrNone(t *testing.T) {
	dir := t.TempDir()
	first, second := At(filepath.Join(dir, "first")), At(filepath.Join(dir, "second"))
	_, own, err := Hold(background, second)
	if err != nil {
		t.Fatal(err)
	}
	defer own.Release()
	if _, s, err := Hold(background, first, second); !errors.Is(err, ErrTaken) || s != nil {
		t.Fatalf("%v", err)
	}
	_, s, err := Hold(background, first)
	if err != nil {
		t.Fatalf("a place stayed with those who did not get all: %v", err)
	}
	s.Release()
	if places := OfRun("", ""); places != nil {
		t.Errorf("a run without files has the places %v", places)
	}
	if places := OfRun("model", "work"); len(places) != 2 || places[0] != At("model") || places[1] != InTemporary("work") {
		t.Errorf("a run has the places %v", places)
	}
}

// A lock file that is gone is made again if this process gave a sign of life within three of the four beats after which
// others take the place. Otherwise somebody may have had it in between.
func TestLockFileGone(t *testing.T) {
	quick(t)
	beatEvery = time.Hour
	path := filepath.Join(t.TempDir(), "lock")
	for _, c := range []struct {
		beats float64 // since the last sign
		lost  bool
	}{{0, false}, {2.9, false}, {3.1, true}} {
		own := recorded(t, path, "mine")
		own.place = At("model")
		own.beaten = time.Now().Add(-time.Duration(c.beats * float64(beatEvery)))
		if there, err := own.look(); !there || err != nil {
			t.Fatalf("a lock file that is there: %v, %v", there, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		there, err := own.look()
		if there || errors.Is(err, ErrTaken) != c.lost {
			t.Errorf("after %v beats: %v, %v", c.beats, there, err)
		}
		err = own.check()
		if errors.Is(err, ErrTaken) != c.lost || c.lost && !strings.Contains(err.Error(), "model may have been in use") {
			t.Errorf("after %v beats: %v", c.beats, err)
		}
		if _, fault := os.Stat(path); errors.Is(fault, fs.ErrNotExist) != c.lost {
			t.Errorf("after %v beats: %v", c.beats, fault)
		}
		own.file.Close()
		_ = os.Remove(path)
	}
}

// A sign of life is a line of a fixed length behind the record, told by the claim's token. It is written only into the
// claim's own file.
func TestSigns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	own := recorded(t, path, "mine")
	if got := string(own.sign(12)); len(got) != 64 || strings.TrimRight(got, " ") != got ||
		strings.TrimRight(got, " \n") != "mine 12" {
		t.Errorf("sign %q", got)
	}
	whole, err := os.ReadFile(path)
	if err != nil || len(whole) != 4096+64 || string(whole[maxRecord:]) != string(own.sign(0)) {
		t.Fatalf("%v, %d bytes, sign %q", err, len(whole), whole[min(len(whole), maxRecord):])
	}
	var o owner
	if err := json.Unmarshal(whole[:maxRecord], &o); err != nil || o.Token != "mine" || whole[maxRecord-1] != '\n' {
		t.Errorf("record %q: %v", strings.TrimRight(string(whole[:maxRecord]), " "), err)
	}
	if !own.signs(3) {
		t.Error("a sign was not written")
	}
	if now := string(contentOf(path)); now != string(whole[:maxRecord])+string(own.sign(3)) {
		t.Errorf("the file has %q behind its record, or another record", now[maxRecord:])
	}
	own.token = ""
	if own.signs(4) {
		t.Error("a claim without a record gives signs")
	}
	own.token = "theirs"
	if own.signs(4) || string(contentOf(path)[maxRecord:]) == string(own.sign(4)) {
		t.Error("a claim gives signs in another's file")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	own.token = "mine"
	if own.signs(4) {
		t.Error("a sign was written into a file that is gone")
	}
	if got := contentOf(path); len(got) != maxRecord+beatBytes || strings.Trim(string(got), "\x00") != "" {
		t.Errorf("a file that is gone holds %q", got)
	}
}

// A lock file lives as long as its content or its time changes within four beats.
func TestAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick(t)
		path := filepath.Join(t.TempDir(), "lock")
		recorded(t, path, "mine")
		changes := map[string]struct {
			change func() error
			after  time.Duration
			lives  bool
		}{
			"nothing":     {func() error { return nil }, 0, false},
			"a sign":      {func() error { return os.WriteFile(path, []byte("other"), 0o666) }, 2 * beatEvery, true},
			"its time":    {func() error { return os.Chtimes(path, time.Time{}, time.Unix(1e9, 0)) }, 2 * beatEvery, true},
			"it is gone":  {func() error { return os.Remove(path) }, beatEvery + beatEvery/20, false}, // between two looks
			"there is no": {func() error { return nil }, 0, false},
		}
		for _, name := range []string{"nothing", "a sign", "its time", "it is gone", "there is no"} {
			c := changes[name]
			timer := time.AfterFunc(c.after, func() {
				if err := c.change(); err != nil {
					t.Error(err)
				}
			})
			begin := time.Now()
			lives, err := alive(background, path)
			timer.Stop()
			if err != nil || lives != c.lives {
				t.Errorf("%s: it lives: %v, %v", name, lives, err)
			}
			if took := time.Since(begin); name == "nothing" && took < 4*beatEvery {
				t.Errorf("an owner counts as dead after %v", took)
			}
		}
		ended, cancel := context.WithCancel(background)
		cancel()
		recorded(t, path, "mine")
		if _, err := alive(ended, path); !errors.Is(err, context.Canceled) {
			t.Errorf("a run that was stopped: %v", err)
		}
	})
}

// Who watches a place learns who has it, or that its file has gone.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick(t)
		c := &claim{path: filepath.Join(t.TempDir(), "lock")}
		if now, again, err := c.watch(background); now != nil || !again || err != nil {
			t.Errorf("no file: %v, %v, %v", now, again, err)
		}
		leave(t, c.path)
		if now, again, err := c.watch(background); now != nil || again || err != nil {
			t.Errorf("nobody: %v, %v, %v", now, again, err)
		}
		timer := time.AfterFunc(beatEvery, func() { _ = os.Chtimes(c.path, time.Time{}, time.Unix(1e9, 0)) })
		defer timer.Stop()
		if now, again, err := c.watch(background); now == nil || now.PID != 17 || again || err != nil {
			t.Errorf("an owner: %v, %v, %v", now, again, err)
		}
		ended, cancel := context.WithCancel(background)
		cancel()
		if _, _, err := c.watch(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("a run that was stopped: %v", err)
		}
	})
}

// Where locks cannot be seen, the one whose record stays is the owner.
func TestWriteWithoutLocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick(t)
		path := filepath.Join(t.TempDir(), "lock")
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for name, c := range map[string]struct{ locked, local, first, replaced, owner bool }{
			"first":              {first: true, owner: true},
			"takes over":         {owner: true},
			"locked, not local":  {locked: true, owner: true},
			"local, not locked":  {local: true, owner: true},
			"another came after": {replaced: true},
			"local and locked":   {locked: true, local: true, replaced: true, owner: true},
		} {
			own, done := &claim{file: file, path: path, token: "mine", local: c.local}, make(chan struct{})
			settle = 5 * time.Millisecond
			if c.replaced {
				settle = 100 * time.Millisecond
			}
			if err := os.Truncate(path, 0); err != nil { // no record of the case before
				t.Fatal(err)
			}
			go func() { // replaces the record as soon as it is there
				defer close(done)
				for c.replaced && ownerOf(path) != "mine" {
					time.Sleep(time.Millisecond / 10)
				}
				if c.replaced {
					_ = os.WriteFile(path, []byte(`{"token":"theirs"}`), 0o666)
				}
			}()
			begin := time.Now()
			if got := own.write(&owner{Token: "mine"}, c.locked, c.first); got != c.owner {
				t.Errorf("%s: it is the owner: %v", name, got)
			}
			if time.Since(begin) < settle && !c.first && !(c.locked && c.local) {
				t.Errorf("%s: it does not wait for others", name)
			}
			<-done
		}
		readOnly, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer readOnly.Close()
		if (&claim{file: readOnly, path: path, token: "mine"}).write(&owner{Token: "mine"}, true, true) {
			t.Error("a record that was not written counts where locks cannot be seen")
		}
	})
}

// ownerOf returns the token of the record at path.
func ownerOf(path string) string {
	o, _ := ownerAt(path)
	return o.Token
}

// Only this machine's own record is taken over at once, and only if its lock is free. A file without a record is, where
// locks can be seen.
func TestLeft(t *testing.T) {
	me := &owner{Token: "mine", Machine: "here"}
	for _, c := range []struct {
		was                 owner
		local, locked, left bool
	}{
		{owner{}, true, true, true},
		{owner{}, true, false, false},
		{owner{}, false, true, false},
		{owner{Token: "old", Machine: "here"}, false, true, true},
		{owner{Token: "old", Machine: "here"}, true, false, false},
		{owner{Token: "old", Machine: "there"}, true, true, false},
		{owner{Token: "old"}, true, true, false},
	} {
		if got := (&claim{local: c.local}).left(c.was, me, c.locked); got != c.left {
			t.Errorf("%+v, local %v, locked %v: left is %v", c.was, c.local, c.locked, got)
		}
	}
	if (&claim{}).left(owner{Token: "old"}, &owner{}, true) {
		t.Error("machines that nobody knows are one")
	}
}

// Whoever creates a lock file knows that it is new, and need not watch it.
func TestOpenLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	for _, want := range []bool{true, false} {
		f, first, err := openLock(path)
		if err != nil || first != want {
			t.Fatalf("%v, made by this process: %v", err, first)
		}
		f.Close()
	}
}

// What is no record has no owner, whose refusal says so.
func TestOwnerOfNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	if err := os.WriteFile(path, []byte(`{"token":"x","pid":`), 0o666); err != nil {
		t.Fatal(err)
	}
	o, err := ownerAt(path)
	if err != nil || o != (owner{}) {
		t.Errorf("%+v, %v", o, err)
	}
	if err := o.refuse("model"); !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "by another process") {
		t.Error(err)
	}
	here := owner{PID: 1, Command: "topoi train"}.refuse("model").Error() // 1 in a container
	if !strings.Contains(here, "process 1 on this machine (\"topoi train\"") {
		t.Error(here)
	}
	if _, err := ownerAt(path + "2"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
