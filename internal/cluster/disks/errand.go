package disks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// Piece is how many bytes of a file travel at a time; ahead so many pieces are wanted at once. Tests make it small.
var Piece int64 = 4 << 20

const (
	ahead     = 2
	mostPiece = 64 << 20 // of any size that is asked for
	tries     = 3        // for a file that arrives damaged
)

// ErrUnwanted says that what was asked for is of no use any more.
var ErrUnwanted = errors.New("the topics are not wanted any more")

// Errand fetches the topics of a part at a barrier from whoever has them.
type Errand struct {
	Job         *protocol.Job
	Part, Round int

	// Patience is how long to wait for somebody who has them; 0: as long as they are wanted.
	Patience time.Duration

	Wanted func() bool   // nil: they are in any case
	Slots  chan struct{} // bounds how many errands fetch at the same time; nil: no bound

	id   uint64
	open map[protocol.Want]bool // those that were posted and not answered
}

// Patience is how long those who cannot go on wait for somebody who has topics: workers may still be starting.
func Patience(j *protocol.Job) time.Duration { return max(4*j.Lease, time.Second) }

// Bring sees to it that the file is on this worker's disk, and whole.
func (e *Errand) Bring(ctx context.Context) error {
	if e.here() {
		return nil
	}
	key := e.Job.TopicsKey(e.Part, e.Round)
	return e.fetch(ctx, func(size int64) error {
		var fetched, written error
		err := e.Job.PutFile(key, func(w io.Writer) error {
			var c blob.TopicsCheck
			fetched = e.copy(ctx, size, func(b []byte) error {
				_, _ = c.Write(b) // never fails
				_, written = w.Write(b)
				return written
			})
			if fetched == nil {
				fetched = c.Done(e.Job.PartID(e.Part, e.Round))
			}
			return fetched
		})
		if fetched != nil && written == nil {
			return fetched // which has nothing to do with the file
		}
		return err
	})
}

// here says whether the file is on this worker's disk, and whole. One that is not whole is removed.
func (e *Errand) here() bool {
	if e.Job.Dir == "" {
		return false
	}
	key := e.Job.TopicsKey(e.Part, e.Round)
	f, err := os.Open(key)
	if err != nil {
		return false
	}
	defer f.Close()
	if check(f, e.Job.PartID(e.Part, e.Round)) != nil {
		_ = os.Remove(key) // if it stays, the one that is fetched takes its place
		return false
	}
	return true
}

// Read returns the blob of topics, from this worker's disk or another's.
func (e *Errand) Read(ctx context.Context) (b []byte, err error) {
	if e.here() {
		return e.Job.GetTopics(ctx, e.Job.TopicsKey(e.Part, e.Round))
	}
	err = e.fetch(ctx, func(size int64) error {
		var all bytes.Buffer
		if err := e.copy(ctx, size, func(b []byte) error { all.Write(b); return nil }); err != nil {
			return err
		}
		b = all.Bytes()
		return check(bytes.NewReader(b), e.Job.PartID(e.Part, e.Round))
	})
	return b, err
}

// Somewhere returns nil if somebody has the file, and has seen that it is whole.
func (e *Errand) Somewhere(ctx context.Context) error {
	if e.here() {
		return nil
	}
	defer e.withdraw(ctx)
	_, err := e.size(ctx)
	return err
}

// fetch learns the size of the file and calls get, again if what it got was damaged on its way or stopped coming.
func (e *Errand) fetch(ctx context.Context, get func(size int64) error) error {
	defer e.withdraw(ctx)
	for try := 1; ; try++ {
		size, err := e.size(ctx)
		if err != nil {
			return err
		}
		if e.Slots != nil {
			select {
			case e.Slots <- struct{}{}:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		err = get(size)
		if e.Slots != nil {
			<-e.Slots
		}
		switch {
		case errors.Is(err, protocol.ErrNowhere) && e.Patience == 0:
			try = 0 // somebody may come who has it
		case errors.Is(err, blob.ErrDamaged) && try < tries:
		case errors.Is(err, blob.ErrDamaged):
			return protocol.Damaged(fmt.Sprintf("what comes of the topics of part %d after round %d", e.Part, e.Round), err)
		default:
			return err
		}
		e.withdraw(ctx)
	}
}

// size asks for the size of the file.
func (e *Errand) size(ctx context.Context) (int64, error) {
	e.id, e.open = rand.Uint64(), map[protocol.Want]bool{}
	w := e.want(0, 0)
	if err := e.post(ctx, w); err != nil {
		return 0, err
	}
	b, err := e.await(ctx, w, e.Patience)
	if err != nil {
		return 0, err
	}
	size, err := strconv.ParseInt(string(b), 10, 64)
	if err != nil || size < 0 {
		size = 0 // damaged on its way: so is what follows
	}
	return size, nil
}

// copy calls write with the pieces of the file, in order.
func (e *Errand) copy(ctx context.Context, size int64, write func(b []byte) error) error {
	posted := int64(0)
	for at := int64(0); at < size; at += Piece {
		for ; posted < min(size, at+ahead*Piece); posted += Piece {
			if err := e.post(ctx, e.want(posted, min(Piece, size-posted))); err != nil {
				return err
			}
		}
		w := e.want(at, min(Piece, size-at))
		b, err := e.await(ctx, w, Patience(e.Job))
		if err != nil {
			return err
		}
		if int64(len(b)) != w.Length {
			return fmt.Errorf("%w: %d bytes of %d", blob.ErrDamaged, len(b), w.Length)
		}
		if err := write(b); err != nil {
			return err
		}
	}
	return nil
}

func (e *Errand) want(offset, length int64) protocol.Want {
	return protocol.Want{Part: e.Part, Round: e.Round, Offset: offset, Length: length, ID: e.id}
}

// post says what is wanted.
func (e *Errand) post(ctx context.Context, w protocol.Want) error {
	e.open[w] = true
	return e.Job.Want(ctx, w)
}

// await waits for what is wanted and deletes it from the store. It asks again now and then: who took it upon itself may have died.
func (e *Errand) await(ctx context.Context, w protocol.Want, patience time.Duration) ([]byte, error) {
	began, key := time.Now(), e.Job.AnswerKey(w)
	asked := began
	for pause := protocol.NewPause(); ; {
		values, err := e.Job.Store.Get(ctx, key)
		if err != nil {
			return nil, err
		}
		if values[0] != nil {
			delete(e.open, w)
			return values[0], e.Job.Store.Delete(ctx, key)
		}
		switch {
		case e.Wanted != nil && !e.Wanted():
			return nil, ErrUnwanted
		case patience > 0 && time.Since(began) > patience:
			return nil, protocol.Nowhere(e.Part, e.Round)
		case time.Since(asked) > e.Job.Lease/2:
			asked = time.Now()
			if err := e.post(ctx, w); err != nil {
				return nil, err
			}
		}
		if err := pause.Wait(ctx); err != nil {
			return nil, err
		}
	}
}

// withdraw takes back what was not answered. What comes nevertheless goes by itself after a while.
func (e *Errand) withdraw(ctx context.Context) {
	var left []protocol.Want
	for w := range e.open {
		left = append(left, w)
	}
	clear(e.open)
	if len(left) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_, _ = e.Job.Take(ctx, left...) // if they stay, somebody answers to nobody
}
