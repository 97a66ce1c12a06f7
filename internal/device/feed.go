package device

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// Feed copies long lists to a device while they are computed, and from it while they are read. One piece is
// copied while the host writes the next or reads the one before, in pinned memory.
type Feed struct {
	device *Device
	arena  *Arena
	slots  [2]feedSlot
	turn   int // pieces sent so far
}

// feedSlot is the memory for a piece.
type feedSlot struct {
	memory *Host[uint64]
	sent   *Mark // after the piece's copy
}

// feedPiece is the size of a piece in bytes, if a list can be cut anywhere. Tests make it smaller.
var feedPiece = 16 << 20

// NewFeed returns a feed, which allocates memory when it is used.
func (d *Device) NewFeed() *Feed {
	f := &Feed{device: d, arena: d.NewArena()}
	for i := range f.slots {
		f.slots[i].sent = f.arena.Mark()
	}
	return f
}

// Close waits until all pieces are copied, and frees the feed's memory.
func (f *Feed) Close() error {
	return FirstError(f.arena.Err(), f.device.Main().Wait(), f.arena.Close())
}

// Pieces returns the ends of the pieces of a list that may be cut only after its first n[0], n[0]+n[1], … numbers.
func Pieces[T cuda.Number](n []int) (ends []int) {
	begin, end := 0, 0
	for _, more := range n {
		if end > begin && int64(end+more-begin)*size[T]() > int64(feedPiece) {
			ends, begin = append(ends, end), end
		}
		end += more
	}
	return append(ends, end)
}

// EvenPieces is Pieces for a list of n numbers that may be cut anywhere.
func EvenPieces[T cuda.Number](n int) (ends []int) {
	each := max(1, feedPiece/int(size[T]()))
	for end := each; end < n; end += each {
		ends = append(ends, end)
	}
	return append(ends, n)
}

// Pour copies a list to a buffer. For every piece, which ends at the next of ends, it calls write to write the numbers
// first … last-1. Copies go through the device's main queue: before another queue uses the buffer, close the feed.
func Pour[T cuda.Number](f *Feed, b *Buffer[T], ends []int, write func(first, last int, piece []T)) error {
	first, q := 0, f.device.Main()
	for _, last := range ends {
		if first == last {
			continue
		}
		piece, sent, err := pieceOf[T](f, last-first)
		if err != nil {
			return err
		}
		write(first, last, piece.data)
		if err = FirstError(b.View(first, last).Send(q, piece), sent.Set(q)); err != nil {
			return err
		}
		first = last
	}
	return nil
}

// Push copies a list to the beginning of a buffer, with several threads.
func Push[T cuda.Number](f *Feed, b *Buffer[T], list []T, threads int) error {
	return Pour(f, b, EvenPieces[T](len(list)), func(first, last int, piece []T) {
		parallel.Runs(threads, last-first, func(from, to int) { copy(piece[from:to], list[first+from:]) })
	})
}

// Pull copies the beginning of a buffer to a list, with several threads, after the work in the device's main queue.
func Pull[T cuda.Number](f *Feed, b *Buffer[T], list []T, threads int) error {
	read := func() error { return nil } // reads the piece before
	first, q := 0, f.device.Main()
	for _, last := range EvenPieces[T](len(list)) {
		if first == last {
			break
		}
		piece, sent, err := pieceOf[T](f, last-first)
		if err != nil {
			return err
		}
		if err = FirstError(b.View(first, last).Receive(q, piece), sent.Set(q), read()); err != nil {
			return err
		}
		to := list[first:last]
		read = func() error {
			err := sent.Wait()
			parallel.Runs(threads, len(to), func(from, last int) { copy(to[from:last], piece.data[from:]) })
			return err
		}
		first = last
	}
	return read()
}

// pieceOf waits for the next slot, and returns its memory as n numbers.
func pieceOf[T cuda.Number](f *Feed, n int) (*Host[T], *Mark, error) {
	s := &f.slots[f.turn%len(f.slots)]
	f.turn++
	err := s.sent.Wait()
	GrowHost(f.arena, &s.memory, (n*int(size[T]())+7)/8)
	if err = FirstError(err, f.arena.Err()); err != nil {
		return nil, nil, err
	}
	return as[T](s.memory, n), s.sent, nil
}

// as returns memory as n numbers of another type.
func as[T cuda.Number](h *Host[uint64], n int) *Host[T] {
	if h.pinned == nil {
		return &Host[T]{data: unsafe.Slice((*T)(unsafe.Pointer(&h.data[0])), n)}
	}
	pinned := cuda.PinnedAs[T](h.pinned, n)
	return &Host[T]{pinned: pinned, data: pinned.Slice()}
}
