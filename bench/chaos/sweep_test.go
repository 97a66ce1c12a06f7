package chaos

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// disturbRecords damages what a sweep and a model's labels keep, which must be refused or make no difference: bits are
// flipped, and files take each other's places.
func (s *schedule) disturbRecords() error {
	undisturbed, err := s.swept(s)
	if err != nil {
		return err
	}
	sweep, model := filepath.Join(s.dir, "sweep"), filepath.Join(s.dir, "model")
	if err := copyTo(sweep, filepath.Join(s.fixture.dir, "sweep")); err != nil {
		return err
	}
	if err := copyTo(model, s.model); err != nil {
		return err
	}
	if _, err := s.do(s.dir, "name", model, "0=energy", "1=sports", "--quiet"); err != nil {
		return err
	}
	names, err := s.do(s.dir, "name", model)
	if err != nil {
		return err
	}
	runs := filepath.Join(sweep, "runs")
	for range 8 {
		switch s.random.IntN(4) {
		case 0:
			err = s.lookFlipped(filepath.Join(model, "labels.json"), []string{"name", model}, func(p *process) error {
				if p.stdout.String() != names {
					return fmt.Errorf("%w: the labels", errDifferent)
				}
				return nil
			})
		case 1:
			err = s.swapRecords(sweep, undisturbed.fingerprint)
		default:
			path := []string{runs, filepath.Join(sweep, "sweep.json")}[s.random.IntN(2)]
			err = s.lookFlipped(path, s.sweepArgs(sweep), func(*process) error { return s.sameTables(sweep, undisturbed.fingerprint) })
		}
		if err != nil {
			return err
		}
	}
	return s.sameTables(sweep, undisturbed.fingerprint)
}

// sameTables compares what a sweep found with what it should.
func (s *schedule) sameTables(sweep, want string) error {
	got, err := sweepTables(sweep)
	if err == nil && got != want {
		err = fmt.Errorf("%w: the tables of the sweep", errDifferent)
	}
	return err
}

// swapRecords puts the record of a run in the place of another's.
func (s *schedule) swapRecords(sweep, want string) error {
	files, err := filepath.Glob(filepath.Join(sweep, "runs", "*.json"))
	if err != nil || len(files) < 2 {
		return err
	}
	from, to := files[s.random.IntN(len(files))], files[s.random.IntN(len(files))]
	was, err := os.ReadFile(to)
	if err != nil {
		return err
	}
	s.fault("swap", "%s for %s: expected a sentence", filepath.Base(from), filepath.Base(to))
	if err := copyTo(to, from); err != nil {
		return err
	}
	p, err := s.start(s.dir, 0, s.sweepArgs(sweep)...)
	if err != nil {
		return err
	}
	ok, err := p.wait(false)
	switch {
	case err != nil:
		return err
	case ok && from != to:
		return fmt.Errorf("%w: the record of another run was taken", errDifferent)
	case !ok:
		s.refuse = true
		if s.say("it says: %s", p.sentence()); !strings.Contains(p.sentence(), "it is the record of") {
			return fmt.Errorf("the sentence is about something else: %s", p.sentence())
		}
	}
	if err := os.WriteFile(to, was, 0o644); err != nil {
		return err
	}
	return s.sameTables(sweep, want)
}
