package claim

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// shared are file systems through which two machines see one directory and not each other's locks.
var shared = map[string]func(from, to string) *exec.Cmd{
	"bindfs":   func(from, to string) *exec.Cmd { return exec.Command("bindfs", from, to) },
	"mergerfs": func(from, to string) *exec.Cmd { return exec.Command("mergerfs", from, to) },
	"sshfs": func(from, to string) *exec.Cmd {
		server := to + ".sh" // in place of ssh, whose arguments it ignores
		_ = os.WriteFile(server, []byte("#!/bin/sh\nexec /usr/lib/openssh/sftp-server\n"), 0o755)
		return exec.Command("sshfs", "-o", "ssh_command="+server, "twin:"+from, to)
	},
}

// requireVariable makes it a failure that a file system of shared is missing: it holds their names.
const requireVariable = "TOPOI_REQUIRE_MOUNTS"

// mountTwice mounts a directory twice, as two machines do. It skips the test where that cannot be done.
func mountTwice(t *testing.T, kind string) (first, second string) {
	t.Helper()
	if testing.Short() && kind != "bindfs" {
		t.Skip("one file system is enough for a short test")
	}
	skip := t.Skipf
	if strings.Contains(os.Getenv(requireVariable), kind) {
		skip = t.Fatalf
	}
	if _, err := os.Stat("/dev/fuse"); err != nil || os.Geteuid() != 0 {
		skip("two mounts need root and /dev/fuse")
	}
	from := t.TempDir()
	var mounts []string
	for range 2 {
		to := t.TempDir()
		command := shared[kind](from, to)
		if said, err := command.CombinedOutput(); err != nil {
			skip("no %s: %v %s", kind, err, said)
		}
		t.Cleanup(func() { _ = exec.Command("umount", "-l", to).Run() })
		mounts = append(mounts, to)
	}
	return mounts[0], mounts[1]
}

// apart starts a process in name spaces of its own, as containers are: same host name, other processes and network.
func apart(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWUTS | syscall.CLONE_NEWNS,
		Pdeathsig:  syscall.SIGKILL,
	}
	c.Env = append(c.Env, beatVariable+"=250ms")
}

// Machines with one host name that see one directory, and not each other's locks: one has the place. The other gets it
// when the first has died, or has stood still for long; and a process that wakes up takes nothing back.
func TestTwins(t *testing.T) {
	for kind := range shared {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			here, there := mountTwice(t, kind)
			first := startWith(t, filepath.Join(here, "m"), apart)
			if first.said != "held\n" {
				t.Fatal(first.said)
			}
			if second := startWith(t, filepath.Join(there, "m"), apart); !strings.Contains(second.said, "in use by process 1 on") {
				t.Fatalf("both own it: %s", second.said)
			}
			if said := first.check(); said != "mine\n" {
				t.Fatalf("the first has lost it: %s", said)
			}
			if err := first.Process.Signal(syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			second := startWith(t, filepath.Join(there, "m"), apart)
			if second.said != "held\n" {
				t.Fatalf("it is not free though its owner stands still: %s", second.said)
			}
			if err := first.Process.Signal(syscall.SIGCONT); err != nil {
				t.Fatal(err)
			}
			if said := first.check(); !strings.Contains(said, "in use by process 1 on") || !strings.Contains(said, "stood still") {
				t.Errorf("the first wakes up: %s", said)
			}
			time.Sleep(time.Second) // in which it might take the place back
			if said := second.check(); said != "mine\n" {
				t.Errorf("the second has lost it again: %s", said)
			}
			first.end.Close()
			_ = first.Wait()
			if said := second.check(); said != "mine\n" {
				t.Errorf("the first removes what the second has: %s", said)
			}
			if err := second.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			if third := startWith(t, filepath.Join(here, "m"), apart); third.said != "held\n" {
				t.Errorf("it is not free though its owner is dead: %s", third.said)
			}
		})
	}
}

// Of machines that find a place free at the same moment, one gets it.
func TestTwinsAtOnce(t *testing.T) {
	for kind := range shared {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			here, there := mountTwice(t, kind)
			for try := range 10 {
				var both [2]*another
				var group sync.WaitGroup
				for i, dir := range []string{here, there} {
					group.Go(func() { both[i] = startWith(t, filepath.Join(dir, fmt.Sprint("m", try)), apart) })
				}
				group.Wait()
				holders := 0
				for _, a := range both {
					if a.said == "held\n" {
						holders++
					}
				}
				if holders != 1 {
					t.Errorf("try %d: %d own it: %q, %q", try, holders, both[0].said, both[1].said)
				}
			}
		})
	}
}
