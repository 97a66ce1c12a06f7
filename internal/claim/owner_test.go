package claim

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
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
		c := &claim{file: file, path: path, token: "mine"}
		if !c.write(&owner{Token: "mine"}, true) || c.token != "" {
			t.Errorf("%s: the token is %q", name, c.token)
		}
		file.Close()
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c := &claim{file: file, path: path, token: "mine"}
	if !c.write(&owner{Token: "mine"}, true) || c.token != "mine" || readOwner(file).Token != "mine" {
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
