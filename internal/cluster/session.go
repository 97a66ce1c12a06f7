package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/lead"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// session is a worker from joining to leaving or losing its lease.
type session struct {
	o      WorkOptions
	token  int64
	cut    *rows.Cut
	rounds *protocol.Rounds
	ctx    context.Context
	cancel context.CancelCauseFunc
	group  sync.WaitGroup // of the session's goroutines

	// For the goroutine that works:
	parts         []*held
	feed          *feed                    // of the rows that parts see, where rows are apart
	model         *rows.Model              // nil before the first round
	device        leaning                  // of the model's rows, if they are on a device
	merger        rows.Merger              // for rows that are published
	coders        []*coder                 // one per thread
	encoders      []blob.Encoder           // one per slice
	fragments     [][]blob.Encoder         // by run of words, by slice
	own           map[int]map[int][][]byte // by round, by part: blobs of changes that this worker made, by slice
	fetches       map[int]*fetch           // by round: changes that others make
	pushes        pushes
	wrote         chan struct{} // 1: changes of a slice have been written, where rows are apart
	looked        chan struct{} // 1: there is a new view
	published     map[int]int   // by slice: the last barrier whose rows this worker wrote
	acting        *view         // what this worker is acting upon
	verified      time.Time     // when it last saw that what it wrote is still there
	priorsOf      *protocol.Priors
	decodedPriors *sampler.Priors

	progress protocol.Progress

	adding   sync.Mutex // of who reads or sets the next two
	totals   []uint64   // K: n_k after a round, where rows are apart
	totalsOf int

	mutex  sync.Mutex
	summed map[int]int // by slice: the last round whose sum, or rows, this worker wrote
	report protocol.Report
	now    *view
	led    chan struct{} // closed when Lead has returned
	leads  bool          // Lead has been called
	seen   time.Time     // when the last command began that renewed the lease
	mended string        // the mark of the job's last mending when the session began
}

// view is what a worker knows of the job from its last beat.
type view struct {
	leader  int64
	version string
	state   *protocol.State // nil before there is any
	parts   []int           // those it has
	slices  []int
}

func newSession(o WorkOptions, c *rows.Cut) *session {
	s := &session{
		o: o, cut: c, rounds: &protocol.Rounds{Plan: o.Plan}, encoders: make([]blob.Encoder, len(c.Words)),
		own: map[int]map[int][][]byte{}, fetches: map[int]*fetch{}, published: map[int]int{}, summed: map[int]int{},
		now: &view{}, led: make(chan struct{}), wrote: make(chan struct{}, 1), looked: make(chan struct{}, 1),
	}
	s.verified = time.Now()
	s.report = protocol.Report{Name: o.Name, Device: o.Device, Threads: o.Threads, Joined: time.Now().UTC()}
	return s
}

// join gets a token.
func (s *session) join(ctx context.Context) error {
	j := s.o.Job
	text, err := json.Marshal(s.report)
	if err != nil {
		return err
	}
	// Not a number that the store counts: a store that comes back without its last
	// moments might give it out twice.
	s.token = rand.Int64N(math.MaxInt64) + 1
	s.seen = time.Now()
	answer, err := j.Ask(ctx, protocol.ScriptJoin, []string{j.Key.Spec(), j.Key.Lease(s.token), j.Key.Members(), j.Key.State()}, s.tokenText(), string(text), protocol.Milliseconds(j.Lease))
	if err != nil {
		return err
	}
	s.mended, err = answer[1].ToString()
	return err
}

// leave ends the lease, so that others need not wait for it to run out.
func (s *session) leave() {
	j := s.o.Job
	ctx, cancel := context.WithTimeout(context.Background(), j.Lease)
	defer cancel()
	// If it fails the lease runs out by itself.
	_, _ = j.Ask(ctx, protocol.ScriptLeave, []string{j.Key.Lease(s.token), j.Key.Members(), j.Key.Leader()}, s.tokenText())
}

func (s *session) tokenText() string { return strconv.FormatInt(s.token, 10) }

// beats keeps the lease until the session ends.
func (s *session) beats() {
	ticker := time.NewTicker(max(s.o.Job.Lease/3, time.Millisecond))
	defer ticker.Stop()
	for {
		if err := s.beat(); err != nil {
			s.cancel(err)
			return
		}
		select {
		case <-ticker.C:
		case <-s.ctx.Done():
			return
		}
	}
}

// await lets some time pass, and then asks for news.
func (s *session) await(p *protocol.Pause) error {
	begin := time.Now()
	defer s.spend(&s.report.Waiting, begin)
	if err := p.Wait(s.ctx); err != nil {
		return err
	}
	if err := s.verify(); err != nil {
		return err
	}
	return s.beat()
}

// beat renews the lease and the view.
func (s *session) beat() error {
	j := s.o.Job
	text, err := json.Marshal(s.numbers())
	if err != nil {
		return err
	}
	old, began := s.view(), time.Now()
	answer, err := j.Ask(s.ctx, protocol.ScriptBeat,
		[]string{j.Key.Spec(), j.Key.Lease(s.token), j.Key.Members(), j.Key.Leader(), j.Key.Owners(), j.Key.State()},
		s.tokenText(), string(text), protocol.Milliseconds(j.Lease), old.version, j.SpecDigest())
	if err != nil {
		return err
	}
	s.mutex.Lock()
	s.seen = began
	s.mutex.Unlock()
	next := &view{version: old.version, state: old.state}
	if version, _ := answer[2].ToString(); version == "" && old.state != nil {
		return protocol.Missing(j.Key.State())
	}
	if next.leader, err = answer[1].AsInt64(); err != nil {
		return err
	}
	if stateText, _ := answer[3].ToString(); stateText != "" {
		if next.state, err = j.ParseState(stateText); err != nil {
			return err
		}
		next.version = next.state.Version()
	}
	offices, err := answer[4].AsStrSlice()
	if err != nil {
		return err
	}
	for _, name := range offices {
		if err := next.add(name); err != nil {
			return err
		}
	}
	s.see(next)
	return nil
}

// add notes an office: p7 or s3.
func (v *view) add(office string) error {
	n, err := strconv.Atoi(office[1:])
	switch {
	case err != nil:
		return err
	case strings.HasPrefix(office, "p"):
		v.parts = append(v.parts, n)
	default:
		v.slices = append(v.slices, n)
	}
	return nil
}

// see takes a new view, and begins to lead if that is what it says. Two beats may
// overlap; the later state wins.
func (s *session) see(v *view) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.now.state != nil && v.state != nil && s.now.state.LaterThan(v.state) {
		return
	}
	s.now = v
	select {
	case s.looked <- struct{}{}:
	default:
	}
	if v.leader == s.token && v.state != nil && !s.leads && !v.state.Finished {
		s.leads = true
		state := *v.state
		s.group.Go(func() { guard.Alone(func() { s.lead(&state) }) })
	}
}

func (s *session) view() *view {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.now
}

// lead runs the training.
func (s *session) lead(state *protocol.State) {
	defer close(s.led)
	s.o.tell("leading from iteration %d", state.Since)
	l := lead.New(lead.Options{Job: s.o.Job, Plan: s.o.Plan, Spans: s.o.Spans, Cut: s.cut, Own: &s.progress, Tell: s.o.tell}, s.token, state)
	err := s.o.Lead(s.ctx, l)
	if err != nil && s.ctx.Err() == nil {
		if errors.Is(err, protocol.ErrGone) {
			err = l.MayMiss(s.ctx, err)
		}
		if errors.Is(err, protocol.ErrLost) {
			// Another leads. Its lease ran out with the office, so that the whole
			// session is over.
			err = protocol.ErrLost
		}
		s.cancel(err)
	}
}

// numbers returns the report as of now.
func (s *session) numbers() protocol.Report {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.report.Sent, s.report.Received = s.o.Job.Store.Moved()
	s.report.Busy = time.Since(s.report.Joined)
	s.report.Memory, s.report.Peak = resident()
	s.report.Slices = len(s.now.slices)
	if s.o.Reports != nil {
		s.o.Reports(s.report)
	}
	return s.report
}
