package chaos

import (
	"fmt"
	"os"
	"path/filepath"
)

// disturbTraining disturbs a training run again and again, and lets it end.
func (s *schedule) disturbTraining(files bool) error {
	t := s.training(files)
	undisturbed, err := s.undisturbed(t.corpus, t.options)
	if err != nil {
		return err
	}
	want := undisturbed.fingerprint
	corpus := filepath.Join(s.dir, "corpus.topoi")
	if err := copyTo(corpus, t.corpus); err != nil {
		return err
	}
	model := filepath.Join(s.dir, "model")
	every := "2"
	args := append([]string{"train", corpus, "-o", model, "--resume", "--quiet"}, t.options...)
	if files {
		args, every = append(args, "--memory", "75MB", "--threads", "2"), "2" // more threads need more memory
	}
	args = append(args, "--checkpoint-every", every)
	s.say("topoi %v: expected fingerprint %s", args, want)
	for range 1 + s.random.IntN(3) {
		ok, err := s.disturbed(s.disturbance(undisturbed.took, t.blocks), args...)
		if err != nil {
			return err
		}
		if ok {
			return s.expect(model, want)
		}
		if _, err := os.Stat(model); err == nil {
			s.say("the model was saved before that")
			return s.expect(model, want)
		}
		if s.chance(2) {
			if done, err := s.resumeFlipped(corpus, model, want, args); err != nil || done {
				return err
			}
		}
	}
	if _, err := s.do(s.dir, args...); err != nil {
		return err
	}
	return s.expect(model, want)
}

// unfinished checks that a run that did not end has left no model.
func unfinished(model string) error {
	if _, err := os.Stat(model); err == nil {
		return fmt.Errorf("a run that did not end has left a model")
	}
	return nil
}

// expect compares a model's fingerprint.
func (s *schedule) expect(model, want string) error {
	got, err := s.fingerprint(model)
	if err == nil && got != want {
		err = fmt.Errorf("%w: fingerprint %s, expected %s", errDifferent, got, want)
	}
	return err
}

// resumeFlipped resumes a run of whose files one has a flipped bit, and says whether
// that ended with the model. If not, the file is put back.
func (s *schedule) resumeFlipped(corpus, model, want string, args []string) (done bool, err error) {
	backup := filepath.Join(s.dir, "backup")
	work := []string{model + ".checkpoint", model + ".checkpoint.parts"}
	paths := append([]string{corpus}, work...)
	if s.chance(2) {
		paths = work
	}
	if err := saveAside(backup, work); err != nil {
		return false, err
	}
	x, err := s.flip(paths...)
	if err != nil || x == nil {
		return false, err
	}
	p, err := s.start(s.dir, 0, args...)
	if err != nil {
		return false, err
	}
	ok, err := p.wait(false)
	if err != nil {
		return false, err
	}
	if ok {
		return true, s.expect(model, want)
	}
	s.refuse = true
	s.say("it says: %s", p.sentence())
	if err := unfinished(model); err != nil {
		return false, err
	}
	if _, err := os.Stat(x.path); err != nil {
		return false, fmt.Errorf("something lost: a file that was refused is gone: %w", err)
	}
	if x.path == corpus {
		return false, x.undo()
	}
	return false, putBack(backup, work)
}

// saveAside copies paths that exist into a directory, and putBack puts them back.
func saveAside(dir string, paths []string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		if err := copyTo(filepath.Join(dir, filepath.Base(path)), path); err != nil {
			return err
		}
	}
	return nil
}

func putBack(dir string, paths []string) error {
	for _, path := range paths {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		from := filepath.Join(dir, filepath.Base(path))
		if _, err := os.Stat(from); err != nil {
			continue
		}
		if err := copyTo(path, from); err != nil {
			return err
		}
	}
	return nil
}

// disturbRest flips bits in files that nobody writes to, one after the other.
func (s *schedule) disturbRest() error {
	model, corpus := filepath.Join(s.dir, "model"), filepath.Join(s.dir, "corpus.topoi")
	if err := copyTo(model, s.model); err != nil {
		return err
	}
	if err := copyTo(corpus, s.small); err != nil {
		return err
	}
	want, err := s.fingerprint(s.model)
	if err != nil {
		return err
	}
	options := []string{"-k", "12", "--iterations", "10"}
	trained, err := s.undisturbed(s.small, options)
	if err != nil {
		return err
	}
	for i := range 8 {
		if s.chance(3) {
			out := filepath.Join(s.dir, fmt.Sprint("trained", i))
			args := append([]string{"train", corpus, "-o", out, "--quiet"}, options...)
			err = s.lookFlipped(corpus, args, func(*process) error { return s.expect(out, trained.fingerprint) })
		} else {
			err = s.lookFlipped(model, []string{"info", "--fingerprint", "--verify", model}, func(*process) error { return s.expect(model, want) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lookFlipped runs the program on files of which one has a flipped bit, which is
// undone afterwards. If the run succeeds, check must.
func (s *schedule) lookFlipped(path string, args []string, check func(*process) error) error {
	x, err := s.flip(path)
	if err != nil {
		return err
	}
	p, err := s.start(s.dir, 0, args...)
	if err != nil {
		return err
	}
	ok, err := p.wait(false)
	if err != nil {
		return err
	}
	if ok {
		err = check(p)
	} else {
		s.refuse = true
		s.say("it says: %s", p.sentence())
	}
	if err != nil {
		return err
	}
	return x.undo()
}
