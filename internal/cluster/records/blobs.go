package records

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/store"
)

// Blobs reads and names the large values of a job, in a store and in files; scripts change the small keys (see
// Job.Ask). Its methods may be called from any goroutine.
type Blobs struct {
	protocol.Layout
	Store  *store.Store
	Pseudo *counts.Pseudo // m_wk, which rows and n_k include; nil: none
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

// GetChanges fetches the changes of a part in a round, by slice.
func (j *Blobs) GetChanges(ctx context.Context, round, part int) ([][]byte, error) {
	return j.Must(ctx, Each(j.Slices, func(i int) string { return j.Key.Changes(i, round, part) })...)
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

// Each returns key(i) for the numbers i below n.
func Each(n int, key func(i int) string) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = key(i)
	}
	return names
}
