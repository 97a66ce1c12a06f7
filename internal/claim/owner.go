package claim

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// owner is the record in a lock file.
type owner struct {
	Token   string    `json:"token"` // unique
	PID     int       `json:"pid"`
	Host    string    `json:"host"`
	Command string    `json:"command"`
	Since   time.Time `json:"since"`
}

// maxRecord bounds what is read of a lock file.
const maxRecord = 4096

// self returns the record of this process. The command is without its arguments, which may hold passwords.
func self() *owner {
	o := &owner{Token: rand.Text(), PID: os.Getpid(), Since: time.Now().Round(time.Second)}
	o.Command = filepath.Base(os.Args[0])
	o.Host, _ = os.Hostname() // without a name all machines are one
	for _, word := range os.Args[1:min(len(os.Args), 3)] {
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
			break
		}
		o.Command += " " + word
	}
	return o
}

// readOwner returns what a lock file says; the zero value if that is not a record.
func readOwner(f *os.File) (o owner) {
	b, err := io.ReadAll(io.NewSectionReader(f, 0, maxRecord))
	if err != nil || json.Unmarshal(b, &o) != nil {
		return owner{}
	}
	return o
}

// refuse returns the error about a place that has this owner.
func (o owner) refuse(path string) error {
	who := "another process"
	if o.PID > 0 {
		since := o.Since.Local().Format(time.DateTime)
		who = fmt.Sprintf("process %d on %s (%q, since %s)", o.PID, cmp.Or(o.Host, "this machine"), o.Command, since)
	}
	return fmt.Errorf("%s is %w by %s: wait until that ends, or choose another place", path, ErrTaken, who)
}

// tries bounds how often a lock file is opened again that its owner has removed.
const tries = 1000

// acquire makes this process the owner of the lock file. If there is another owner, it returns that one's record.
func (c *claim) acquire(ctx context.Context) (*owner, error) {
	for try := range tries {
		f, err := openLock(c.path)
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
		case !IsAt(f, c.path):
			f.Close()
			continue
		}
		me := self()
		if was.Token != "" && (!locked || was.Host != me.Host) {
			if alive, err := c.touched(ctx); alive || err != nil {
				f.Close()
				return &was, err
			}
		}
		if c.file, c.token = f, me.Token; c.write(me, locked) {
			return nil, nil
		}
		was = readOwner(f)
		f.Close()
		return &was, nil
	}
	return nil, errors.New("the lock file was removed again and again")
}

// tryLock calls Lock. Tests replace it, to be on a file system without locks.
var tryLock = func(f *os.File) (locked, taken bool) { return Lock(f, false) }

// openLock opens or creates a lock file. Another user's file can only be read, which is enough to lock it.
func openLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if errors.Is(err, os.ErrPermission) {
		if other, fault := os.Open(path); fault == nil {
			return other, nil
		}
	}
	return f, err
}

// IsAt reports whether an open file is the one at path.
func IsAt(f *os.File, path string) bool {
	own, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(own, there)
}

// write puts the record into the lock file. Without a lock others may do so at the same time: the last one is the
// owner, and write reports whether that is this one.
func (c *claim) write(me *owner, locked bool) bool {
	b, _ := json.Marshal(me) // strings and numbers
	err := c.file.Truncate(0)
	if _, fault := c.file.WriteAt(append(b, '\n'), 0); err == nil {
		err = fault
	}
	switch {
	case locked && err != nil: // another user's file, or a full disk: the lock is enough
		c.token = ""
		return true
	case locked:
		return true
	}
	time.Sleep(settle)
	return err == nil && IsAt(c.file, c.path) && readOwner(c.file).Token == c.token
}

// Times by which an owner is known whose lock cannot be seen. Tests set shorter ones.
var (
	settle    = 300 * time.Millisecond // within which all who found a place free have written
	beatEvery = 5 * time.Second        // between touches
)

// touched reports whether the owner of the lock file touches it.
func (c *claim) touched(ctx context.Context) (bool, error) {
	first, err := os.Stat(c.path)
	for end := time.Now().Add(4 * beatEvery); err == nil && time.Now().Before(end); {
		if err := Pause(ctx, beatEvery/10); err != nil {
			return false, err
		}
		f, fault := os.Open(c.path) // opening asks the server of a network file system
		if fault != nil {
			return false, nil
		}
		now, fault := f.Stat()
		f.Close()
		if fault == nil && !now.ModTime().Equal(first.ModTime()) {
			return true, nil
		}
	}
	return false, nil
}

// beat touches the lock file until the claim is released.
func (c *claim) beat(done chan struct{}, every time.Duration) {
	for {
		select {
		case <-done:
			return
		case <-time.After(every):
		}
		mutex.Lock()
		if held[c.path] == c && c.owns() {
			_ = os.Chtimes(c.path, time.Time{}, time.Now()) // tried again soon
		}
		mutex.Unlock()
	}
}

// owns reports whether the lock file is still this claim's.
func (c *claim) owns() bool {
	return IsAt(c.file, c.path) && (c.token == "" || readOwner(c.file).Token == c.token)
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
