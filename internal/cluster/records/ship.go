package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/store"
	"github.com/topoi-lda/topoi/internal/wholefile"
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

// Blobs has the values of a job in a store and in files, beside the small keys that scripts change.
type Blobs struct {
	protocol.Layout
	Store  *store.Store
	Pseudo *counts.Pseudo // m_wk, which rows and n_k include; nil: none
}

// Write is a blob to be put under a key.
type Write struct {
	Key   string
	Round int
	Blob  []byte
}

// BlobID returns the ids of blobs by slice.
func (j *Blobs) BlobID(kind blob.Kind, round, part int) func(slice int) blob.ID {
	return func(slice int) blob.ID {
		return blob.ID{
			Kind: kind, Job: j.ID, Round: uint32(round), Slice: uint32(slice), Part: uint32(part),
			Topics: uint32(j.Topics),
		}
	}
}

// TotalsID returns the id of n_k of a part: it has the number of a slice that does not exist.
func (j *Blobs) TotalsID(part, round int) blob.ID {
	return j.BlobID(blob.Totals, round, part)(j.Slices)
}

// PartID returns the id of a part's topics and histograms of a round.
func (j *Blobs) PartID(part, round int) blob.PartID {
	return blob.PartID{Job: j.ID, Part: part, Round: round}
}

// OpenRows opens a blob with the rows of a slice at a version.
func (j *Blobs) OpenRows(b []byte, slice, version int) (blob.Decoder, error) {
	d, err := blob.Open(b, j.BlobID(blob.Counts, version, 0)(slice))
	return d, protocol.Damaged(j.Key.Rows(slice, version), err)
}

// OpenChange opens a blob with the changes of a part in a slice and a round.
func (j *Blobs) OpenChange(b []byte, slice, round, part int) (blob.Decoder, error) {
	d, err := blob.Open(b, j.BlobID(blob.Changes, round, part)(slice))
	return d, protocol.Damaged(j.Key.Changes(slice, round, part), err)
}

// TotalsWrite returns n_k of a part's own tokens as it is written to the store.
func (j *Blobs) TotalsWrite(part, round int, totals []uint64) Write {
	return Write{j.Key.Totals(part, round), round, blob.EncodeTotals(j.TotalsID(part, round), totals)}
}

// Must fetches values. If one does not exist, it returns Damage about its key.
func (j *Blobs) Must(ctx context.Context, names ...string) ([][]byte, error) {
	values, err := j.Store.Get(ctx, names...)
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		if v == nil {
			return nil, protocol.Missing(names[i])
		}
	}
	return values, nil
}

// Each returns key(i) for the numbers i below n.
func Each(n int, key func(i int) string) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = key(i)
	}
	return names
}

// StatisticsAt returns the sums of the statistics of all slices after a round.
func (j *Blobs) StatisticsAt(ctx context.Context, round int) (totals, counted []uint64, err error) {
	names := Each(j.Slices, func(i int) string { return j.Key.Statistics(i, round) })
	blobs, err := j.Must(ctx, names...)
	totals = make([]uint64, j.Topics)
	for i, b := range blobs {
		if err != nil {
			return nil, nil, err
		}
		if counted, err = blob.AddStatistics(totals, counted, b, j.BlobID(blob.Statistics, round, 0)(i)); err != nil {
			err = protocol.Damaged(names[i], err)
		}
	}
	return totals, counted, err
}

// LoadRows reads the rows of a barrier into m.
func (j *Blobs) LoadRows(ctx context.Context, m *rows.Model, round int) error {
	names := Each(j.Slices, func(i int) string { return j.Key.Rows(i, round) })
	blobs, err := j.Must(ctx, names...)
	if err != nil {
		return err
	}
	fault := func(slice int, err error) error { return protocol.Damaged(names[slice], err) }
	return m.Load(round, blobs, j.BlobID(blob.Counts, round, 0), fault)
}

// GetChanges fetches the changes of a part in a round, by slice.
func (j *Blobs) GetChanges(ctx context.Context, round, part int) ([][]byte, error) {
	return j.Must(ctx, Each(j.Slices, func(i int) string { return j.Key.Changes(i, round, part) })...)
}

// OpenChanges fetches and opens the changes of some parts in a slice and a round.
func (j *Blobs) OpenChanges(ctx context.Context, slice, round int, parts []int) ([]rows.Source, error) {
	names := Each(len(parts), func(i int) string { return j.Key.Changes(slice, round, parts[i]) })
	blobs, err := j.Must(ctx, names...)
	if err != nil {
		return nil, err
	}
	sources := make([]rows.Source, len(parts))
	for i, part := range parts {
		if sources[i].Decoder, err = j.OpenChange(blobs[i], slice, round, part); err != nil {
			return nil, err
		}
	}
	return sources, nil
}

// heads returns the keys of the heads of all slices and parts.
func (j *Blobs) heads() []string {
	parts := Each(j.Parts, func(i int) string { return j.Key.Part(i, "head") })
	return append(Each(j.Slices, func(i int) string { return j.Key.Slice(i, "head") }), parts...)
}

// SaveTopics writes n topics of a part, which each passes in runs. It writes them to a file if the job has a
// directory for its topics, which all workers see; otherwise it returns what is to be put into the store.
func (j *Blobs) SaveTopics(part, round int, key string, n int, each eachTopics) ([]Write, error) {
	write := func(w io.Writer) error { return blob.WriteTopics(w, j.PartID(part, round), n, each, j.Topics) }
	if protocol.IsFile(key) {
		return nil, j.putFile(key, write)
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return nil, err
	}
	return []Write{{key, round, b.Bytes()}}, nil
}

type eachTopics = func(f func(z []uint32) error) error

// putFile writes a file of topics.
func (j *Blobs) putFile(key string, write func(w io.Writer) error) error {
	if err := os.MkdirAll(j.StateDir(), 0o777); err != nil {
		return fmt.Errorf("cannot write the topics of job %s: %w: give workers the right to write its directory",
			j.Name, err)
	}
	f, err := wholefile.CreateShared(key)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := write(f); err != nil {
		return wholefile.Explain(key, err)
	}
	return f.Commit()
}

// ReadBlob reads the value of a key or the content of a file. It returns Damage if that does not exist.
func (j *Blobs) ReadBlob(ctx context.Context, key string) ([]byte, error) {
	if !protocol.IsFile(key) {
		values, err := j.Must(ctx, key)
		if err != nil {
			return nil, err
		}
		return values[0], nil
	}
	b, err := os.ReadFile(key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, protocol.Missing(key)
	}
	return b, err
}

// Absent returns those keys and paths that do not exist.
func (j *Blobs) Absent(ctx context.Context, names []string) ([]string, error) {
	var keys, gone []string
	for _, name := range names {
		if !protocol.IsFile(name) {
			keys = append(keys, name)
			continue
		}
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, name)
		} else if err != nil {
			return nil, err
		}
	}
	absent, err := j.Store.Missing(ctx, keys...)
	return append(gone, absent...), err
}

// cleanState removes the files of barriers before a round.
func (j *Blobs) cleanState(round int) error {
	if !j.InFiles() {
		return nil
	}
	files, err := os.ReadDir(j.StateDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, f := range files {
		_, number, _ := strings.Cut(f.Name(), ".topics-")
		at, err := strconv.Atoi(number)
		if first := strings.HasSuffix(f.Name(), ".first"); first || err == nil && at < round {
			if err := os.Remove(filepath.Join(j.StateDir(), f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// removeState removes the job's files.
func (j *Blobs) removeState() error {
	if j.Spec.State == "" {
		return nil
	}
	return os.RemoveAll(j.StateDir())
}

// Keys returns all keys with the job's name.
func (j *Blobs) Keys(ctx context.Context) (all []string, err error) {
	for _, prefix := range j.Key.Prefixes() {
		found, err := j.Store.Keys(ctx, prefix)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}
