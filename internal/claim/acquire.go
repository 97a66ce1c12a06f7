package claim

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// acquire makes this process the owner of the lock file. If there is another owner, it returns that one's record.
func (c *claim) acquire(ctx context.Context) (*owner, error) {
	c.local = local(filepath.Dir(c.path))
	for try := range tries {
		f, first, err := openLock(c.path)
		if err != nil {
			return nil, err
		}
		locked, taken := tryLock(f)
		was := readOwner(f)
		switch {
		case taken && was.Token == "" && try < tries/10: // its owner is about to say who it is
			f.Close()
			time.Sleep(time.Millisecond)
			continue
		case taken:
			f.Close()
			return &was, nil
		case c.local && !IsAt(f, c.path):
			f.Close()
			continue
		}
		me := self()
		me.Machine = machine(f)
		if !first && !c.left(was, me, locked) {
			now, again, err := c.watch(ctx)
			if err != nil || now != nil || again {
				f.Close()
			}
			if again {
				continue
			}
			if err != nil || now != nil {
				return now, err
			}
		}
		if c.file, c.token = f, me.Token; c.write(me, locked, first) {
			c.beaten = time.Now().Round(0)
			return nil, nil
		}
		f.Close()
		now, err := ownerAt(c.path)
		return &now, err
	}
	return nil, errors.New("the lock file was removed again and again")
}

// left reports whether a record can be taken over at once: it is this machine's, and its lock is free.
func (c *claim) left(was owner, me *owner, locked bool) bool {
	if was.Token == "" {
		return c.local && locked
	}
	return locked && was.Machine != "" && was.Machine == me.Machine
}

// watch waits to see whether the lock file has an owner that lives. It returns that owner, or true if the file has gone.
func (c *claim) watch(ctx context.Context) (now *owner, again bool, err error) {
	lives, err := alive(ctx, c.path)
	if err != nil {
		return nil, false, err
	}
	if _, err := os.Stat(c.path); err != nil {
		return nil, true, nil
	}
	if lives {
		o, _ := ownerAt(c.path)
		return &o, false, nil
	}
	return nil, false, nil
}

// tryLock calls Lock. Tests replace it, to be on a file system without locks.
var tryLock = func(f *os.File) (locked, taken bool) { return Lock(f, false) }

// write puts the record into the lock file. Where others may do so at the same time, the last one is the owner, and
// write reports whether that is this one.
func (c *claim) write(me *owner, locked, first bool) bool {
	b, _ := json.Marshal(me) // strings and numbers
	b = append(bytes.TrimRight(b, "\n"), bytes.Repeat([]byte(" "), max(0, maxRecord-1-len(b)))...)
	_, err := c.file.WriteAt(append(b, '\n'), 0)
	if err == nil {
		_, err = c.file.WriteAt(c.sign(0), maxRecord)
	}
	if locked && c.local {
		if err != nil { // another user's file, or a full disk: the lock is enough
			c.token = ""
		}
		return true
	}
	if fault := c.file.Sync(); err == nil {
		err = fault
	}
	if !first {
		time.Sleep(settle)
	}
	return err == nil && c.owns()
}

// release removes the lock file, before unlocking it where the system allows that, and closes it.
func (c *claim) release() {
	delete(held, c.path)
	close(c.done)
	mine := c.owns()
	if mine && Renames {
		_ = os.Remove(c.path) // what stays is taken over
	}
	c.file.Close()
	if mine && !Renames {
		_ = os.Remove(c.path) // which fails if another has it open
	}
	if c.made {
		_ = os.Remove(c.place.path) // unless something is in it
	}
}
