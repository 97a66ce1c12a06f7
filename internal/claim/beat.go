package claim

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"
)

// beatBytes is the length of a sign of life, which stands behind the record: the token and a counter. A process that
// stood still may write it after it has lost its place, and takes nothing back by that: a record stays as it is.
const beatBytes = 64

// sign returns the sign of life with a number.
func (c *claim) sign(n int) []byte {
	return fmt.Appendf(nil, "%-*s\n", beatBytes-1, fmt.Sprint(c.token, " ", n))
}

// beat writes signs of life until the claim is released or lost.
func (c *claim) beat(done chan struct{}, every time.Duration) {
	for n := 1; ; n++ {
		select {
		case <-done:
			return
		case <-time.After(every):
		}
		mutex.Lock()
		if held[c.path] == c && c.signs(n) {
			c.beaten = time.Now().Round(0)
		}
		mutex.Unlock()
	}
}

// signs writes a sign of life and reads it back. It does nothing if the place has another owner. A file time would not
// do: some file systems do not change it, without an error.
func (c *claim) signs(n int) bool {
	if c.token == "" || !c.owns() {
		return false
	}
	f, err := os.OpenFile(c.path, os.O_RDWR, 0) // anew: the file may be another one by now
	if err != nil {
		return false
	}
	_, err = f.WriteAt(c.sign(n), maxRecord)
	if fault := f.Close(); err != nil || fault != nil {
		return false
	}
	return string(contentOf(c.path)[maxRecord:]) == string(c.sign(n)) && c.owns()
}

// contentOf returns what a lock file holds, as a block of one length. Opening the file asks the server of a network file
// system.
func contentOf(path string) []byte {
	b := make([]byte, maxRecord+beatBytes)
	f, err := os.Open(path)
	if err != nil {
		return b
	}
	defer f.Close()
	_, _ = io.ReadFull(f, b) // what is missing is zero
	return b
}

// alive watches a lock file whose lock cannot be seen. It reports whether the file changes within the time in which a
// living owner gives several signs of life.
func alive(ctx context.Context, path string) (bool, error) {
	first, changed := contentOf(path), time.Time{}
	if info, err := os.Stat(path); err == nil {
		changed = info.ModTime() // programs of earlier versions touch the file
	}
	for end, more := time.Now().Add(time.Duration(patience)*beatEvery), true; more; {
		more = time.Now().Before(end) // a last look follows, because this process may have stood still too
		if err := Pause(ctx, beatEvery/10); err != nil {
			return false, err
		}
		info, err := os.Stat(path)
		if err != nil {
			return false, nil
		}
		if string(contentOf(path)) != string(first) || !info.ModTime().Equal(changed) {
			return true, nil
		}
	}
	return false, nil
}
