// Package child runs processes that do not outlive this one.
package child

import (
	"os"
	"os/exec"
	"runtime"
)

// Process is a process that was started.
type Process struct {
	cmd    *exec.Cmd
	exited chan struct{}
	status error // after exited
}

// Start starts a process in a group of its own, so that Ctrl-C in a terminal does not reach it. On Linux the kernel
// kills it when this process ends, however that happens. The kernel watches the thread that made the child, so that
// thread is kept as long as the child runs.
func Start(cmd *exec.Cmd) (*Process, error) {
	p := &Process{cmd: cmd, exited: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		setAttributes(cmd)
		err := cmd.Start()
		started <- err
		if err == nil {
			p.status = cmd.Wait()
			close(p.exited)
		}
	}()
	return p, <-started
}

// Exited is closed when the process has ended, for whatever reason.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Status waits for the end of the process and returns what exec.Cmd.Wait does.
func (p *Process) Status() error {
	<-p.exited
	return p.status
}

// Signal sends a signal to the process, if it still runs.
func (p *Process) Signal(sig os.Signal) {
	select {
	case <-p.exited:
	default:
		_ = p.cmd.Process.Signal(sig) // it may end meanwhile
	}
}
