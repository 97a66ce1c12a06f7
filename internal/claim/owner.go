package claim

import (
	"cmp"
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
	Host    string    `json:"host"`              // for people
	Machine string    `json:"machine,omitempty"` // see the function machine
	Command string    `json:"command"`
	Since   time.Time `json:"since"`
}

// maxRecord is the length of a record, which is filled up with spaces.
const maxRecord = 4096

// self returns the record of this process. The command is without its arguments, which may hold passwords.
func self() *owner {
	o := &owner{Token: rand.Text(), PID: os.Getpid(), Since: time.Now().Round(time.Second)}
	o.Command = filepath.Base(os.Args[0])
	o.Host, _ = os.Hostname() // any will do
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
	if json.NewDecoder(io.NewSectionReader(f, 0, maxRecord)).Decode(&o) != nil {
		return owner{}
	}
	return o
}

// ownerAt is readOwner for the file that is at path now.
func ownerAt(path string) (owner, error) {
	f, err := os.Open(path)
	if err != nil {
		return owner{}, err
	}
	defer f.Close()
	return readOwner(f), nil
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

// openLock opens or creates a lock file. Another user's file can only be read, which is enough to lock it. first reports
// that this process created the file: file systems that machines share create a file for one of them.
func openLock(path string) (f *os.File, first bool, err error) {
	if f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666); err == nil {
		return f, true, nil
	}
	f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if errors.Is(err, os.ErrPermission) {
		if other, fault := os.Open(path); fault == nil {
			return other, false, nil
		}
	}
	return f, false, err
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

// owns reports whether the lock file is this claim's. It reads the file that is there now: on some file systems an open
// file does not show what others do.
func (c *claim) owns() bool {
	if c.token == "" {
		return IsAt(c.file, c.path)
	}
	now, err := ownerAt(c.path)
	return err == nil && now.Token == c.token
}
