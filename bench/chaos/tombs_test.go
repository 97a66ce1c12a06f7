package chaos

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// disturbTombs has a job cancelled while a worker sleeps and the store restarts, with its data. The job must not come
// back, and its name is free: submitted anew, it gives the same bytes.
func (s *schedule) disturbTombs() error {
	c := &cluster{
		schedule: s, corpus: s.middle, kept: true, layout: "slices=4",
		team: make([]*process, 2), frozen: make([]time.Time, 2), signalled: make([]bool, 2),
		checkpoint: filepath.Join(s.dir, "job.checkpoint"),
	}
	c.options = []string{
		"-k", "12", "--sampler", "warp", "--iterations", "60", "--evaluate-every", "3",
		"--tolerance", "0", "--seed", "1",
	}
	if s.chance(2) {
		c.layout += ",rows=apart"
	}
	want, err := s.undisturbed(s.middle, append(c.options, "--device", "cpu"))
	if err != nil {
		return err
	}
	if err := c.startStore(); err != nil {
		return err
	}
	defer c.end()
	if err := c.submit(false); err != nil {
		return err
	}
	for place := range c.team {
		if err := c.hire(place); err != nil {
			return err
		}
	}
	time.Sleep(c.within(time.Second))
	asleep := c.random.IntN(2)
	c.fault("freeze", "worker %d", asleep)
	c.team[asleep].Signal(syscall.SIGSTOP)
	happenings := []func() error{c.restart, c.cut, func() error { return nil }}
	if err := happenings[c.random.IntN(len(happenings))](); err != nil {
		return err
	}
	c.fault("cancel", "the job")
	if _, err := c.do(c.dir, "cluster", "cancel", "--store", c.url(), "--job", "chaos"); err != nil {
		return err
	}
	if c.chance(2) {
		if err := c.restart(); err != nil {
			return err
		}
	}
	c.team[asleep].Signal(syscall.SIGCONT)
	for place, p := range c.team {
		if ok, err := p.wait(false); err != nil || ok {
			return fmt.Errorf("worker %d of a job that was cancelled ends with success %v: %w, %s", place, ok, err, p.said())
		}
		c.say("worker %d says: %s", place, p.sentence())
	}
	left, err := c.ask("KEYS", "topoi:{*")
	if err != nil {
		return err
	}
	for key := range strings.FieldsSeq(left) {
		if !strings.HasSuffix(key, ":new") { // what a worker offers that wakes up, and nobody takes, expires
			return fmt.Errorf("a return from the dead: %s", key)
		}
	}
	if err := c.history.end(); err != nil {
		return fmt.Errorf("the history of the store: %w", err)
	}
	s.refuse = true
	model := filepath.Join(s.dir, "model")
	if err := os.Remove(c.checkpoint); err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := c.again(model); err != nil {
		return err
	}
	return s.expect(model, want.fingerprint)
}
