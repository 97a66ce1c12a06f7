package records

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/internal/store"
)

// inFiles returns a job whose topics are in files.
func inFiles(t *testing.T) *Job {
	t.Helper()
	_, j := created(t)
	j.Spec.State = t.TempDir()
	return j
}

// Topics in files are written as a whole and read back; those that are missing are damage, those that cannot be read an error.
func TestTopicsInFiles(t *testing.T) {
	j := inFiles(t)
	key, z := j.TopicsKey(1, 5), []uint32{0, 1, 1, 0}
	if !protocol.IsFile(key) {
		t.Fatalf("%s is no file", key)
	}
	writes, err := j.SaveTopics(1, 5, key, len(z), func(f func(z []uint32) error) error {
		if err := f(z[:1]); err != nil {
			return err
		}
		return f(z[1:])
	})
	if err != nil || len(writes) != 0 {
		t.Fatal(writes, err)
	}
	b, err := j.ReadBlob(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]uint32, len(z))
	if err := blob.DecodeTopics(got, b, j.PartID(1, 5), j.Topics); err != nil || !slices.Equal(got, z) {
		t.Errorf("topics %v: %v", got, err)
	}
	other := j.TopicsKey(2, 5)
	if _, err := j.ReadBlob(t.Context(), other); !errors.Is(err, protocol.ErrMissing) || !strings.Contains(err.Error(), other) {
		t.Errorf("a file that is missing: %v", err)
	}
	if err := os.Mkdir(other, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := j.ReadBlob(t.Context(), other); err == nil || errors.Is(err, protocol.ErrMissing) {
		t.Errorf("a file that cannot be read: %v", err)
	}
	absent, err := j.Absent(t.Context(), []string{key, j.TopicsKey(0, 5), j.Key.Spec(), j.Key.Rows(0, 3)})
	if err != nil || !slices.Equal(absent, []string{j.TopicsKey(0, 5), j.Key.Rows(0, 3)}) {
		t.Errorf("absent are %q: %v", absent, err)
	}
	broken := errors.New("broken")
	if _, err := j.SaveTopics(0, 5, j.TopicsKey(0, 5), 4, func(func(z []uint32) error) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("topics that cannot be had: %v", err)
	}
	if _, err := os.Stat(j.TopicsKey(0, 5)); err == nil {
		t.Error("half a file is there")
	}
}

// A barrier removes the files of those before it and what the job began with, and nothing else.
func TestFilesOfOlderBarriers(t *testing.T) {
	j := inFiles(t)
	if err := j.cleanState(3); err != nil {
		t.Errorf("without a directory: %v", err)
	}
	var names []string
	for _, key := range []string{j.TopicsKey(0, 2), j.TopicsKey(0, 3), j.TopicsKey(1, 10), j.OriginKey(1)} {
		if err := j.putFile(key, func(w io.Writer) error { return nil }); err != nil {
			t.Fatal(err)
		}
		names = append(names, filepath.Base(key))
	}
	if err := os.WriteFile(filepath.Join(j.StateDir(), "notes"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := j.cleanState(3); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(j.StateDir())
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	want := []string{names[1], names[2], "notes"}
	slices.Sort(want)
	if !slices.Equal(left, want) {
		t.Errorf("files %q are left, want %q", left, want)
	}
	if err := j.removeState(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(j.StateDir()); err == nil {
		t.Error("the directory stays")
	}
}

// Pseudo-counts come back from the store as they were; one whose blob is of another job is damaged.
func TestPseudoCountsOfAJob(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	st, err := store.Open(t.Context(), store.Options{URL: server.SocketURL()})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	pseudo := counts.NewPseudo(5, 3, func(w int) []counts.Entry {
		return []counts.Entry{{Topic: uint32(w % 3), Count: uint32(1 + w)}}
	})
	spec := protocol.Spec{ID: 7, Protocol: protocol.Protocol, Topics: 3, Words: 5, Parts: 2, Slices: 2}
	j, err := Create(t.Context(), st, "job", spec, protocol.State{Round: -1}, nil, []uint64{1, 1, 1, 1, 1}, pseudo)
	if err != nil {
		t.Fatal(err)
	}
	j.Pseudo = nil
	if err := j.FetchPseudo(t.Context()); err != nil || j.Pseudo.Hash() != pseudo.Hash() {
		t.Errorf("other pseudo-counts: %v", err)
	}
	other := *j
	other.ID = 8
	if err := other.FetchPseudo(t.Context()); !errors.Is(err, protocol.ErrGone) || !strings.Contains(err.Error(), j.Key.Pseudo(0)) {
		t.Errorf("pseudo-counts of another job: %v", err)
	}
}

// A job that has begun has a state; one that is being submitted may have none yet.
func TestStatusWithoutAState(t *testing.T) {
	server, j := created(t)
	server.Do("DEL", j.Key.State())
	if s, err := j.Status(t.Context()); err != nil || s.State != nil {
		t.Errorf("while it is submitted: %+v, %v", s, err)
	}
	server.Do("HSET", j.Key.Reached(), "r0", "5")
	if _, err := j.Status(t.Context()); err == nil || !strings.Contains(err.Error(), j.Key.State()) {
		t.Errorf("when it has begun: %v", err)
	}
	if _, err := (Control{j}).Join(t.Context(), 11, "{}"); err != nil {
		t.Fatal(err)
	}
	if s, err := j.Status(t.Context()); err != nil || len(s.Workers) != 1 {
		t.Errorf("a worker is there to mend it: %+v, %v", s, err)
	}
}

// Blobs lists what a mending may delete; what a head was not marked for stays.
func TestSweptBlobs(t *testing.T) {
	_, j := created(t)
	var writes []Write
	for _, key := range []string{j.Key.Rows(0, 3), j.Key.Changes(1, 2, 0), j.Key.Totals(2, 1)} {
		writes = append(writes, Write{Key: key, Round: 3, Blob: []byte("x")})
	}
	if err := j.Put(t.Context(), writes); err != nil {
		t.Fatal(err)
	}
	r := Repair{j}
	names, marks, err := r.Blobs(t.Context())
	if err != nil || len(names) != 3 || len(marks) != 3 {
		t.Fatalf("%q, marks %q: %v", names, marks, err)
	}
	marks[protocol.HeadOf(j.Key.Rows(0, 3))] = "another" // somebody has made this head anew
	if err := r.Sweep(t.Context(), names, marks); err != nil {
		t.Fatal(err)
	}
	absent, err := j.Absent(t.Context(), []string{j.Key.Rows(0, 3), j.Key.Changes(1, 2, 0), j.Key.Totals(2, 1)})
	if err != nil || !slices.Equal(absent, []string{j.Key.Changes(1, 2, 0), j.Key.Totals(2, 1)}) {
		t.Errorf("absent are %q: %v", absent, err)
	}
}

// A store that does not answer is told, not taken for one that lacks the corpus.
func TestReceiveWithoutAStore(t *testing.T) {
	_, j := created(t)
	j.Shipped = 1
	j.Store.Close()
	if err := j.Receive(t.Context(), io.Discard, 0); err == nil || strings.Contains(err.Error(), "does not hold all") {
		t.Error(err)
	}
}
