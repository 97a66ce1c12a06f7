package claim

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The owner of a lock that cannot record itself, because its disk is full for example, still is the owner: it has no token
// that the file would have to hold.
func TestRecordThatCannotBeWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	for name, flags := range map[string]int{"neither cut nor written": os.O_RDONLY, "cut and not written": os.O_RDWR | os.O_APPEND} {
		file, err := os.OpenFile(path, flags|os.O_CREATE, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		c := &claim{file: file, path: path, token: "mine", local: true}
		if !c.write(&owner{Token: "mine"}, true, true) || c.token != "" {
			t.Errorf("%s: the token is %q", name, c.token)
		}
		file.Close()
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c := &claim{file: file, path: path, token: "mine", local: true}
	if !c.write(&owner{Token: "mine"}, true, true) || c.token != "mine" || readOwner(file).Token != "mine" {
		t.Errorf("the token is %q, the record %+v", c.token, readOwner(file))
	}
}

// A directory that a claim made is removed on release if nothing was put there; one that was there before stays, unless it is
// temporary.
func TestDirectoriesOfClaims(t *testing.T) {
	for name, c := range map[string]struct {
		there, temporary, used bool
		stays                  bool
	}{
		"made":                      {false, false, false, false},
		"made and used":             {false, false, true, true},
		"there before":              {true, false, false, true},
		"temporary":                 {false, true, false, false},
		"temporary, there before":   {true, true, false, false},
		"temporary, there and used": {true, true, true, true},
	} {
		dir := filepath.Join(t.TempDir(), "work", "dir")
		if c.there {
			if err := os.MkdirAll(dir, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		place := In(dir)
		if c.temporary {
			place = InTemporary(dir)
		}
		_, owned, err := Hold(context.Background(), place)
		if err != nil {
			t.Fatal(err)
		}
		if c.used {
			if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		owned.Release()
		_, err = os.Stat(dir)
		if stays := !errors.Is(err, fs.ErrNotExist); stays != c.stays {
			t.Errorf("%s: the directory stays: %v", name, stays)
		}
		if left := files(t, filepath.Dir(dir)); c.stays && len(left) == 0 {
			t.Errorf("%s: %q is left", name, left)
		}
		owned.Release() // once more does nothing
	}
}

// A record says which process on which machine owns a place, by its command without what may be a password.
func TestRecordOfThisProcess(t *testing.T) {
	before := os.Args
	defer func() { os.Args = before }()
	host, err := os.Hostname()
	if err != nil {
		t.Skip(err)
	}
	for want, args := range map[string][]string{
		"topoi":               {"/usr/bin/topoi"},
		"topoi train":         {"/usr/bin/topoi", "train", "--store=redis://:secret@host"},
		"topoi cluster work":  {"topoi", "cluster", "work", "news"},
		"topoi sweep":         {"topoi", "sweep", "Secret1"},
		"topoi mallet import": {"topoi", "mallet", "import"},
	} {
		os.Args = args
		if o := self(); o.Command != want || o.Host != host || o.PID != os.Getpid() || len(o.Token) < 20 || o.Since.IsZero() {
			t.Errorf("%q: %+v, want command %q", args, o, want)
		}
	}
}

// The owner counts in its lock file, so that others see it is alive; a file that is another's by now is left alone.
func TestBeat(t *testing.T) {
	for name, c := range map[string]struct{ held, replaced, counts bool }{
		"held":               {true, false, true},
		"released":           {false, false, false},
		"held, but replaced": {true, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "lock")
			own := recorded(t, path, "mine")
			if c.replaced {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				recorded(t, path, "theirs")
			}
			before := string(contentOf(path))
			done := make(chan struct{})
			if c.held {
				mutex.Lock()
				held[path] = own
				mutex.Unlock()
			}
			go own.beat(done, time.Millisecond)
			counts := false
			enough := time.Now().Add(50 * time.Millisecond) // and a minute for what must happen
			for time.Now().Before(enough) || c.counts && !counts && time.Since(enough) < time.Minute {
				counts = string(contentOf(path)) != before
				time.Sleep(time.Millisecond)
			}
			close(done)
			mutex.Lock()
			delete(held, path)
			mutex.Unlock()
			if counts != c.counts {
				t.Errorf("the owner counts: %v", counts)
			}
		})
	}
}

// recorded returns a claim whose record is in a new lock file.
func recorded(t *testing.T, path, token string) *claim {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	c := &claim{file: file, path: path, token: token, local: true}
	c.write(&owner{Token: token}, true, true)
	return c
}
