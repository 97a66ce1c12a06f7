package chaos

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// disturbTwins runs two trainings of different seeds on one checkpoint, through two mounts of one directory that do not
// share locks, under one host name. One is killed, or stands still for longer than a sign of life may take. Each ends
// with its own bytes or one sentence, and in the end both can be done. It needs root, /dev/fuse and bindfs.
func (s *schedule) disturbTwins() error {
	from := filepath.Join(s.dir, "disk")
	if err := os.Mkdir(from, 0o777); err != nil {
		return err
	}
	var running [2]*process
	var args [2][]string
	var want [2]reference
	for i := range 2 {
		to := filepath.Join(s.dir, fmt.Sprint("mount", i))
		if err := os.Mkdir(to, 0o777); err != nil {
			return err
		}
		if said, err := exec.Command("bindfs", from, to).CombinedOutput(); err != nil {
			return fmt.Errorf("this kind needs bindfs, root and /dev/fuse: %w: %s", err, said)
		}
		defer func() { _ = exec.Command("umount", "-l", to).Run() }()
		options := []string{"-k", "30", "--iterations", "60", "--tolerance", "0", "--sampler", "warp", "--seed", strconv.Itoa(i)}
		var err error
		if want[i], err = s.undisturbed(s.large, options); err != nil {
			return err
		}
		args[i] = append([]string{
			"train", s.large, "-o", filepath.Join(s.dir, fmt.Sprint("model", i)), "--overwrite", "--quiet",
			"--checkpoint", filepath.Join(to, "c"), "--checkpoint-every", "2",
		}, options...)
	}
	first := s.random.IntN(2)
	for _, i := range []int{first, 1 - first} {
		s.fault("at once", "topoi %s", strings.Join(args[i], " "))
		var err error
		if running[i], err = s.start(s.dir, 0, args[i]...); err != nil {
			return err
		}
		if i == first {
			time.Sleep(s.within(want[i].took))
			switch s.random.IntN(3) {
			case 0:
				s.fault("kill", "of the first")
				running[i].Signal(syscall.SIGKILL)
			case 1:
				s.fault("freeze", "of the first")
				running[i].Signal(syscall.SIGSTOP)
				time.AfterFunc(22*time.Second+s.within(8*time.Second), func() { running[i].Signal(syscall.SIGCONT) })
			}
		}
	}
	var done [2]bool
	for i, p := range running {
		var err error
		if done[i], err = p.wait(true); err != nil {
			return err
		}
		if !done[i] {
			s.refuse = true
			s.say("seed %d says: %s", i, p.sentence())
		}
	}
	for i := range 2 {
		if !done[i] {
			// The checkpoint is of the other seed. The mount remembers for a second what it has not removed itself.
			seen := filepath.Join(s.dir, fmt.Sprint("mount", i), "c")
			if err := os.Remove(seen); err != nil && !os.IsNotExist(err) {
				return err
			}
			if _, err := s.do(s.dir, args[i]...); err != nil {
				return err
			}
		}
		if err := s.expect(filepath.Join(s.dir, fmt.Sprint("model", i)), want[i].fingerprint); err != nil {
			return fmt.Errorf("seed %d: %w", i, err)
		}
	}
	return nil
}
