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

// disturbFolders infers the topics of a folder of files again and again, by one of two models, into one folder, and
// only what has changed. Runs are killed or meet each other, inputs change, and outputs are emptied, cut, flipped or
// lost. Then a last run writes what a run into an empty folder writes.
func (s *schedule) disturbFolders() error {
	in, out := filepath.Join(s.dir, "in"), filepath.Join(s.dir, "out")
	if err := os.Mkdir(in, 0o755); err != nil {
		return err
	}
	for part := range 4 + s.random.IntN(5) {
		if err := s.writePart(filepath.Join(in, fmt.Sprint("part", part, ".csv"))); err != nil {
			return err
		}
	}
	var models [2]string
	for i := range models {
		var err error
		if models[i], err = s.textModel(i); err != nil {
			return err
		}
	}
	infer := func(to string, model int, more ...string) []string {
		return append([]string{"infer", models[model], in + "/", "-o", to + "/", "--quiet", "--top", "0"}, more...)
	}
	if _, err := s.do(s.dir, infer(out, 0, "--incremental")...); err != nil {
		return err
	}
	for range 1 + s.random.IntN(3) {
		if err := s.disturbFolder(in, out, infer); err != nil {
			return err
		}
	}
	model := s.random.IntN(2)
	// Damage that keeps size and time is seen by checksums alone.
	if _, err := s.do(s.dir, infer(out, model, "--incremental", "--overwrite", "--verify")...); err != nil {
		return err
	}
	want := filepath.Join(s.dir, "want")
	if _, err := s.do(s.dir, infer(want, model)...); err != nil {
		return err
	}
	return sameOutputs(want, out)
}

// disturbFolder does one thing to a folder of inputs, or to that of outputs.
func (s *schedule) disturbFolder(in, out string, infer func(to string, model int, more ...string) []string) error {
	switch s.random.IntN(5) {
	case 0:
		s.fault("input", "one is written anew")
		return s.writePart(filepath.Join(in, fmt.Sprint("part", s.random.IntN(6), ".csv")))
	case 1:
		return s.damageOutput(out)
	case 2:
		s.fault("kill", "while the other model's topics replace what is there")
		p, err := s.start(s.dir, 0, infer(out, 1, "--incremental", "--overwrite")...)
		if err != nil {
			return err
		}
		time.Sleep(s.within(300 * time.Millisecond))
		p.Signal(syscall.SIGKILL)
		_, err = p.wait(true)
		return err
	}
	s.fault("at once", "both models, into one folder")
	var both [2]*process
	for model := range both {
		var err error
		if both[model], err = s.start(s.dir, 0, infer(out, model, "--incremental", "--overwrite")...); err != nil {
			return err
		}
	}
	for _, p := range both {
		ok, err := p.wait(false)
		if err != nil {
			return err
		}
		if !ok {
			s.refuse = true
			s.say("one says: %s", p.sentence())
		}
	}
	return nil
}

// damageOutput changes one of the files with topics, sometimes with its time put back.
func (s *schedule) damageOutput(out string) error {
	list, err := filepath.Glob(filepath.Join(out, "part*"))
	if err != nil || len(list) == 0 {
		return err
	}
	path := list[s.random.IntN(len(list))]
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	switch s.random.IntN(4) {
	case 0:
		s.fault("empty", "%s", filepath.Base(path))
		b = nil
	case 1:
		s.fault("cut", "%s", filepath.Base(path))
		b = b[:s.random.IntN(len(b))]
	case 2:
		s.fault("flip", "%s", filepath.Base(path))
		b[s.random.IntN(len(b))] ^= 1 << s.random.IntN(8)
	default:
		s.fault("lose", "%s", filepath.Base(path))
		return os.Remove(path)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		return err
	}
	if s.chance(2) {
		s.say("its time is put back")
		return os.Chtimes(path, time.Now(), info.ModTime())
	}
	return nil
}

// writePart writes some of the documents that imports read, as CSV.
func (s *schedule) writePart(path string) error {
	b, err := os.ReadFile(filepath.Join(s.fixture.dir, "docs.csv"))
	if err != nil {
		return err
	}
	lines := bytes.SplitAfter(b, []byte("\n"))
	first := 1 + s.random.IntN(len(lines)-400)
	part := append([][]byte{lines[0]}, lines[first:first+20+s.random.IntN(300)]...)
	return os.WriteFile(path, bytes.Join(part, nil), 0o644)
}

// textModel returns a model of the documents that imports read, one of two.
func (f *fixture) textModel(seed int) (string, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	path := filepath.Join(f.dir, fmt.Sprint("text", seed, ".model"))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	_, err := f.do(f.dir, "train", "docs.csv", "-k", strconv.Itoa(8+seed), "--iterations", "10",
		"--seed", strconv.Itoa(seed), "-o", path, "--quiet")
	return path, err
}

// sameOutputs compares the files with topics in two folders, byte by byte. The record beside them has times.
func sameOutputs(want, got string) error {
	var lists [2][]string
	for i, dir := range []string{want, got} {
		list, err := filepath.Glob(filepath.Join(dir, "part*"))
		if err != nil {
			return err
		}
		lists[i] = list
	}
	if len(lists[0]) != len(lists[1]) || len(lists[0]) == 0 {
		return fmt.Errorf("%w: %d files with topics instead of %d", errDifferent, len(lists[1]), len(lists[0]))
	}
	for i := range lists[0] {
		a, err := os.ReadFile(lists[0][i])
		if err != nil {
			return err
		}
		b, err := os.ReadFile(lists[1][i])
		if err != nil {
			return err
		}
		if filepath.Base(lists[0][i]) != filepath.Base(lists[1][i]) || !bytes.Equal(a, b) {
			return fmt.Errorf("%w: %s is not %s", errDifferent, lists[1][i], lists[0][i])
		}
	}
	return nil
}
