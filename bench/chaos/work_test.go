package chaos

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// disturbance describes how a run of the program is disturbed.
type disturbance struct {
	kind   string
	signal syscall.Signal
	after  time.Duration
	long   time.Duration // of a freeze
	blocks int           // of a full disk
}

// disturbance draws what happens to a run that takes about the given time and
// writes files of so many blocks.
func (s *schedule) disturbance(usual time.Duration, blocks int) disturbance {
	d := disturbance{after: s.within(usual)}
	switch s.random.IntN(5) {
	case 0, 1:
		d.kind, d.signal = "kill", syscall.SIGKILL
	case 2:
		d.kind, d.signal = "interrupt", syscall.SIGINT
	case 3:
		d.kind, d.signal, d.long = "freeze", syscall.SIGSTOP, s.within(100*time.Millisecond)
	case 4:
		d.kind, d.blocks = "full disk", 1+s.random.IntN(blocks)
	}
	return d
}

// disturbed runs the program while something happens to it. It returns whether the
// run succeeded.
func (s *schedule) disturbed(d disturbance, args ...string) (ok bool, err error) {
	p, err := s.start(s.dir, d.blocks, args...)
	if err != nil {
		return false, err
	}
	if d.blocks > 0 {
		s.fault(d.kind, "files of more than %d blocks cannot be written: expected a sentence", d.blocks)
	} else {
		s.fault(d.kind, "after %v: expected that nothing is lost", d.after.Round(time.Millisecond))
		select {
		case <-time.After(d.after):
		case <-p.Exited():
		}
		p.Signal(d.signal)
		if d.signal == syscall.SIGSTOP {
			time.Sleep(d.long)
			p.Signal(syscall.SIGCONT)
		}
	}
	ok, err = p.wait(d.signal != 0) // an interrupt may come before the program listens
	if err == nil && !ok && d.blocks > 0 {
		s.refuse = true
		s.say("it says: %s", p.sentence())
	}
	return ok, err
}

// disturbImport disturbs imports of one output, and lets one end.
func (s *schedule) disturbImport() error {
	input := s.text[s.random.IntN(len(s.text))]
	want, err := s.imported(input)
	if err != nil {
		return err
	}
	out := filepath.Join(s.dir, "out.topoi")
	args := []string{"import", input, "-o", out, "--overwrite", "--quiet"}
	var before []byte // what is there before a run
	if s.chance(2) {
		if before, err = os.ReadFile(s.small); err != nil {
			return err
		}
		if err := os.WriteFile(out, before, 0o644); err != nil {
			return err
		}
		s.say("the output exists already")
	}
	for range 1 + s.random.IntN(2) {
		if s.chance(4) && filepath.Ext(input) == ".gz" {
			if err := s.importFlipped(input, out, want, before); err != nil {
				return err
			}
			continue
		}
		ok, err := s.disturbed(s.disturbance(120*time.Millisecond, len(want)/512), args...)
		if err != nil {
			return err
		}
		if before, err = wholeOr(out, ok, want, before); err != nil {
			return err
		}
	}
	if _, err := s.do(s.dir, args...); err != nil {
		return err
	}
	_, err = wholeOr(out, true, want, nil)
	return err
}

// importFlipped imports a packed input with a flipped bit.
func (s *schedule) importFlipped(input, out string, want, before []byte) error {
	mine := filepath.Join(s.dir, filepath.Base(input))
	if err := copyTo(mine, input); err != nil {
		return err
	}
	if _, err := s.flip(mine); err != nil {
		return err
	}
	p, err := s.start(s.dir, 0, "import", mine, "-o", out, "--overwrite", "--quiet")
	if err != nil {
		return err
	}
	ok, err := p.wait(false)
	if err != nil {
		return err
	}
	if !ok {
		s.refuse = true
		s.say("it says: %s", p.sentence())
	}
	if !ok || !bytes.Equal(before, want) {
		_, err = wholeOr(out, ok, want, before)
	}
	return err
}

// wholeOr checks that a file is what a run was to write or, if that failed, what was
// there before. It returns what is there.
func wholeOr(path string, done bool, want, before []byte) ([]byte, error) {
	b, err := os.ReadFile(path)
	switch {
	case os.IsNotExist(err) && !done && before == nil:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("something lost: %w", err)
	case bytes.Equal(b, want), !done && before != nil && bytes.Equal(b, before):
		return b, nil
	}
	return nil, fmt.Errorf("%w: %s has other bytes than it should", errDifferent, path)
}

// training is a run in memory or from files that schedules disturb.
type training struct {
	corpus  string
	options []string
	blocks  int // of the largest file it writes
}

// samplers are those that are trained with.
var samplers = []string{"gibbs", "sparse", "alias", "light", "warp", "batch", "mean", "cvb", "grid"}

func (s *schedule) training(files bool) training {
	common := []string{"--tolerance", "0", "--burn-in", "2", "--optimize-interval", "3", "--device", "cpu", "--seed", strconv.Itoa(s.random.IntN(3))}
	if files {
		sampler := []string{"warp", "light"}[s.random.IntN(2)]
		return training{
			corpus: s.large, blocks: 20000,
			options: append([]string{"-k", "16", "--sampler", sampler, "--iterations", "6", "--evaluate-every", "2"}, common...),
		}
	}
	return training{
		corpus: s.small, blocks: 200,
		options: append([]string{"-k", "12", "--sampler", samplers[s.random.IntN(len(samplers))], "--iterations", "16", "--evaluate-every", "4"}, common...),
	}
}
