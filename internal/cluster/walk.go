package cluster

import (
	"errors"
	"slices"
	"time"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// walking is what a worker does for its slices in a plain job: it gathers the tokens of their words from all parts, takes them
// through the first half of a round, and gives them back. At a barrier that needs rows it counts them. What it gave back
// stays until the next barrier, for parts that are taken over and come to these rounds again.
type walking struct {
	s      *session
	half   sampler.WordHalf
	frozen int // the round after which n_k and priors are in half; -1 for none
	slices map[int]*walkedSlice
	rooms  []walkRoom // by goroutine
}

// walkRoom is what one goroutine has a slice's tokens in.
type walkRoom struct {
	blobs   []byte // of the parts, as walkedSlice.begins says
	row     []counts.Entry
	encoder blob.Encoder
}

// walkedSlice is how far a slice is.
type walkedSlice struct {
	words  *sampler.WordTokens
	begins []int    // by part: where its records begin in a room, in bytes
	bytes  int      // of a room
	walked int      // the last round after which its tokens were given back, ready for the second half of the next
	rows   int      // the last barrier whose rows it has published
	absent []string // tokens that had not come
}

// step does what can be done for one round, and says whether there was anything.
func (k *walking) step(v *view) (worked bool, err error) {
	if v.state == nil || v.state.Round < 0 || v.state.Finished {
		return false, nil
	}
	if k.half == nil {
		k.half, k.frozen = k.s.o.Plan.NewWordHalf(), -1
	}
	if err := k.take(v); err != nil {
		return false, err
	}
	end := (&protocol.Rounds{Plan: k.s.o.Plan}).End(v.state.Until)
	threads := max(1, k.s.o.Threads)
	for len(k.rooms) < threads {
		k.rooms = append(k.rooms, walkRoom{})
	}
	round, behind := k.behind(v, end)
	if round < end { // at a barrier priors are not known yet, and rows need none
		if ready, err := k.freeze(v, round); err != nil || !ready {
			return false, err
		}
	}
	bare := round == end && v.state.NextBare
	if !bare {
		if behind, err = k.first(v, behind[:min(len(behind), walkedAtOnce*threads)], round, end); err != nil {
			return false, err
		}
	}
	errs := make([]error, len(behind))
	rows.Spread(threads, len(behind), func(goroutine, i int) {
		if bare {
			errs[i] = k.reachRows(behind[i], end)
			return
		}
		errs[i] = k.advance(v, behind[i], goroutine, round, end)
	})
	return len(behind) > 0, errors.Join(errs...)
}

// behind returns the first round that one of the slices has not come to, and those slices, in the order in which parts tell of them. A slice
// that was just taken over may be behind the others, which n_k and priors of its round are not for.
func (k *walking) behind(v *view, end int) (round int, list []int) {
	round = end
	for _, slice := range v.slices {
		round = min(round, k.slices[slice].walked+1)
	}
	for _, slice := range slices.Sorted(slices.Values(v.slices)) {
		if x := k.slices[slice]; x.walked+1 == round && (round < end || x.rows < end) {
			list = append(list, slice)
		}
	}
	return round, list
}

// walkedAtOnce is how many slices a goroutine takes before others are looked for.
const walkedAtOnce = 4

// first returns those at the beginning of a list of slices whose tokens of all parts are there. Parts tell of slices in this order: behind the
// first that is not there, the store is not asked.
func (k *walking) first(v *view, list []int, round, end int) ([]int, error) {
	for i, slice := range list {
		if whole, err := k.gathered(v, slice, round, end); err != nil || !whole {
			return list[:i], err
		}
	}
	return list, nil
}

// take lays out the slices that this worker has from now on, finds how far they are, and forgets those that it has not any more, or that are behind the last barrier.
func (k *walking) take(v *view) error {
	for slice, x := range k.slices {
		if !slices.Contains(v.slices, slice) {
			delete(k.slices, slice)
		} else if x.walked < v.state.Round-1 {
			x.walked, x.rows, x.absent = v.state.Round-1, v.state.Round, nil
		}
	}
	var fresh []int
	for _, slice := range v.slices {
		if k.slices[slice] == nil {
			fresh = append(fresh, slice)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	o := &k.s.o
	laid, err := o.Plan.LayWords(fresh, k.s.cut.Begins, k.s.cut.Slice, o.Spans, o.Words, k.half.SegmentTokens())
	if err != nil {
		return err
	}
	for part := range o.Spans {
		if o.Passed != nil {
			o.Passed(part)
		}
	}
	for _, slice := range fresh {
		k.slices[slice] = layRoom(laid[slice], o.Spans, k.half.RecordBytes())
		if err := k.find(v, slice); err != nil {
			return err
		}
	}
	return nil
}

// layRoom puts the tokens of parts so far from each other that there is room for what a blob has before and behind them: blobs are read
// there, and written from there.
func layRoom(words *sampler.WordTokens, spans []sampler.Span, size int) *walkedSlice {
	x := &walkedSlice{words: words}
	for _, span := range spans {
		lo, hi := words.Starts[span.FirstBlock], words.Starts[span.LastBlock]
		unit := 8 * size // words are counted from the beginning of the room, in records, which are aligned to 8 bytes
		begin := (x.bytes + blob.TokensHead + unit - 1) / unit * unit
		x.begins = append(x.begins, begin)
		for b := span.FirstBlock; b < span.LastBlock; b++ {
			words.Begins[b] += begin/size - lo
		}
		x.bytes = begin - blob.TokensHead + blob.TokensBytes(size*(hi-lo))
	}
	return x
}

// find finds how far a slice is.
func (k *walking) find(v *view, slice int) error {
	x, j := k.slices[slice], k.s.o.Job
	x.walked, x.rows, x.absent = v.state.Round-1, v.state.Round, nil
	end := (&protocol.Rounds{Plan: k.s.o.Plan}).End(v.state.Until)
	for x.walked < end-1 {
		absent, err := j.Store.Missing(k.s.ctx, k.s.walked(nil, slice, x.walked+1)...)
		if err != nil {
			return err
		}
		if len(absent) > 0 {
			return nil
		}
		x.walked++
		k.s.noteGiven(slice, x.walked)
	}
	absent, err := j.Store.Missing(k.s.ctx, j.Key.Rows(slice, end))
	if err != nil || len(absent) > 0 {
		return err
	}
	return k.reachRows(slice, end)
}

// walked appends the keys of a slice's tokens after the first half of the round after a given one.
func (s *session) walked(names []string, slice, round int) []string {
	for part := range s.o.Job.Parts {
		names = append(names, s.o.Job.Key.Walked(slice, round, part))
	}
	return names
}

// noteGiven notes the last round after which a slice's tokens were given back.
func (s *session) noteGiven(slice, round int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.given[slice] = round
}

// freeze sees to it that half has n_k after a round and the priors, and says whether it has.
func (k *walking) freeze(v *view, round int) (ready bool, err error) {
	j := k.s.o.Job
	if k.frozen == round {
		return true, nil
	}
	names := make([]string, j.Parts)
	for i := range names {
		names[i] = j.Key.Totals(i, round)
	}
	absent, err := j.Store.Missing(k.s.ctx, names...)
	if err != nil || len(absent) > 0 {
		return false, err
	}
	totals, err := k.s.totalsAt(round)
	if err != nil {
		return false, k.gone(v, -1, err)
	}
	k.half.Freeze(totals, v.state.Priors.Decode(j.Topics))
	k.frozen = round
	return true, nil
}

// advance takes a slice, whose tokens are there, through the first half of the round after a given one, or publishes its rows if there is a barrier.
func (k *walking) advance(v *view, slice, goroutine, round, end int) error {
	x, room := k.slices[slice], &k.rooms[goroutine]
	begin := time.Now()
	defer func() { k.s.walkedFor.Add(int64(time.Since(begin))) }()
	if err := k.gather(room, v, slice, round); err != nil {
		return k.gone(v, slice, err)
	}
	k.s.spend(&k.s.report.Coding, begin)
	x.absent = nil
	if round == end {
		return k.publishRows(room, goroutine, slice, end)
	}
	walk := time.Now()
	k.half.Walk(goroutine, x.words, room.blobs, (&protocol.Rounds{Plan: k.s.o.Plan}).Step(round+1).Iteration)
	k.s.spend(&k.s.report.Sampling, walk)
	if err := k.giveBack(room, slice, round); err != nil {
		return err
	}
	x.walked = round
	k.s.noteGiven(slice, round)
	select {
	case k.s.walkedOne <- struct{}{}:
	default:
	}
	return k.discard(slice, round)
}

// gathered says whether the tokens of all parts are there. One who had the slice before, and does not know yet that it has it
// no more, may have given them back and deleted them: then the slice is to be taken up anew.
func (k *walking) gathered(v *view, slice, round, end int) (whole bool, err error) {
	j, x := k.s.o.Job, k.slices[slice]
	if x.absent == nil {
		for part := range j.Parts {
			x.absent = append(x.absent, j.Key.Offer(slice, round, part, redrawn(v.state, round)))
		}
	}
	if x.absent, err = j.Store.Missing(k.s.ctx, x.absent...); err != nil || len(x.absent) == 0 {
		return err == nil, err
	}
	made := k.s.walked(nil, slice, round)
	if round == end {
		made = []string{j.Key.Rows(slice, end)}
	}
	absent, err := j.Store.Missing(k.s.ctx, made...)
	if err == nil && len(absent) == 0 {
		err = k.find(v, slice)
	}
	return false, err
}

// gone is the error about something that was not to be found, unless it has been deleted because there is a newer barrier, or
// because another worker who had the slice has done what it was for; then the slice, if one is given, is to be taken up anew.
func (k *walking) gone(v *view, slice int, err error) error {
	if !errors.Is(err, protocol.ErrMissing) {
		return err
	}
	state, fault := k.s.o.Job.State(k.s.ctx)
	if fault == nil && state != nil && state.Version() != v.state.Version() {
		return nil
	}
	if slice < 0 {
		return err
	}
	x := k.slices[slice]
	before := x.walked
	if fault := k.find(v, slice); fault != nil {
		return fault
	}
	if x.walked > before || x.rows > v.state.Round {
		return nil
	}
	return err
}

// gather brings the tokens of a slice from all parts.
func (k *walking) gather(room *walkRoom, v *view, slice, round int) error {
	j, x, size := k.s.o.Job, k.slices[slice], k.half.RecordBytes()
	if cap(room.blobs) < x.bytes {
		room.blobs = mapfile.Aligned(x.bytes + x.bytes/16)
		alloc.HugePages(room.blobs[:cap(room.blobs)]) // a word's tokens are all over it
	}
	room.blobs = room.blobs[:x.bytes]
	for part, span := range k.s.o.Spans {
		n := size * (x.words.Starts[span.LastBlock] - x.words.Starts[span.FirstBlock])
		lo := x.begins[part] - blob.TokensHead
		name := j.Key.Offer(slice, round, part, redrawn(v.state, round))
		b, err := j.GetInto(k.s.ctx, room.blobs[lo:lo:lo+blob.TokensBytes(n)], name)
		if err != nil {
			return err
		}
		records, err := blob.OpenTokens(b, j.BlobID(blob.Tokens, round, part)(slice), n) // in the room, as they have the right size
		if err == nil && !k.half.Sound(records) {
			err = errUnsound
		}
		if err != nil {
			return protocol.Damaged(name, err)
		}
	}
	return nil
}

// giveBack writes the tokens of a slice for the parts that they are of.
func (k *walking) giveBack(room *walkRoom, slice, round int) error {
	j, x, size := k.s.o.Job, k.slices[slice], k.half.RecordBytes()
	begin := time.Now()
	defer k.s.spend(&k.s.report.Coding, begin)
	writes := make([]protocol.Write, 0, j.Parts)
	for part, span := range k.s.o.Spans {
		n := x.words.Starts[span.LastBlock] - x.words.Starts[span.FirstBlock]
		b := blob.BeginTokens(room.blobs[x.begins[part]-blob.TokensHead:], j.BlobID(blob.Walked, round, part)(slice))
		b = blob.FinishTokens(b[:blob.TokensHead+size*n], n)
		writes = append(writes, protocol.Write{Head: j.Key.Slice(slice, "head"), Key: j.Key.Walked(slice, round, part), Round: round + 1, Blob: b})
	}
	return j.Put(k.s.ctx, writes)
}

// publishRows counts the tokens of a slice at a barrier.
func (k *walking) publishRows(room *walkRoom, goroutine, slice, round int) error {
	j, x := k.s.o.Job, k.slices[slice]
	begin := time.Now()
	e := &room.encoder
	e.Begin(nil, j.BlobID(blob.Counts, round, 0)(slice))
	for i, w := range k.s.cut.Words[slice] {
		room.row = k.half.Row(goroutine, room.row[:0], x.words, room.blobs, i)
		e.Counts(w, room.row)
	}
	b := e.Finish()
	k.s.spend(&k.s.report.Coding, begin)
	if err := j.Put(k.s.ctx, []protocol.Write{{Head: j.Key.Slice(slice, "head"), Key: j.Key.Rows(slice, round), Round: round, Blob: b}}); err != nil {
		return err
	}
	return k.reachRows(slice, round)
}

// reachRows notes that a slice has come to a barrier.
func (k *walking) reachRows(slice, round int) error {
	k.slices[slice].rows = round
	k.s.noteSum(slice, round)
	return k.s.reach("s", slice, "s", round)
}

// discard deletes tokens that have been given back.
func (k *walking) discard(slice, round int) error {
	j := k.s.o.Job
	var names []string
	for part := range j.Parts {
		names = append(names, j.Key.Offer(slice, round, part, false), j.Key.Offer(slice, round, part, true))
	}
	return j.Delete(k.s.ctx, names...)
}
