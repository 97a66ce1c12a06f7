package chaos

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// writer is a command that writes to places which another may want at the same time.
type writer struct {
	name   string
	args   []string
	took   time.Duration // undisturbed, about
	shared bool          // the other one writes the same file
	want   func() error  // whether what it wrote is there, and right
}

// disturbPair runs two commands at once that write to one place, kills one of them now and then, and lets both end. Each must
// have done its work, or have said in one sentence why not; and afterwards the work of each can still be done.
func (s *schedule) disturbPair() error {
	places := []func() ([]*writer, error){s.oneModel, s.oneCheckpoint, s.oneWorkDir, s.oneSweep, s.oneLabels, s.oneCorpus, s.onePage}
	all, err := places[s.random.IntN(len(places))]()
	if err != nil {
		return err
	}
	pair := []*writer{all[s.random.IntN(len(all))], all[s.random.IntN(len(all))]}
	var running []*process
	signalled := -1
	for i, w := range pair {
		s.fault("at once", "topoi %s", strings.Join(w.args, " "))
		p, err := s.start(s.dir, 0, w.args...)
		if err != nil {
			return err
		}
		running = append(running, p)
		if i == 0 {
			time.Sleep(s.within(w.took))
		}
	}
	if s.chance(3) {
		signalled = s.random.IntN(2)
		after := s.within(pair[signalled].took)
		s.fault("kill", "of the %d. after %v", signalled+1, after.Round(time.Millisecond))
		time.Sleep(after)
		running[signalled].Signal(syscall.SIGKILL)
	}
	done := make([]bool, 2)
	for i, p := range running {
		if done[i], err = p.wait(i == signalled); err != nil {
			return err
		}
		if !done[i] && i != signalled {
			s.refuse = true
			s.say("the %d. says: %s", i+1, p.sentence())
		}
	}
	return s.afterPair(pair, done)
}

// afterPair checks what a pair has left, and lets those end that have not.
func (s *schedule) afterPair(pair []*writer, done []bool) error {
	right := 0
	for i, w := range pair {
		if !done[i] {
			continue
		}
		err := w.want()
		if err == nil {
			right++
		} else if !w.shared || !done[1-i] {
			return fmt.Errorf("%s, which succeeded: %w", w.name, err)
		}
	}
	if done[0] && done[1] && right == 0 {
		return fmt.Errorf("%w: both succeeded, and what is there is of neither", errDifferent)
	}
	if pair[0].shared && right > 0 {
		return s.nothingLeft()
	}
	var said []string
	for i := range 4 { // each goes on with what is there, maybe after the other
		if done[i%2] {
			continue
		}
		var err error
		if done[i%2], err = s.goOn(pair[i%2], &said); err != nil {
			return err
		}
		if pair[0].shared && done[i%2] {
			return s.nothingLeft()
		}
	}
	if !done[0] || !done[1] {
		return fmt.Errorf("something lost: it cannot go on: %s", strings.Join(said, "; "))
	}
	return s.nothingLeft()
}

// goOn runs a command of a pair again, alone, and reports whether its work is done.
func (s *schedule) goOn(w *writer, said *[]string) (bool, error) {
	p, err := s.start(s.dir, 0, w.args...)
	if err != nil {
		return false, err
	}
	ok, err := p.wait(false)
	if err != nil {
		return false, err
	}
	if !ok {
		*said = append(*said, p.sentence())
		return w.want() == nil, nil // it had been killed when all was done
	}
	if err := w.want(); err != nil {
		return false, fmt.Errorf("%s, which went on: %w", w.name, err)
	}
	return true, nil
}

// nothingLeft checks that no lock is left of processes that ended by themselves.
func (s *schedule) nothingLeft() error {
	files, err := filesIn(s.dir)
	if err != nil || slices.Contains(s.faults, "kill") {
		return err
	}
	for _, name := range files {
		if strings.HasSuffix(name, ".topoi-lock") || strings.HasSuffix(name, ".topoi-tmp") {
			return fmt.Errorf("%s is left", name)
		}
	}
	return nil
}

// trainer is training with a seed.
func (s *schedule) trainer(seed string, files bool, output string, more ...string) (*writer, error) {
	corpus, options := s.small, []string{"-k", "12", "--iterations", "60", "--tolerance", "0", "--seed", seed}
	if files {
		corpus, options = s.large, []string{"-k", "20", "--sampler", "warp", "--iterations", "5", "--tolerance", "0", "--seed", seed}
		more = append(more, "--memory", "75MB", "--threads", "2")
	}
	undisturbed, err := s.undisturbed(corpus, options)
	if err != nil {
		return nil, err
	}
	model := filepath.Join(s.dir, output)
	args := append([]string{"train", corpus, "-o", model, "--resume", "--quiet", "--checkpoint-every", "2"}, append(options, more...)...)
	return &writer{
		name: "seed " + seed, args: args, took: undisturbed.took, shared: output == "model",
		want: func() error { return s.expect(model, undisturbed.fingerprint) },
	}, nil
}

// trainers are runs with two seeds, whose outputs are as the function says.
func (s *schedule) trainers(files bool, output func(seed string) string, more ...string) (list []*writer, err error) {
	for _, seed := range []string{"1", "2"} {
		w, err := s.trainer(seed, files, output(seed), more...)
		if err != nil {
			return nil, err
		}
		list = append(list, w)
	}
	return list, nil
}

// oneModel: two seeds, in memory or from files, for one output and its checkpoint.
func (s *schedule) oneModel() ([]*writer, error) {
	return s.trainers(s.chance(2), func(string) string { return "model" })
}

// oneCheckpoint: two seeds with one checkpoint and outputs of their own.
func (s *schedule) oneCheckpoint() ([]*writer, error) {
	return s.trainers(s.chance(2), func(seed string) string { return "model" + seed }, "--checkpoint", filepath.Join(s.dir, "checkpoint"))
}

// oneWorkDir: two seeds with one work directory and checkpoints of their own.
func (s *schedule) oneWorkDir() ([]*writer, error) {
	return s.trainers(true, func(seed string) string { return "model" + seed }, "--work-dir", filepath.Join(s.dir, "work"))
}

// sweepArgs are a small sweep.
func (s *schedule) sweepArgs(dir string) []string {
	return []string{"sweep", s.small, "-k", "3,5", "--seeds", "2", "--iterations", "40", "--tolerance", "0", "--pages", "none", "-o", dir, "--resume", "--quiet"}
}

// swept returns the tables of an undisturbed sweep, and how long it takes.
func (f *fixture) swept(s *schedule) (reference, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if got, ok := f.cached["sweep"]; ok {
		return got, nil
	}
	dir, begin := filepath.Join(f.dir, "sweep"), time.Now()
	if _, err := f.do(f.dir, s.sweepArgs(dir)...); err != nil {
		return reference{}, err
	}
	tables, err := sweepTables(dir)
	f.cached["sweep"] = reference{tables, time.Since(begin)}
	return f.cached["sweep"], err
}

// sweepTables returns what a sweep found.
func sweepTables(dir string) (string, error) {
	var all []byte
	for _, name := range []string{"sweep.csv", "topics.csv", "stability.csv", "recommendation.json"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		all = append(all, b...)
	}
	return string(all), nil
}

// oneSweep: a sweep that is started twice.
func (s *schedule) oneSweep() ([]*writer, error) {
	undisturbed, err := s.swept(s)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(s.dir, "sweep")
	return []*writer{{name: "sweep", shared: true, args: s.sweepArgs(dir), took: undisturbed.took, want: func() error {
		got, err := sweepTables(dir)
		if err == nil && got != undisturbed.fingerprint {
			err = fmt.Errorf("%w: the tables of the sweep", errDifferent)
		}
		return err
	}}}, nil
}

// oneLabels: names for the topics of one model.
func (s *schedule) oneLabels() (list []*writer, err error) {
	model := filepath.Join(s.dir, "model")
	if err := copyTo(model, s.model); err != nil {
		return nil, err
	}
	for _, topic := range []string{"0", "1", "2", "3"} {
		list = append(list, &writer{
			name: "name " + topic, args: []string{"name", model, topic + "=name" + topic, "--quiet"}, took: 20 * time.Millisecond,
			want: func() error {
				text, err := s.do(s.dir, "name", model)
				if err == nil && !strings.Contains(text, "name"+topic) {
					err = fmt.Errorf("something lost: the name of topic %s", topic)
				}
				return err
			},
		})
	}
	return list, nil
}

// oneCorpus: imports of several inputs into one corpus file.
func (s *schedule) oneCorpus() (list []*writer, err error) {
	out := filepath.Join(s.dir, "out.topoi")
	for _, input := range s.text {
		want, err := s.imported(input)
		if err != nil {
			return nil, err
		}
		list = append(list, &writer{
			name: filepath.Base(input), args: []string{"import", input, "-o", out, "--overwrite", "--quiet"}, took: 120 * time.Millisecond, shared: true,
			want: func() error { _, err := wholeOr(out, true, want, nil); return err },
		})
	}
	return list, nil
}

// onePage: an export and a page that are both to be one file.
func (s *schedule) onePage() (list []*writer, err error) {
	out := filepath.Join(s.dir, "out")
	for _, args := range [][]string{{"explore", s.model}, {"export", s.model, "--format", "mallet-state"}} {
		alone := filepath.Join(s.dir, args[0])
		begin := time.Now()
		if _, err := s.do(s.dir, append(args, "-o", alone, "--quiet")...); err != nil {
			return nil, err
		}
		want, err := os.ReadFile(alone)
		if err != nil {
			return nil, err
		}
		list = append(list, &writer{
			name: args[0], args: append(slices.Clone(args), "-o", out, "--overwrite", "--quiet"), took: time.Since(begin), shared: true,
			want: func() error {
				got, err := os.ReadFile(out)
				if err == nil && !bytes.Equal(got, want) {
					err = fmt.Errorf("%w: %s", errDifferent, out)
				}
				return err
			},
		})
	}
	return list, nil
}
