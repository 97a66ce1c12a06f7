package records

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/counts"
)

// A single key of another job is in the way of a new one.
func TestCreateBesideOneKey(t *testing.T) {
	server, j := created(t)
	server.Do("FLUSHALL")
	server.Do("SET", j.Key.Rows(1, 3), "rows")
	var taken protocol.Taken
	_, err := Create(t.Context(), j.Store, "job", j.Spec, protocol.State{Round: -1}, nil, []uint64{1, 1, 1}, nil)
	if !errors.As(err, &taken) || !strings.Contains(err.Error(), "holds 1 keys") {
		t.Errorf("one key of another job: %v", err)
	}
}

// Whoever removes a job without a directory leaves all files alone, also one of the name that it would have had.
func TestRemoveLeavesFiles(t *testing.T) {
	_, j := created(t)
	t.Chdir(t.TempDir())
	if err := os.Mkdir(j.StateDir(), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Remove(t.Context(), j.Store, "job"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(j.StateDir()); err != nil {
		t.Errorf("a directory that is none of the job's: %v", err)
	}
}

// A barrier whose old files cannot be removed is told.
func TestRaiseTellsOfFiles(t *testing.T) {
	j := inFiles(t)
	if err := os.MkdirAll(filepath.Join(j.TopicsKey(0, 1), "kept"), 0o777); err != nil { // no file, and not empty
		t.Fatal(err)
	}
	if err := (Control{j}).Raise(t.Context(), &protocol.State{Round: 1}); err != nil {
		t.Errorf("what the barrier needs is in the way: %v", err)
	}
	if err := (Control{j}).Raise(t.Context(), &protocol.State{Round: 2}); err == nil {
		t.Error("what cannot be removed is not told")
	}
}

// Pseudo-counts of words that the job does not have are left out: the hash of all tells that they are others.
func TestPseudoCountsOfMoreWords(t *testing.T) {
	_, j := created(t)
	var e blob.Encoder
	e.Begin(nil, j.BlobID(blob.Counts, 0, j.Parts)(0))
	for w := range 5 {
		e.Counts(uint32(w), []counts.Entry{{Topic: 1, Count: uint32(1 + w)}})
	}
	more := e.Finish()
	e.Begin(nil, j.BlobID(blob.Counts, 0, j.Parts)(1))
	err := j.Put(t.Context(), []Write{{j.Key.Pseudo(0), 9, more}, {j.Key.Pseudo(1), 9, e.Finish()}})
	if err != nil {
		t.Fatal(err)
	}
	want := counts.NewPseudo(j.Words, j.Topics, func(w int) []counts.Entry {
		return []counts.Entry{{Topic: 1, Count: uint32(1 + w)}}
	})
	if err := j.FetchPseudo(t.Context()); err != nil || j.Pseudo.Hash() != want.Hash() {
		t.Errorf("they are not those of the job's words: %v", err)
	}
}
