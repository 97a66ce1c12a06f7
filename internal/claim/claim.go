// Package claim gives every place that a run writes to one owner at a time.
//
// The owner locks a small file by the operating system and records there who it is. The system releases the lock when
// the process ends, for whatever reason; the owner removes the file when it is done. A file without a lock was left by
// a process that was killed, and the next owner takes it over.
//
// Some file systems have no locks, and some have locks that other machines do not see. So the owner also touches the
// file from time to time. If its lock cannot be seen, its record is valid as long as the file was touched recently.
package claim

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

// lockFile returns the path of the lock file, the same for all paths that lead to one place. It returns "" for pipes
// and devices, which nobody replaces.
func (p Place) lockFile() string {
	path, err := filepath.Abs(p.path)
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return ""
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	} else if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	if p.inside || filepath.Dir(path) == path {
		return filepath.Join(path, suffix)
	}
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+suffix)
}

// claim is a place that this process owns.
type claim struct {
	place Place
	file  *os.File
	path  string // of the lock file
	made  bool   // the directory of the place is removed on release
	token string // unique token of the record
	users int    // how often this process has asked for it
	done  chan struct{}
}

var (
	mutex sync.Mutex
	held  = map[string]*claim{} // by lock file
)

// Set holds places that this process owns until they are released. The zero value owns none.
type Set struct{ claims []*claim }

// holder is the key of the Set in a context.
type holder struct{}

// Hold claims places for users of the context that it returns. Places that ctx already holds are held twice.
// If a place has another owner, even in this process, the error wraps ErrTaken and names it.
func Hold(ctx context.Context, places ...Place) (context.Context, *Set, error) {
	outer, _ := ctx.Value(holder{}).(*Set)
	s, err := take(ctx, places, outer.has)
	if err != nil {
		return ctx, nil, err
	}
	all := &Set{claims: s.claims}
	if outer != nil {
		all.claims = append(all.claims[:len(all.claims):len(all.claims)], outer.claims...)
	}
	return context.WithValue(ctx, holder{}, all), s, nil
}

// Share claims places for the whole process. Others in this process may own them at the same time; they must not
// disturb each other.
func Share(places ...Place) (*Set, error) {
	return take(context.Background(), places, func(*claim) bool { return true })
}

// Wait is Share that waits, up to the given time, until another owner is done.
func Wait(ctx context.Context, most time.Duration, places ...Place) (*Set, error) {
	for end := time.Now().Add(most); ; {
		s, err := take(ctx, places, func(*claim) bool { return true })
		if !errors.Is(err, ErrTaken) || time.Now().After(end) {
			return s, err
		}
		if err := Pause(ctx, 10*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// take claims all places or none. A place that the process owns already is claimed again if may returns true.
func take(ctx context.Context, places []Place, may func(*claim) bool) (*Set, error) {
	s := &Set{}
	for _, p := range places {
		c, err := p.take(ctx, func(c *claim) bool { return may(c) || s.has(c) })
		if err != nil {
			s.Release()
			return nil, err
		}
		if c != nil {
			s.claims = append(s.claims, c)
		}
	}
	return s, nil
}

func (s *Set) has(c *claim) bool { return s != nil && slices.Contains(s.claims, c) }

// take claims a place. It returns nil if no lock file can be made: then nothing can be written there either, and the
// write will fail with an error. A place that the process owns already is claimed again if may returns true.
func (p Place) take(ctx context.Context, may func(*claim) bool) (*claim, error) {
	mutex.Lock()
	defer mutex.Unlock()
	c := &claim{place: p, users: 1}
	if p.inside {
		c.makeDir()
	}
	if c.path = p.lockFile(); c.path == "" {
		return nil, nil
	}
	for {
		if own := held[c.path]; own != nil {
			if !may(own) {
				return nil, readOwner(own.file).refuse(p.path)
			}
			own.users++
			return own, nil
		}
		owner, err := c.acquire(ctx)
		switch {
		case err == nil && owner == nil:
			held[c.path] = c
			c.done = make(chan struct{})
			go c.beat(c.done, beatEvery)
			return c, nil
		case err == nil:
			return nil, owner.refuse(p.path)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
		inside := filepath.Join(filepath.Dir(c.path), filepath.Base(p.path), suffix)
		info, fault := os.Stat(filepath.Dir(inside))
		if !errors.Is(err, fs.ErrPermission) || fault != nil || !info.IsDir() || inside == c.path || p.inside {
			return nil, nil
		}
		c.path = inside // the directory above cannot be written
	}
}

// makeDir creates the directory of the lock file.
func (c *claim) makeDir() {
	c.made = c.place.temporary
	if _, err := os.Stat(c.place.path); err != nil && os.MkdirAll(c.place.path, 0o777) == nil {
		c.made = true
	}
}

// Release releases the places. It may be called more than once, and on a nil Set.
func (s *Set) Release() {
	if s == nil {
		return
	}
	mutex.Lock()
	defer mutex.Unlock()
	for _, c := range s.claims {
		if c.users--; c.users == 0 {
			c.release()
		}
	}
	s.claims = nil
}

// Check returns an error that wraps ErrTaken if a claimed place has another owner now. That happens if the
// lock file was removed, or if the file system has no locks and this process stood still for a while.
func (s *Set) Check() error {
	if s == nil {
		return nil
	}
	mutex.Lock()
	defer mutex.Unlock()
	for _, c := range s.claims {
		if c.owns() {
			continue
		}
		c.file.Close() // and try to claim it again
		owner, err := c.acquire(context.Background())
		if err == nil && owner != nil {
			return fmt.Errorf("%w, and its lock file %s was removed meanwhile", owner.refuse(c.place.path), c.path)
		}
	}
	return nil
}

// Pause waits, or returns the error of ctx if that ends before.
func Pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
