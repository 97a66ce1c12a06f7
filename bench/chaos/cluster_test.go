package chaos

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/topoi-lda/topoi/internal/redisserver"
)

// lease is how long a silent worker counts as alive.
const lease = 800 * time.Millisecond

// cluster is a job that is disturbed.
type cluster struct {
	*schedule
	store      storeProcess
	proxy      *proxy // before the store; nil: none
	kept       bool   // the store keeps its data when it is killed
	corpus     string
	options    []string // of the training
	layout     string   // how the job is cut and where its data are
	checkpoint string   // "" for none
	state      string   // directory of the topics; "" if they are in the store
	team       []*process
	frozen     []time.Time // until when
	signalled  []bool      // a worker that was killed
	sentences  int         // workers that ended with one
	complete   bool
	history    *watch
}

// disturbCluster disturbs a job of so many workers, collects its model, and has it made again from the
// checkpoint if that is not possible.
func (s *schedule) disturbCluster(workers int, behind bool) error {
	c := &cluster{
		schedule: s, corpus: s.middle, kept: s.chance(2) && *stored != "inner",
		team: make([]*process, workers), frozen: make([]time.Time, workers), signalled: make([]bool, workers),
	}
	sampler := []string{"warp", "batch", "light"}[s.random.IntN(3)]
	c.options = []string{
		"-k", "12", "--sampler", sampler, "--iterations", "24", "--evaluate-every", "3", "--tolerance", "0",
		"--burn-in", "2", "--optimize-interval", "5", "--seed", strconv.Itoa(s.random.IntN(2)),
	}
	alone := []string{"--device", "cpu"} // further options of one process
	c.layout = "slices=4"
	if s.chance(2) {
		c.options = append(c.options, "--staleness", "1")
		parts := []string{"3", "6"}[s.random.IntN(2)]
		c.layout, alone = c.layout+",parts="+parts, append(alone, "--parts", parts)
	}
	if sampler != "batch" && s.chance(2) {
		c.layout += ",rows=apart"
	}
	if s.chance(3) {
		c.state = filepath.Join(s.dir, "state")
		c.layout += ",topics=" + c.state
		if err := os.Mkdir(c.state, 0o777); err != nil {
			return err
		}
	}
	undisturbed, err := s.undisturbed(s.middle, slices.Concat(c.options, alone))
	if err != nil {
		return err
	}
	want := undisturbed.fingerprint
	if !s.chance(3) {
		c.checkpoint = filepath.Join(s.dir, "job.checkpoint")
	}
	if err := c.startStore(); err != nil {
		return err
	}
	defer c.end()
	if behind {
		if err := c.startProxy(); err != nil {
			return err
		}
		defer c.proxy.Close()
	}
	if err := c.submit(false); err != nil {
		return err
	}
	s.say("a job of %v %v, checkpoint %v, store keeps its data %v: expected fingerprint %s", c.options, c.layout, c.checkpoint != "", c.kept, want)
	if err := c.disturb(); err != nil {
		return err
	}
	if err := c.history.end(); err != nil {
		return fmt.Errorf("the history of the store: %w", err)
	}
	model := filepath.Join(s.dir, "model")
	done, err := c.collect(model)
	if err != nil {
		return err
	}
	if !done {
		s.refuse = true
		if err := c.again(model); err != nil {
			return err
		}
	}
	return s.expect(model, want)
}

func (c *cluster) url() string { return "unix://" + c.store.Socket }

// workerURL is how workers reach the store.
func (c *cluster) workerURL() string {
	if c.proxy != nil {
		return "unix://" + c.proxy.Addr().String()
	}
	return c.url()
}

// ask sends the store a command.
func (c *cluster) ask(args ...string) (string, error) {
	return redisserver.Do("unix://"+c.store.Socket, nil, args...)
}

func (c *cluster) submit(resume bool) error {
	args := append([]string{"cluster", "submit", c.corpus, "--store", c.url(), "--job", "chaos", "--workers", strconv.Itoa(len(c.team)), "--lease", lease.String(), "--layout", c.layout, "--quiet"}, c.options...)
	if c.checkpoint != "" {
		args = append(args, "--checkpoint", c.checkpoint, "--checkpoint-every", "6")
		if resume {
			args = append(args, "--resume")
		}
	}
	_, err := c.do(c.dir, args...)
	return err
}

// hire starts the worker in a place.
func (c *cluster) hire(place int) (err error) {
	c.signalled[place], c.frozen[place] = false, time.Time{}
	c.team[place], err = c.start(c.dir, 0, "cluster", "work", "--store", c.workerURL(), "--job", "chaos", "--threads", "1", "--device", "cpu", "--patience", "20s", "--log", "text")
	return err
}

// disturb has the job worked on while things happen, until a worker says that the
// model is complete, or all say that it cannot be.
func (c *cluster) disturb() error {
	for place := range c.team {
		if err := c.hire(place); err != nil {
			return err
		}
	}
	limit := time.Now().Add(patience)
	faults := 1 + c.random.IntN(4)
	next := time.Now().Add(c.within(800 * time.Millisecond))
	for !c.complete && c.sentences < 3*len(c.team) {
		if time.Now().After(limit) {
			return c.hang()
		}
		if faults > 0 && time.Now().After(next) {
			if err := c.happen(); err != nil {
				return err
			}
			faults--
			next = time.Now().Add(c.within(800 * time.Millisecond))
		}
		for place := range c.team {
			if err := c.see(place); err != nil {
				return err
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	return c.dismiss(c.complete)
}

// see looks after the worker in a place.
func (c *cluster) see(place int) error {
	p := c.team[place]
	if until := c.frozen[place]; !until.IsZero() && time.Now().After(until) {
		p.Signal(syscall.SIGCONT)
		c.frozen[place] = time.Time{}
	}
	select {
	case <-p.Exited():
	default:
		return nil
	}
	ok, err := p.verdict(c.signalled[place])
	if err != nil || ok {
		c.complete = c.complete || ok
		return err
	}
	if !c.signalled[place] {
		c.sentences++
		c.say("worker %d says: %s", place, p.sentence())
		if strings.Contains(p.sentence(), "was cancelled or has been collected") {
			return fmt.Errorf("a worker says that a job was cancelled that was not")
		}
	}
	return c.hire(place)
}

// dismiss ends all workers: those of a complete job end by themselves, or once it is collected.
func (c *cluster) dismiss(complete bool) error {
	for place, p := range c.team {
		c.signalled[place] = true
		if !complete {
			p.Signal(syscall.SIGKILL)
		}
		p.Signal(syscall.SIGCONT)
		select {
		case <-p.Exited():
		case <-time.After(4 * lease):
			p.Signal(syscall.SIGKILL) // one that still waits for what is not going to come
		}
		<-p.Exited()
		c.say("worker %d said:\n%s", place, p.said())
		if _, err := p.verdict(true); err != nil {
			return err
		}
	}
	return nil
}

// hang is the error of a job that does not end.
func (c *cluster) hang() error {
	status, _ := c.start(c.dir, 0, "cluster", "status", "--store", c.url(), "--job", "chaos")
	<-status.Exited()
	text := status.stdout.String() + status.said()
	for _, p := range c.team {
		p.Signal(syscall.SIGCONT)
		p.Signal(syscall.SIGKILL)
		<-p.Exited()
		text += "\n-- worker:\n" + p.said()
	}
	return fmt.Errorf("%w: the job is not complete after %v: %s", errHang, patience, text)
}

// collect fetches the model, and says whether it could.
func (c *cluster) collect(model string) (ok bool, err error) {
	if !c.complete {
		return false, nil
	}
	p, err := c.start(c.dir, 0, "cluster", "result", "--store", c.url(), "--job", "chaos", "-o", model, "--quiet")
	if err != nil {
		return false, err
	}
	if ok, err = p.wait(false); err == nil && !ok {
		c.say("result says: %s", p.sentence())
	}
	return ok, err
}

// again does what the sentences tell: it submits the job anew, from its checkpoint
// if there is one, and lets it end.
func (c *cluster) again(model string) error {
	p, err := c.start(c.dir, 0, "cluster", "cancel", "--store", c.url(), "--job", "chaos")
	if err != nil {
		return err
	}
	if _, err := p.wait(false); err != nil {
		return err
	}
	if err := c.submit(true); err != nil {
		return err
	}
	for place := range c.team {
		if err := c.hire(place); err != nil {
			return err
		}
	}
	wait := func() error {
		for place, p := range c.team {
			if ok, err := p.wait(false); err != nil || !ok {
				return fmt.Errorf("worker %d of the job submitted anew: %s, %w", place, p.said(), err)
			}
		}
		return nil
	}
	result := func() error {
		_, err := c.do(c.dir, "cluster", "result", "--store", c.url(), "--job", "chaos", "-o", model, "--quiet", "--wait")
		return err
	}
	return errors.Join(wait(), result())
}

// end leaves no process.
func (c *cluster) end() {
	for _, p := range c.team {
		if p != nil {
			p.Signal(syscall.SIGKILL)
			<-p.Exited()
		}
	}
	c.store.Kill()
}
