package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// chunkBytes is how much of a shipped corpus one key holds.
const chunkBytes = 8 << 20

// Chunks returns the number of keys that a corpus file with so many bytes takes.
func Chunks(bytes int64) int { return int((bytes + chunkBytes - 1) / chunkBytes) }

// chunkKey returns the key of a chunk. Chunks go to the parts in turn, so that they spread over the nodes of a store.
func (j *Blobs) chunkKey(chunk int) string {
	return j.Key.Part(chunk%j.Parts, fmt.Sprint("corpus:", chunk))
}

// Ship puts a corpus file into the store, for workers that do not see its path. Spec.Shipped must be the number of
// its chunks.
func (j *Job) Ship(ctx context.Context, file io.Reader) error {
	for chunk := range j.Shipped {
		b := make([]byte, chunkBytes)
		n, err := io.ReadFull(file, b)
		if err != nil && !(errors.Is(err, io.ErrUnexpectedEOF) && chunk == j.Shipped-1) {
			return fmt.Errorf("cannot read the corpus to ship it: %w", err)
		}
		if err := j.Put(ctx, []Write{{j.chunkKey(chunk), math.MaxInt32, b[:n]}}); err != nil {
			return err
		}
	}
	return nil
}

// Receive writes the shipped corpus to w. It waits for the rest, as long as something comes at least every patience.
func (j *Job) Receive(ctx context.Context, w io.Writer, patience time.Duration) error {
	last := time.Now()
	for chunk := 0; chunk < j.Shipped; {
		b, err := j.Store.Get(ctx, j.chunkKey(chunk))
		if err != nil {
			return err
		}
		if b[0] != nil {
			if _, err := w.Write(b[0]); err != nil {
				return err
			}
			chunk++
			last = time.Now()
			continue
		}
		if time.Since(last) > patience {
			return fmt.Errorf("the store does not hold all of the corpus of job %s: its submission was cut short or the "+
				"store has lost it: give workers a copy with SubmitOptions.CorpusPath, or submit the job again", j.Name)
		}
		if protocol.Wall.Wait(ctx, 50*time.Millisecond, nil) != nil {
			return ctx.Err()
		}
	}
	return nil
}
