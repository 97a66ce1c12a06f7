package claim

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// ErrTaken is wrapped by the error about a place that has another owner.
var ErrTaken = errors.New("in use")

// Place is something that one process at a time may write to.
type Place struct {
	path      string
	inside    bool
	temporary bool
}

// At returns the place of the file or directory that is, or will be, at path. The lock file is beside it.
func At(path string) Place { return Place{path: path} }

// In returns the place of the directory dir, which is created if it is missing. The lock file is inside it,
// so that all machines that mount the directory see it.
func In(dir string) Place { return Place{path: dir, inside: true} }

// InTemporary is In for a directory that is removed on release if it is empty.
func InTemporary(dir string) Place { return Place{path: dir, inside: true, temporary: true} }

// OfRun returns the places of a training run: its checkpoint and the directory for its files. Either may be "".
func OfRun(checkpoint, workDir string) (places []Place) {
	if checkpoint != "" {
		places = append(places, At(checkpoint))
	}
	if workDir != "" {
		places = append(places, InTemporary(workDir))
	}
	return places
}

const suffix = ".topoi-lock"

// lockFile returns the path of the lock file, the same for all paths that lead to one place, and the place itself
// without symbolic links. It returns "" for pipes and devices, which nobody replaces.
func (p Place) lockFile() (file, path string) {
	path, err := filepath.Abs(p.path)
	if err != nil {
		return "", ""
	}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return "", ""
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	} else if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	if p.inside || filepath.Dir(path) == path {
		return filepath.Join(path, suffix), path
	}
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+suffix), path
}

// claim is a place that this process owns.
type claim struct {
	place Place
	file  *os.File
	path  string // of the lock file
	real  string // the place, without symbolic links
	made  bool   // the directory of the place is removed on release
	token string // unique token of the record; "" if it could not be written and the lock has to do
	local bool   // all who can reach the place see the lock

	beaten time.Time // of the last sign of life, by the clock on the wall: others go on while a machine sleeps
	users  int       // how often this process has asked for it
	done   chan struct{}
}

var (
	mutex sync.Mutex
	held  = map[string]*claim{} // by lock file
)

// makeDir creates the directory of the lock file.
func (c *claim) makeDir() {
	c.made = c.place.temporary
	if _, err := os.Stat(c.place.path); err != nil && os.MkdirAll(c.place.path, 0o777) == nil {
		c.made = true
	}
}

// Times by which an owner is known whose lock cannot be seen. Tests set shorter ones.
var (
	settle    = 300 * time.Millisecond // within which all who found a place free have written
	beatEvery = 5 * time.Second        // between signs of life
	patience  = 4                      // beats that must fail before a place counts as left
)

// tries bounds how often a lock file is opened again that its owner has removed.
const tries = 1000
