// Package claim gives every place that a run writes to one owner at a time.
//
// The owner locks a small file by the operating system and records there who it is. The system releases the lock when
// the process ends, for whatever reason; the owner removes the file when it is done. A file without a lock was left by
// a process that was killed, and the next owner takes it over.
//
// Some file systems have no locks, and some have locks that other machines do not see. So the owner also counts in the
// file from time to time. If its lock cannot be seen, its record is valid as long as the counter changes. The token of
// the record is what a fencing number is elsewhere: whoever replaces something in the place looks first whether the
// record is still its own (see Verify). Nobody takes back a place that another process has taken over.
package claim

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Set holds places that this process owns until they are released. The zero value owns none.
type Set struct {
	claims []*claim
	lost   error // a place had another owner when it was released
}

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
	if c.path, c.real = p.lockFile(); c.path == "" {
		return nil, nil
	}
	for {
		if own := held[c.path]; own != nil {
			if !may(own) {
				return nil, readOwner(own.file).refuse(p.path)
			}
			if err := own.check(); err != nil {
				return nil, err
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
		inside := filepath.Join(c.real, suffix)
		info, fault := os.Stat(c.real)
		if !errors.Is(err, fs.ErrPermission) || fault != nil || !info.IsDir() || inside == c.path {
			return nil, nil
		}
		c.path = inside // the directory above cannot be written
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
		_, lost := c.look()
		s.lost = cmp.Or(s.lost, lost)
		if c.users--; c.users == 0 {
			c.release()
		}
	}
	s.claims = nil
}

// Local reports whether all who can reach a directory see the locks of files in it. Where others may not, a file without
// a lock may be in use.
func Local(dir string) bool { return local(dir) }

// Pause waits, or returns the error of ctx if that ends before.
func Pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Check returns an error that wraps ErrTaken if a claimed place has another owner now, or may have had one. That happens
// if the lock file was removed, or if this process stood still where others cannot see its lock.
func (s *Set) Check() error {
	if s == nil {
		return nil
	}
	mutex.Lock()
	defer mutex.Unlock()
	for _, c := range s.claims {
		if err := c.check(); err != nil {
			return err
		}
	}
	return nil
}

// Explain returns the error about a place that was lost, if one was, in place of err: what another process did there is
// no damage. It returns nil for nil, and may be called after Release.
func (s *Set) Explain(err error) error {
	if s == nil || err == nil || errors.Is(err, ErrTaken) {
		return err
	}
	return cmp.Or(s.lost, s.Check(), err)
}

// Verify is Check for the places of this process that hold path, such as the directory that it is in. Those call it who
// are about to replace path.
func Verify(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil // the write will fail with an error
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	mutex.Lock()
	defer mutex.Unlock()
	for _, c := range held {
		if rest, err := filepath.Rel(c.real, path); err != nil || !filepath.IsLocal(rest) {
			continue
		}
		if err := c.check(); err != nil {
			return err
		}
	}
	return nil
}
