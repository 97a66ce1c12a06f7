package ledger

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// tally has the device count and encode what a part changed, and returns the blobs.
func (c *ledgerCase) tally(t testing.TB, d *device.Device, rows *Rows, p *ledgerPart) [][]byte {
	t.Helper()
	a := d.NewArena()
	defer a.Close()
	tally, err := rows.NewTally(a, p.frequencies)
	samplertest.MustDo(t, err)
	n := len(p.old)
	begins, before := make([]uint32, (n+31)/32), make([]uint32, (n+31)/32)
	var segments []uint32
	at := 0
	for w, f := range p.frequencies {
		if f == 0 {
			continue
		}
		begins[at/32] |= 1 << (at % 32)
		segments = append(segments, uint32(w))
		for i := at/32 + 1; i < len(before); i++ {
			before[i]++
		}
		at += int(f)
	}
	const stride = 4
	state := make([]uint16, n*stride)
	for i, k := range p.now {
		state[i*stride] = k
	}
	load := Load{
		State: device.Upload(a, state), Layout: 2 | stride<<16, Topics: device.Upload(a, p.old), Tokens: n,
		Begins: device.Upload(a, begins), Before: device.Upload(a, before), Segments: device.Upload(a, segments),
	}
	samplertest.MustDo(t, a.Err())
	var blobs [][]byte
	for range 2 { // the second time nothing moves
		if n > 0 {
			samplertest.MustDo(t, tally.Count(load))
		}
		samplertest.MustDo(t, tally.Encode())
		if blobs == nil {
			blobs = c.blobsOf(tally)
		}
	}
	if again := c.blobsOf(tally); !equalBlobs(again, c.encode(blob.Changes, c.table(nothing, ledgerPart{frequencies: make([]uint32, c.words)}))) {
		t.Error("changes were counted twice")
	}
	topics := make([]uint16, n)
	samplertest.MustDo(t, load.Topics.Download(topics))
	if !slices.Equal(topics, p.now) {
		t.Error("other topics")
	}
	return blobs
}

// blobsOf makes blobs of what a tally has encoded.
func (c *ledgerCase) blobsOf(tally *Tally) (blobs [][]byte) {
	for slice, body := range tally.Bodies() {
		blobs = append(blobs, body.Encode(c.id(blob.Changes)(slice)))
	}
	return blobs
}

func nothing(*ledgerPart) []uint16 { return nil }

func equalBlobs(a, b [][]byte) bool { return slices.EqualFunc(a, b, bytes.Equal) }

// holds compares the rows on the device with a table.
func (c *ledgerCase) holds(t testing.TB, rows *Rows, table [][]int32) error {
	t.Helper()
	totals := make([]uint64, c.topics)
	for w, row := range table {
		got, err := rows.Row(w)
		samplertest.MustDo(t, err)
		if want := entriesOf(row); !slices.Equal(got, want) {
			return fmt.Errorf("word %d: %v, want %v", w, got, want)
		}
		for k, n := range row {
			totals[k] += uint64(n)
		}
	}
	if !slices.Equal(rows.TopicTotals(), totals) {
		return fmt.Errorf("n_k %v, want %v", rows.TopicTotals(), totals)
	}
	for s, want := range c.encode(blob.Counts, table) {
		got, err := rows.Encode(s, c.id(blob.Counts)(s))
		samplertest.MustDo(t, err)
		if !bytes.Equal(got, want) {
			return fmt.Errorf("slice %d is encoded otherwise", s)
		}
	}
	return nil
}

// compare lets a device load rows, count and encode changes, add them, and take them out again.
func (c *ledgerCase) compare(t testing.TB, d *device.Device) error {
	rows, err := New(d, c.topics, c.frequencies, c.begins, 2)
	if err != nil {
		return err
	}
	defer rows.Close()
	old, now := c.table(before, c.parts...), c.table(after, c.parts...)
	if err := rows.Load(c.open(t, blob.Counts, c.encode(blob.Counts, old))); err != nil {
		return err
	}
	if err := c.holds(t, rows, old); err != nil {
		return fmt.Errorf("loaded: %w", err)
	}
	var all [][][]byte
	for i := range c.parts {
		p := &c.parts[i]
		changes := c.table(after, *p)
		c.count(changes, p, p.old, -1)
		blobs := c.tally(t, d, rows, p)
		if !equalBlobs(blobs, c.encode(blob.Changes, changes)) {
			return fmt.Errorf("part %d encodes its changes otherwise", i)
		}
		all = append(all, blobs)
	}
	layers := func(taken bool) (list []sampler.Layer) {
		for _, blobs := range all {
			list = append(list, sampler.Layer{Slices: c.open(t, blob.Changes, blobs), Taken: taken})
		}
		return list
	}
	if err := rows.Add(layers(false)); err != nil {
		return err
	}
	if err := c.holds(t, rows, now); err != nil {
		return fmt.Errorf("after the changes: %w", err)
	}
	if err := rows.Add(layers(true)); err != nil {
		return err
	}
	return c.holds(t, rows, old)
}

// sameAsGo compares a device with plain Go in many cases.
func sameAsGo(t *testing.T, d *device.Device, cases uint64) {
	for seed := range cases {
		c := randomCase(seed)
		if err := c.compare(t, d); err != nil {
			t.Fatalf("case %d, %d topics, %d words, slices %v: %v", seed, c.topics, c.words, c.begins, err)
		}
	}
}

func TestEmulatedLedger(t *testing.T) {
	d := emulated.Open(t, "../../../cuda/kernels")
	t.Run("equals Go", func(t *testing.T) { sameAsGo(t, d, 14) })
	t.Run("refuses foreign changes", func(t *testing.T) { refusesForeign(t, d) })
	t.Run("many layers", func(t *testing.T) { manyLayers(t, d) })
}

func TestLedgerOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	sameAsGo(t, d, samplertest.DeviceCases())
	refusesForeign(t, d)
	manyLayers(t, d)
}

// refusesForeign adds changes to rows that they do not belong to.
func refusesForeign(t *testing.T, d *device.Device) {
	c := &ledgerCase{topics: 40, words: 3, begins: []int{0, 2, 3}, frequencies: []uint64{3, 100, 0}}
	p := ledgerPart{frequencies: []uint32{3, 100, 0}, old: make([]uint16, 103)}
	rows, err := New(d, c.topics, c.frequencies, c.begins, 1)
	samplertest.MustDo(t, err)
	defer rows.Close()
	table := c.table(before, p)
	blobs := c.encode(blob.Counts, table)
	for _, foreign := range [][3]int32{{0, 0, 1}, {0, 1, 1}, {1, 5, -1}, {2, 0, 1}} { // word, topic, change
		samplertest.MustDo(t, rows.Load(c.open(t, blob.Counts, blobs)))
		changes := c.table(nothing, ledgerPart{frequencies: make([]uint32, c.words)})
		changes[foreign[0]][foreign[1]] = foreign[2]
		if foreign[2] < 0 {
			changes[foreign[0]][foreign[1]+1] = 1 // as many tokens, but one of them was not there
		}
		err := rows.Add([]sampler.Layer{{Slices: c.open(t, blob.Changes, c.encode(blob.Changes, changes))}})
		if want := fmt.Sprintf("word %d would have", foreign[0]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("changes %v: %v, want an error with %q", foreign, err, want)
		}
	}
	table[0][0]--
	if err := rows.Load(c.open(t, blob.Counts, c.encode(blob.Counts, table))); err == nil {
		t.Error("rows without a token were taken")
	}
	c.begins = []int{0, 1, 3}
	blobs = c.encode(blob.Counts, table)
	if err := rows.Load(c.open(t, blob.Counts, blobs)); err == nil || !strings.Contains(err.Error(), "not in its slice") {
		t.Errorf("rows of other slices: %v", err)
	}
}

// manyLayers adds more layers than a kernel takes.
func manyLayers(t *testing.T, d *device.Device) {
	const n = 2*layersMost + 3
	c := &ledgerCase{topics: 90, words: 2, begins: []int{0, 2}, frequencies: []uint64{n, 2 * n}}
	p := ledgerPart{frequencies: []uint32{n, 2 * n}, old: make([]uint16, 3*n)}
	rows, err := New(d, c.topics, c.frequencies, c.begins, 1)
	samplertest.MustDo(t, err)
	defer rows.Close()
	table := c.table(before, p)
	samplertest.MustDo(t, rows.Load(c.open(t, blob.Counts, c.encode(blob.Counts, table))))
	var layers []sampler.Layer
	for i := range n {
		changes := c.table(nothing, ledgerPart{frequencies: make([]uint32, c.words)})
		for w := range changes {
			changes[w][0], changes[w][1+i] = -1, 1
			table[w][0]--
			table[w][1+i]++
		}
		layers = append(layers, sampler.Layer{Slices: c.open(t, blob.Changes, c.encode(blob.Changes, changes))})
	}
	samplertest.MustDo(t, rows.Add(layers))
	samplertest.MustDo(t, c.holds(t, rows, table))
}
