package training

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/remote"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// openFile opens a corpus file. Of one in a store it reads what is needed.
func openFile(path string) (*corpus.Corpus, error) {
	if !remote.Is(path) {
		return corpus.Open(path)
	}
	o, err := remote.Open(path)
	if err != nil {
		return nil, err
	}
	r := &ranges{object: o, has: map[int64]int{}}
	if f, err := os.CreateTemp("", "topoi-ranges"); err == nil {
		if r.file = f; os.Remove(f.Name()) != nil { // a file without a name vanishes with the process, but not everywhere
			_ = f.Close()
			_ = os.Remove(f.Name())
			r.file = nil
		}
	}
	return corpus.OpenRanges(remote.Name(path), o.Size, r.read)
}

// copyOf fetches a corpus file from a store. remove removes the copy.
func copyOf(path string) (local string, remove func(), err error) {
	made, err := wholefile.TempDir("corpus")
	if err != nil {
		return "", nil, err
	}
	local = filepath.Join(made.Temporary, "corpus.topoi")
	if err := remote.Fetch(path, local); err != nil {
		made.Abort()
		return "", nil, err
	}
	return local, made.Abort, nil
}

// ranges reads an object, and keeps the places that it has read in a file with holes: workers read their tokens again
// at every barrier.
type ranges struct {
	object *remote.Object
	file   *os.File // nil: nothing is kept
	mutex  sync.Mutex
	has    map[int64]int // offset to bytes
}

func (r *ranges) read(b []byte, offset int64) error {
	r.mutex.Lock()
	n, has := r.has[offset]
	r.mutex.Unlock()
	if has && n >= len(b) {
		_, err := r.file.ReadAt(b, offset)
		return err
	}
	err := r.object.ReadRange(b, offset)
	if err == nil && r.file != nil {
		if _, full := r.file.WriteAt(b, offset); full == nil {
			r.mutex.Lock()
			r.has[offset] = len(b)
			r.mutex.Unlock()
		}
	}
	return err
}
