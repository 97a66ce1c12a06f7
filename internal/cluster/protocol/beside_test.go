package protocol

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/store"
)

// Large blobs of a job on one machine are in files, and read, deleted and lost as those in the store.
func TestBlobsBesideTheStore(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.SocketURL()})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	dir := t.TempDir()
	spec := Spec{ID: 7, Protocol: Protocol, Parts: 2, Slices: 2, Topics: 70000, Words: 2, Apart: true, Plain: true, State: dir}
	j, err := Create(t.Context(), st, "beside", spec, State{Round: -1}, nil, []uint64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	small, large := []byte("small"), bytes.Repeat([]byte("large"), besideBytes)
	head := j.Key.Slice(1, "head")
	first, changes, rows, next := j.Key.First(1, 0), j.Key.Changes(1, 3, 0), j.Key.Rows(1, 3), j.Key.Rows(1, 4)
	want := map[string][]byte{first: large, changes: large, rows: large, next: large, j.Key.Changes(1, 3, 1): small}
	for key, b := range want {
		if err := j.Put(t.Context(), []Write{{head, key, 4, b}}); err != nil {
			t.Fatal(err)
		}
	}
	see := func(want map[string][]byte) {
		t.Helper()
		for key, b := range want {
			if got, err := j.Get(t.Context(), key); err != nil || !bytes.Equal(got[0], b) {
				t.Errorf("%s has %d bytes, want %d; %v", key, len(got[0]), len(b), err)
			}
		}
	}
	see(want)
	files, _ := filepath.Glob(filepath.Join(j.stateDir(), "*", "*"))
	if len(files) != 4 || slices.ContainsFunc(files, func(f string) bool { s, err := os.Stat(f); return err != nil || s.Size() != int64(len(large)) }) {
		t.Errorf("files %v", files)
	}
	if err := j.Delete(t.Context(), changes, j.Key.Changes(1, 3, 1), j.Key.State()); err != nil {
		t.Fatal(err)
	}
	see(map[string][]byte{changes: nil, j.Key.Changes(1, 3, 1): nil, rows: large})
	if _, err := j.GetInto(t.Context(), nil, changes); !errors.Is(err, ErrMissing) {
		t.Error(err)
	}
	spare, _ := filepath.Glob(filepath.Join(j.spareDir(), "*"))
	long := time.Now().Add(-2 * spareFor)
	if err := os.WriteFile(filepath.Join(j.spareDir(), "left"), large, 0o666); err != nil || len(spare) != 1 || os.Chtimes(filepath.Join(j.spareDir(), "left"), long, long) != nil {
		t.Fatal(spare, err)
	}
	if err := j.CleanState(4); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(j.spareDir(), "*")); !slices.Equal(left, spare) {
		t.Errorf("spare files %v, want %v", left, spare)
	}
	see(map[string][]byte{first: nil, rows: nil, next: large}) // the store still has the marks of some
	if err := j.removeState(); err != nil {
		t.Fatal(err)
	}
	see(map[string][]byte{next: nil})
}
