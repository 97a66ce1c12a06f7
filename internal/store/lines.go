package store

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/rueidis"
)

// lines are several connections to a store. A command goes out on one of them. If its answer takes unusually long, the
// command is sent again on another, and the first answer counts.
//
// This is for networks that lose packets. TCP notices a loss at once when later packets arrive. But a worker that waits
// for an answer sends none, so that TCP waits for a timer: 200 ms, and twice as long each time. Nothing else gets
// through on that connection meanwhile. The store may get any command twice and late (see package protocol).
type lines struct {
	option rueidis.ClientOption
	most   int // connections

	mutex  sync.Mutex
	lines  []*line // the first is always there; the others are opened when they are first needed
	opens  int     // being opened
	closed bool

	usual  atomic.Int64 // nanoseconds: about half of the answers take less
	recent atomic.Int64 // bytes of the largest of recent answers
}

// line is a connection, or one to each node of a Cluster.
type line struct {
	rueidis.Client
	waits atomic.Int32  // calls that wait for answers
	read  *atomic.Int64 // bytes, all connections together
}

const (
	mostLines = 3

	// leastWait is how long an answer may take at least before the command is sent again.
	leastWait = 10 * time.Millisecond

	// usualTimes is how often the usual time an answer may take longer than that.
	usualTimes = 4

	// slowest is how many bytes a second go to the store at least, unless packets are lost.
	slowest = 30 << 20

	// mostTwice is how large commands or their answers may be that are sent again. TCP notices that packets of larger
	// ones are lost by those that follow.
	mostTwice = 4 << 20
)

// openLines opens the first line of so many at most.
func openLines(option rueidis.ClientOption, most int) (*lines, error) {
	l := &lines{option: option, most: most}
	first, err := l.open()
	if err != nil {
		return nil, err
	}
	l.lines = []*line{first}
	return l, nil
}

// open opens a line.
func (l *lines) open() (*line, error) {
	x := &line{read: new(atomic.Int64)}
	option := l.option
	option.DialCtxFn = counted(dialer(option), x.read)
	var err error
	x.Client, err = rueidis.NewClient(option)
	return x, err
}

// first returns the line that is always there.
func (l *lines) first() rueidis.Client {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.lines[0]
}

// Close ends the connections.
func (l *lines) Close() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.closed = true
	for _, x := range l.lines {
		x.Close()
	}
}

// pick returns the line on which the fewest wait, without those that were asked, or nil if there is none yet.
func (l *lines) pick(asked []*line) (best *line) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, x := range l.lines {
		if !slices.Contains(asked, x) && (best == nil || x.waits.Load() < best.waits.Load()) {
			best = x
		}
	}
	for best == nil && len(l.lines)+l.opens < l.most {
		l.opens++
		go l.add()
	}
	return best
}

// add opens one more line.
func (l *lines) add() {
	x, err := l.open()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.opens--
	switch {
	case err != nil: // there are others
	case l.closed:
		x.Close()
	default:
		l.lines = append(l.lines, x)
	}
}

// learn moves the usual time a little towards the one that an answer took.
func (l *lines) learn(took time.Duration) {
	usual := l.usual.Load()
	step := max(usual/16, int64(100*time.Microsecond))
	if int64(took) < usual {
		step = -min(step, usual)
	}
	l.usual.Store(usual + step) // one that gets lost does not matter
}

// expect returns how large an answer may be, from those before.
func (l *lines) expect() int { return int(l.recent.Load()) }

// came notes the size of an answer. Larger ones are forgotten after some dozens.
func (l *lines) came(size int) {
	recent := l.recent.Load()
	l.recent.Store(max(int64(size), recent-recent/16))
}

// wait returns how long an answer to a command of so many bytes may take.
func (l *lines) wait(size int) time.Duration {
	sending := time.Duration(size) * time.Second / slowest
	return leastWait + usualTimes*time.Duration(l.usual.Load()) + sending
}

// do sends commands at once and returns their answers. build makes the commands, again for each line that they are sent
// on. size is how large they, or their answers, are; if it is more than mostTwice, they are sent once only.
func (l *lines) do(ctx context.Context, size int, build func(c rueidis.Client) rueidis.Commands) []rueidis.RedisResult {
	begin, answers := time.Now(), make(chan []rueidis.RedisResult, mostLines)
	var asked []*line
	ask := func(x *line) {
		asked = append(asked, x)
		x.waits.Add(1)
		go func() {
			defer x.waits.Add(-1)
			answers <- x.DoMulti(ctx, build(x.Client)...)
		}()
	}
	ask(l.pick(nil))
	wait, failed := l.wait(size), 0
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		last := asked[len(asked)-1]
		read := last.read.Load()
		select {
		case a := <-answers:
			if failed++; failed < len(asked) && slices.ContainsFunc(a, isBroken) {
				continue // another line may be better
			}
			l.learn(time.Since(begin))
			return a
		case <-timer.C:
		}
		if size <= mostTwice && len(asked) < mostLines && last.read.Load() == read { // otherwise it may be on its way
			if x := l.pick(asked); x != nil {
				ask(x)
				wait *= 2
			}
		}
		timer.Reset(wait)
	}
}

// isBroken reports whether there is no answer of the store.
func isBroken(r rueidis.RedisResult) bool {
	err := r.NonRedisError()
	return err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}
