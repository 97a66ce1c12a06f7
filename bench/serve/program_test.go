//go:build linux

package serve

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
)

// command is a run of the program, on the processors that it may use.
func (b *bench) command(args ...string) *exec.Cmd {
	list := strings.Fields(b.under)
	if b.pin != "" {
		list = append(list, "taskset", "-c", b.pin)
	}
	list = append(append(list, b.program), args...)
	return exec.Command(list[0], list[1:]...)
}

// server is a running server.
type server struct {
	command *exec.Cmd
	url     string
	client  *http.Client
}

// start starts a server.
func (b *bench) start(flags ...string) (*server, error) {
	c := b.command(append([]string{"serve", b.model, "--listen", "127.0.0.1:0", "--threads", strconv.Itoa(b.threads), "--device", b.device}, flags...)...)
	out, err := c.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	said := bufio.NewReader(out)
	for {
		line, err := said.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("the server ended: %w", err)
		}
		if m := regexp.MustCompile(`^listening on (http\S+)/;`).FindStringSubmatch(line); m != nil {
			go func() { _, _ = io.Copy(io.Discard, said) }()
			transport := &http.Transport{MaxIdleConns: 2000, MaxIdleConnsPerHost: 2000}
			return &server{c, m[1], &http.Client{Transport: transport}}, nil
		}
	}
}

// stop ends the server as a service manager would.
func (s *server) stop() error {
	s.client.CloseIdleConnections()
	if err := s.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return s.command.Wait()
}

// post asks and returns the status and the answer.
func (s *server) post(path, kind, body string) (int, string, error) {
	answer, err := s.client.Post(s.url+path, kind, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(b), err
}

// metric returns a number of the server's metrics.
func (s *server) metric(name string) float64 {
	answer, err := s.client.Get(s.url + "/metrics")
	if err != nil {
		return -1
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), name+" "); ok {
			x, _ := strconv.ParseFloat(rest, 64)
			return x
		}
	}
	return -1
}

// resident returns the memory of a process in MB.
func resident(pid int) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	pages, _ := strconv.Atoi(strings.Fields(string(b))[1])
	return float64(pages*os.Getpagesize()) / 1e6
}
