package claim

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// check returns an error if the claim is lost. If the lock file was only removed, it claims the place again.
func (c *claim) check() error {
	there, err := c.look()
	if there || err != nil {
		return err
	}
	c.file.Close()
	now, err := c.acquire(context.Background())
	if err == nil && now != nil {
		return c.gone(*now)
	}
	return nil
}

// look reports whether the lock file is there. The error is that another process has the place or may have had it. A
// file that cannot be read counts as there and unchanged: a disk that fails will fail elsewhere too.
func (c *claim) look() (there bool, err error) {
	for range tries {
		now, err := ownerAt(c.path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && time.Since(c.beaten) > time.Duration(patience-1)*beatEvery:
			return false, c.gone(owner{})
		case errors.Is(err, fs.ErrNotExist):
			return false, nil
		case err != nil, c.token == "" && IsAt(c.file, c.path), c.token != "" && now.Token == c.token:
			return true, nil
		case now.Token != "":
			return true, c.gone(now)
		}
		time.Sleep(time.Millisecond) // somebody is about to say who it is
	}
	return false, nil
}

// gone returns the error about a place that was lost. It names the owner, if that is still there.
func (c *claim) gone(now owner) error {
	if now.Token == "" {
		return fmt.Errorf("%s may have been %w by another process while this one stood still: start this one again",
			c.place.path, ErrTaken)
	}
	return fmt.Errorf("%w; this process lost the place because it stood still, or because its lock file %s was removed "+
		"meanwhile", now.refuse(c.place.path), c.path)
}
