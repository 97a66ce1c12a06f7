package protocol

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// spares are files of blobs that this process deleted, for blobs that it writes: overwriting a file costs half of what a new one
// and the removal of an old one do, because the system need not find, count and give back its pages.
type spares struct {
	mutex sync.Mutex
	files []string
}

// take opens a spare file, if there is one.
func (s *spares) take() *os.File {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for n := len(s.files); n > 0; n = len(s.files) {
		name := s.files[n-1] // the one whose pages are most likely in a cache
		s.files = s.files[:n-1]
		if f, err := os.OpenFile(name, os.O_WRONLY, 0); err == nil {
			return f
		}
	}
	return nil
}

// add makes a file a spare one, in the given directory, or removes it if there are most already. That it has another name then tells those who
// have it open that it is deleted.
func (s *spares) add(path, dir string, most int) error {
	s.mutex.Lock()
	enough := len(s.files) >= most
	s.mutex.Unlock()
	if enough {
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	name := filepath.Join(dir, strconv.FormatUint(rand.Uint64(), 36))
	err := os.Rename(path, name)
	if errors.Is(err, fs.ErrNotExist) {
		if _, gone := os.Lstat(path); gone != nil {
			return nil
		}
		if err = os.MkdirAll(dir, 0o777); err == nil {
			err = os.Rename(path, name)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another was faster
	}
	if err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.files = append(s.files, name)
	return nil
}

// spareDir is where spare files are.
func (j *Job) spareDir() string { return filepath.Join(j.stateDir(), "spare") }

// spareFor is how long a spare file is one. Longer ones are left of workers that are no more.
const spareFor = 10 * time.Minute

// cleanSpares removes spare files that nobody wants.
func (j *Job) cleanSpares() error {
	files, err := os.ReadDir(j.spareDir())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, f := range files {
		info, fault := f.Info()
		if fault == nil && WallSince(info.ModTime()) > spareFor {
			fault = os.Remove(filepath.Join(j.spareDir(), f.Name()))
		}
		if !errors.Is(fault, fs.ErrNotExist) {
			err = errors.Join(err, fault)
		}
	}
	return err
}
