package chaos

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/topoi-lda/topoi/internal/child"
)

// process is a run of the program.
type process struct {
	*child.Process
	cmd    *exec.Cmd
	args   []string
	stdout bytes.Buffer // to be read when it has ended
	stderr bytes.Buffer
}

// patience is how long a run may take that takes a second or two on an idle
// machine. What takes longer hangs.
const patience = 2 * time.Minute

// start starts the program. With a limit, its files may have so many blocks of
// 512 bytes, as if the disk were full then.
func (f *fixture) start(dir string, limit int, args ...string) (*process, error) {
	cmd := exec.Command(f.program, args...)
	if limit > 0 {
		// A signal would end the program without a word; a full disk sends none.
		script := fmt.Sprintf(`trap '' XFSZ; ulimit -f %d; exec "$0" "$@"`, limit)
		cmd = exec.Command("sh", append([]string{"-c", script, f.program}, args...)...)
	}
	p := &process{cmd: cmd, args: args}
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), f.environment...)
	cmd.Stdout, cmd.Stderr = &p.stdout, &p.stderr
	var err error
	p.Process, err = child.Start(cmd)
	return p, err
}

// errHang is the end of what does not end.
var errHang = errors.New("a hang")

// wait waits for the end. It returns whether the run succeeded; an error is a
// failure of the schedule.
func (p *process) wait(killed bool) (ok bool, err error) {
	select {
	case <-p.Exited():
	case <-time.After(patience):
		p.Signal(syscall.SIGQUIT) // for a trace
		<-p.Exited()
		return false, fmt.Errorf("%w: topoi %s did not end in %v: %s", errHang, strings.Join(p.args, " "), patience, p.said())
	}
	return p.verdict(killed)
}

// verdict judges a run that has ended.
func (p *process) verdict(killed bool) (ok bool, err error) {
	err = p.Status()
	if err == nil {
		return true, p.traces()
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false, err
	}
	if exit.ExitCode() < 0 {
		if killed {
			return false, nil
		}
		return false, fmt.Errorf("topoi %s ended by a signal (%w): %s", strings.Join(p.args, " "), err, p.said())
	}
	if err := p.traces(); err != nil {
		return false, err
	}
	if n := strings.Count("\n"+p.stderr.String(), "\ntopoi: "); n != 1 {
		return false, fmt.Errorf("topoi %s ended with code %d and %d sentences: %s", strings.Join(p.args, " "), exit.ExitCode(), n, p.said())
	}
	return false, nil
}

// traces returns an error if the program said what no user should see.
func (p *process) traces() error {
	for _, sign := range []string{"goroutine ", "panic", "fatal error", "runtime error", "internal error", "SIGSEGV", "SIGBUS"} {
		if strings.Contains(p.stderr.String(), sign) {
			return fmt.Errorf("a trace: topoi %s: %s", strings.Join(p.args, " "), p.said())
		}
	}
	return nil
}

// said is the end of what the program said.
func (p *process) said() string {
	text := strings.TrimSpace(p.stderr.String())
	if len(text) > 4000 {
		text = text[:1000] + " … " + text[len(text)-3000:]
	}
	return text
}

// sentence is the program's sentence about what is wrong.
func (p *process) sentence() string {
	at := strings.LastIndex("\n"+p.stderr.String(), "\ntopoi: ")
	if at < 0 {
		return p.said()
	}
	line, _, _ := strings.Cut(p.stderr.String()[at:], "\n")
	return line
}

// do runs the program undisturbed, which must succeed, and returns what it printed.
func (f *fixture) do(dir string, args ...string) (string, error) {
	p, err := f.start(dir, 0, args...)
	if err != nil {
		return "", err
	}
	ok, err := p.wait(false)
	if err == nil && !ok {
		err = fmt.Errorf("topoi %s fails undisturbed: %s", strings.Join(args, " "), p.said())
	}
	return p.stdout.String(), err
}
