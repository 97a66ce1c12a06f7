package claim

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// openFiles returns how many files this process has open while nobody gives a sign of life.
func openFiles(t *testing.T) int {
	t.Helper()
	mutex.Lock()
	defer mutex.Unlock()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip(err)
	}
	return len(list)
}

// lockedFile returns a lock file with a lock that another process might have.
func lockedFile(t *testing.T, place Place) *os.File {
	t.Helper()
	path, _ := place.lockFile()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if locked, _ := Lock(f, false); !locked {
		t.Skip("no locks here")
	}
	return f
}

// An owner that has locked the file and is about to say who it is gets a moment for that. One that never does is
// refused without a name. No file stays open.
func TestOwnerIsAboutToSay(t *testing.T) {
	dir := t.TempDir()
	late, never := At(filepath.Join(dir, "late")), At(filepath.Join(dir, "never"))
	file := lockedFile(t, late)
	lockedFile(t, never)
	before := openFiles(t)
	timer := time.AfterFunc(10*time.Millisecond, func() { _, _ = file.WriteAt([]byte(`{"token":"x","pid":17}`), 0) })
	defer timer.Stop()
	if _, _, err := Hold(background, late); !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "process 17") {
		t.Errorf("late: %v", err)
	}
	_, _, err := Hold(background, never)
	if !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "another process") {
		t.Errorf("never: %v", err)
	}
	if now := openFiles(t); now != before {
		t.Errorf("%d files are open, %d before", now, before)
	}
}

// Whoever takes a lock whose file has just been removed begins anew, and no file stays open: neither of those that were
// not kept, nor of places that were released or taken again.
func TestNoFileStaysOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick(t)
		path := filepath.Join(t.TempDir(), "m")
		lock, _ := At(path).lockFile()
		before := openFiles(t)
		removed := 0
		defer func(lock func(*os.File) (bool, bool)) { tryLock = lock }(tryLock)
		tryLock = func(f *os.File) (bool, bool) {
			if removed++; removed <= 3 {
				_ = os.Remove(lock)
			}
			return Lock(f, false)
		}
		_, s, err := Hold(background, At(path))
		if err != nil || removed != 4 {
			t.Fatalf("%v after %d tries", err, removed)
		}
		if now := openFiles(t); now != before+1 {
			t.Errorf("%d files are open, %d before", now, before)
		}
		if err := os.Remove(lock); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		if now := openFiles(t); now != before+1 {
			t.Errorf("%d files are open after the lock file was made again, %d before", now, before)
		}
		s.Release()
		leave(t, lock) // of another machine: it has to be watched
		timer := time.AfterFunc(beatEvery, func() { _ = os.Chtimes(lock, time.Time{}, time.Unix(1e9, 0)) })
		defer timer.Stop()
		if _, _, err := Hold(background, At(path)); !errors.Is(err, ErrTaken) {
			t.Error(err)
		}
		timer = time.AfterFunc(beatEvery, func() { _ = os.Remove(lock) })
		defer timer.Stop()
		_, s, err = Hold(background, At(path))
		if err != nil {
			t.Fatal(err)
		}
		s.Release()
		if now := openFiles(t); now != before {
			t.Errorf("%d files are open in the end, %d before", now, before)
		}
	})
}

// Of two who find a place left, where locks cannot be seen, the later one has it. The other one is told who that is,
// and leaves no file open.
func TestLaterOneHasIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick(t)
		beatEvery, settle = time.Millisecond, 200*time.Millisecond
		path := filepath.Join(t.TempDir(), "m")
		lock, _ := At(path).lockFile()
		leave(t, lock)
		before := openFiles(t)
		defer func(lock func(*os.File) (bool, bool)) { tryLock = lock }(tryLock)
		tryLock = func(*os.File) (bool, bool) { return false, false }
		done := make(chan struct{})
		go func() {
			defer close(done)
			for ownerOf(lock) == "other" {
				time.Sleep(time.Millisecond)
			}
			leave(t, lock)
		}()
		_, _, err := Hold(background, At(path))
		<-done
		if !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "process 17") {
			t.Error(err)
		}
		if now := openFiles(t); now != before {
			t.Errorf("%d files are open, %d before", now, before)
		}
	})
}

// asNobody calls f with the rights of a user who owns no files.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() == 0 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := syscall.Setfsuid(65534); err != nil {
			t.Skip(err)
		}
		defer func() { _ = syscall.Setfsuid(0) }()
	}
	f()
}

// allow makes a directory that everybody may use, or only read.
func allow(t *testing.T, dir string, mode os.FileMode) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(dir, 0o777), os.Chmod(dir, mode)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o777) })
}

// Another user's lock file can be locked though it cannot be written. Where the directory above a place cannot be
// written, the lock file is in the place itself, and where nothing can, nothing is claimed.
func TestWithoutPermission(t *testing.T) {
	root, err := os.MkdirTemp("", "claim")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(root)
	if root, err = filepath.EvalSymlinks(root); err != nil {
		t.Fatal(err)
	}
	above := filepath.Join(root, "above")
	work, file := filepath.Join(above, "work"), filepath.Join(above, "m")
	allow(t, root, 0o777)
	allow(t, work, 0o777)
	lock, _ := At(file).lockFile()
	leave(t, lock)
	if err := os.Chmod(lock, 0o444); err != nil {
		t.Fatal(err)
	}
	mine := recorded(t, filepath.Join(above, "mine"), "mine")
	if err := os.Chmod(mine.path, 0o444); err != nil {
		t.Fatal(err)
	}
	link, closed := filepath.Join(root, "link"), filepath.Join(above, "closed")
	if err := os.Symlink(work, link); err != nil {
		t.Fatal(err)
	}
	allow(t, filepath.Join(closed, "closed"), 0o777) // which is another place
	allow(t, closed, 0o555)
	allow(t, above, 0o555)
	t.Chdir(work)
	asNobody(t, func() {
		if mine.signs(1) || !mine.owns() {
			t.Error("a sign of life is in a file that cannot be written")
		}
		f, first, err := openLock(lock)
		if err != nil || first {
			t.Fatalf("another user's file: %v, made by this process: %v", err, first)
		}
		if o := readOwner(f); o.PID != 17 {
			t.Errorf("another user's file has the owner %+v", o)
		}
		f.Close()
		if f, first, err = openLock(filepath.Join(above, "new")); !errors.Is(err, os.ErrPermission) || f != nil || first {
			t.Errorf("a file that cannot be made: %v", err)
		}
		for _, path := range []string{work, link, "."} {
			_, s, err := Hold(background, At(path))
			if err != nil || len(s.claims) != 1 {
				t.Fatalf("%s: %v, %d places", path, err, len(s.claims))
			}
			at := s.claims[0].path
			if _, err := os.Stat(filepath.Join(work, suffix)); err != nil || at != filepath.Join(work, suffix) {
				t.Errorf("%s: %v, lock file %s", path, err, at)
			}
			if _, _, err := Hold(background, At(work)); !errors.Is(err, ErrTaken) {
				t.Errorf("%s: it was held twice: %v", path, err)
			}
			s.Release()
		}
		for _, p := range []Place{
			At(filepath.Join(above, "new")), In(filepath.Join(above, "dir")), In(above), At(closed),
		} {
			if _, s, err := Hold(background, p); err != nil || len(s.claims) > 0 {
				t.Errorf("%v: %v", p, err)
			}
		}
	})
}

// Everybody whom the mask lets may write to lock files and directories.
func TestModes(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	dir := filepath.Join(t.TempDir(), "work")
	_, s, err := Hold(background, In(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Release()
	for path, want := range map[string]os.FileMode{dir: 0o777, filepath.Join(dir, suffix): 0o666} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want || info.Mode()&os.ModeSticky != 0 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

// Several may share a lock, one may have it alone.
func TestSharedLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var files [3]*os.File
	for i := range files {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	for i, c := range []struct{ shared, locked, taken bool }{
		{shared: true, locked: true}, {shared: true, locked: true}, {taken: true},
	} {
		if locked, taken := Lock(files[i], c.shared); locked != c.locked || taken != c.taken {
			t.Errorf("user %d: locked %v, taken %v", i, locked, taken)
		}
	}
	files[0].Close()
	files[1].Close()
	if locked, _ := Lock(files[2], false); !locked {
		t.Error("it is not free though nobody has it")
	}
	if locked, taken := Lock(files[1], false); locked || taken {
		t.Errorf("a file that is closed: locked %v, taken %v", locked, taken)
	}
}

// Directories of this machine alone are known as such; a machine has a name, the same for files of one mount.
func TestLocalMachine(t *testing.T) {
	dir := t.TempDir()
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		t.Skip(err)
	}
	for _, kind := range localKinds {
		if kind == int64(uint32(s.Type)) && !Local(dir) {
			t.Errorf("%s is not local", dir)
		}
	}
	if Local("/proc") || Local(filepath.Join(dir, "missing")) {
		t.Error("a directory that is not one of files is local")
	}
	file, err := os.Create(filepath.Join(dir, "m"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	proc, err := os.Open("/proc/version")
	if err != nil {
		t.Skip(err)
	}
	defer proc.Close()
	here, there := machine(file), machine(proc)
	boot, _, _ := strings.Cut(here, "/")
	if len(boot) != 36 || here == there || !strings.HasPrefix(there, boot+"/") || machine(file) != here {
		t.Errorf("machines %q and %q", here, there)
	}
	file.Close()
	if got := machine(file); got != "" {
		t.Errorf("a file that is closed is on machine %q", got)
	}
}
