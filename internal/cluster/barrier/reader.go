// Package barrier reads a job's state where its workers met, from the store or from files: rows, the statistics from
// which priors are estimated, topics, and the late changes of a checkpoint.
package barrier

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
)

// Reader reads the state of a job at a barrier. A Fetch method must be called before the methods that return what it
// reads.
type Reader struct {
	ctx        context.Context
	task       records.Task
	job        *records.Job
	histograms *counts.Histograms // of the documents
	topics     []uint32           // N, corpus order

	totals  []uint64          // K: n_k
	counted []uint64          // how many n_wk have each value, by value
	some    map[uint32][]byte // rows of some words as blobs have them, by word
	all     *rows.OpenSlices  // nil before FetchRows
}

// NewReader returns a reader of a job.
func NewReader(ctx context.Context, t records.Task) *Reader {
	return &Reader{ctx: ctx, task: t, job: t.Job}
}

// FetchRows fetches the rows of all words at a barrier, and n_k.
func (r *Reader) FetchRows(round int) error {
	all := &rows.OpenSlices{Cut: r.task.Cut, Slices: make([]*rows.OpenSlice, r.job.Slices)}
	r.totals = make([]uint64, r.job.Topics)
	err := r.eachSlice(round, func(slice int, d *blob.Decoder) error {
		all.Slices[slice] = new(rows.OpenSlice)
		return all.Slices[slice].Read(r.task.Cut.Words[slice], d)
	})
	if err != nil {
		return err
	}
	var row []counts.Entry
	for w := range r.task.Cut.Slice {
		row = all.AppendRow(row[:0], w)
		for _, e := range row {
			r.totals[e.Topic] += uint64(e.Count)
		}
	}
	r.all = all
	return nil
}

// FetchStatistics fetches what Histograms needs of the rows. It does not keep the rows in memory.
func (r *Reader) FetchStatistics(round int) (err error) {
	if r.counted = nil; !r.job.Apart {
		r.totals, r.counted, err = r.job.StatisticsAt(r.ctx, round)
		return err
	}
	if r.totals, err = r.job.TotalsAt(r.ctx, round); err != nil {
		return err
	}
	return r.eachSlice(round, func(_ int, d *blob.Decoder) (err error) {
		r.counted, err = rows.CountCounts(r.counted, d)
		return err
	})
}

// FetchWords fetches n_k and the rows of some words, which are distinct and increasing.
func (r *Reader) FetchWords(round int, words func() []uint32) (err error) {
	if r.all = nil; r.job.Apart {
		r.totals, err = r.job.TotalsAt(r.ctx, round)
	} else if r.totals, _, err = r.job.StatisticsAt(r.ctx, round); errors.Is(err, protocol.ErrMissing) {
		return r.FetchRows(round) // nobody wanted statistics there
	}
	if err != nil {
		return err
	}
	r.some = map[uint32][]byte{}
	wanted := words()
	return r.eachSlice(round, func(_ int, d *blob.Decoder) error {
		return rows.Excerpt(wanted, d, func(w uint32, row []byte) { r.some[w] = bytes.Clone(row) })
	})
}

// eachSlice calls f with the rows of every slice, one after the other.
func (r *Reader) eachSlice(round int, f func(slice int, d *blob.Decoder) error) error {
	j := r.job
	for slice := range j.Slices {
		key := j.Key.Rows(slice, round)
		b, err := j.ReadBlob(r.ctx, key)
		if err != nil {
			return err
		}
		d, err := j.OpenRows(b, slice, round)
		if err == nil {
			err = protocol.Damaged(key, f(slice, &d))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// FetchHistograms fetches and adds up the documents' histograms of all parts.
func (r *Reader) FetchHistograms(round int) error {
	r.histograms = nil
	sum := &counts.Histograms{Topic: make([][]uint32, r.job.Topics)}
	for part := range r.task.Spans {
		key := r.job.Key.Histograms(part, round)
		b, err := r.job.ReadBlob(r.ctx, key)
		if err != nil {
			return err
		}
		h, err := blob.DecodeHistograms(b, r.job.PartID(part, round), r.job.Topics)
		if err != nil {
			return protocol.Damaged(key, err)
		}
		sum.Add(h)
	}
	r.histograms = sum
	return nil
}

// FetchTopics fetches the topics of all tokens.
func (r *Reader) FetchTopics(round int) error {
	r.topics = make([]uint32, r.job.Tokens)
	for part, span := range r.task.Spans {
		key := r.job.TopicsKey(part, round)
		b, err := r.job.ReadBlob(r.ctx, key)
		if err != nil {
			return err
		}
		if err := blob.DecodeTopics(r.topics[span.Begin:span.End], b, r.job.PartID(part, round),
			r.job.Topics); err != nil {
			return protocol.Damaged(key, err)
		}
	}
	return nil
}

// Topics implements sampler.Sampler after FetchTopics, once.
func (r *Reader) Topics(z []uint32) {
	copy(z, r.topics)
	r.topics = nil
}

// AppendRow implements sampler.Sampler after FetchRows, or FetchWords for some words.
func (r *Reader) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	if r.all != nil {
		return r.all.AppendRow(dst, w)
	}
	d := blob.RowOf(r.some[uint32(w)], r.job.Topics)
	return d.Counts(dst)
}

// Entries implements counts.Sized after FetchWords.
func (r *Reader) Entries(words []bool) (n int) {
	var row []counts.Entry
	for w, wanted := range words {
		if wanted {
			row = r.AppendRow(row[:0], w)
			n += len(row)
		}
	}
	return n
}

// TopicTotals implements sampler.Sampler after FetchRows.
func (r *Reader) TopicTotals() []uint64 { return slices.Clone(r.totals) }

// Histograms implements sampler.Sampler after FetchStatistics and FetchHistograms.
func (r *Reader) Histograms() *counts.Histograms {
	h := *r.histograms
	h.TopicTotals, h.WordTopic = r.TopicTotals(), r.counted
	return &h
}

// Late changes are part of a checkpoint: the changes of each part in the last rounds, as many as the staleness, which
// others do not see yet. They have the form in which the sampler of one process writes them (see
// sampler.Capabilities): the number of rounds, then for every round and part the length of a blob and the blob.

var errLateChanges = errors.New("the checkpoint's late changes are not those of this job")

// lateID returns the id of a blob of late changes.
func lateID(round, part, topics int) blob.ID {
	return blob.ID{Kind: blob.Changes, Round: uint32(round), Part: uint32(part), Topics: uint32(topics)}
}

// ReadLate reads the late changes of a checkpoint whose last round is given.
func ReadLate(extra []byte, last, staleness, parts, topics, words int) ([]records.Late, error) {
	rounds, n := binary.Uvarint(extra)
	if n <= 0 || rounds != uint64(min(staleness, last)) {
		return nil, errLateChanges
	}
	extra = extra[n:]
	var late []records.Late
	for r := range int(rounds) {
		for part := range parts {
			length, n := binary.Uvarint(extra)
			if n <= 0 || length > uint64(len(extra)-n) {
				return nil, errLateChanges
			}
			b := extra[n:][:length]
			extra = extra[n:][length:]
			changes, err := blob.Open(b, lateID(r, part, topics))
			d := changes // a copy, which is read to its end
			for err == nil && d.Next() {
				if int(d.Word()) >= words {
					err = fmt.Errorf("there is no word %d", d.Word())
				}
			}
			if err = cmp.Or(err, d.Err()); err != nil {
				return nil, fmt.Errorf("%w: %w", errLateChanges, err)
			}
			late = append(late, records.Late{Round: last - int(rounds) + r + 1, Part: part, Changes: changes})
		}
	}
	if len(extra) > 0 {
		return nil, errLateChanges
	}
	return late, nil
}

// NoLate returns the late changes of a job in which nothing changed before the first round.
func NoLate(last, staleness, parts int) (late []records.Late) {
	rounds := min(staleness, last)
	for i := range rounds * parts {
		late = append(late, records.Late{Round: last - rounds + i/parts + 1, Part: i % parts})
	}
	return late
}

// FetchLate returns the late changes of a barrier in the form of a checkpoint.
func (r *Reader) FetchLate(round int) ([]byte, error) {
	j := r.job
	if j.Staleness == 0 {
		return nil, nil
	}
	first := max(round-j.Staleness, 0) + 1
	out := binary.AppendUvarint(nil, uint64(round-first+1))
	for at := first; at <= round; at++ {
		for part := range j.Parts {
			b, err := r.joinSlices(at, part, lateID(at-first, part, j.Topics))
			if err != nil {
				return nil, err
			}
			out = append(binary.AppendUvarint(out, uint64(len(b))), b...)
		}
	}
	return out, nil
}

// joinSlices joins a part's changes of all slices in one blob.
func (r *Reader) joinSlices(round, part int, id blob.ID) ([]byte, error) {
	j := r.job
	var decoders []blob.Decoder
	if r.task.Takes(part, round) {
		blobs, err := j.GetChanges(r.ctx, round, part)
		if err != nil {
			return nil, err
		}
		for i, b := range blobs {
			d, err := j.OpenChange(b, i, round, part)
			if err != nil {
				return nil, err
			}
			decoders = append(decoders, d)
		}
	}
	var sum blob.Summer
	return sum.Merge(nil, id, decoders)
}
