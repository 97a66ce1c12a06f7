// Package redisserver runs a Redis or Valkey server as a child process, for tests.
package redisserver

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/redis/rueidis"

	"github.com/topoi-lda/topoi/internal/child"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// ErrMissing is returned when there is no server program to run.
var ErrMissing = errors.New("neither redis-server nor valkey-server is installed: " +
	"install the package redis-server or valkey")

// programs are the names under which the server is known.
var programs = []string{"redis-server", "valkey-server"}

// Find returns the path of the server program.
func Find() (string, error) {
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrMissing
}

// Config describes how a server runs. The zero value is a server without persistence that is reached through a socket
// in a temporary directory.
type Config struct {
	// Dir holds the server's socket and its files. Default: a temporary directory that Stop removes.
	Dir string

	// Port is the TCP port on 127.0.0.1. Default 0: none, only the socket.
	Port int

	// TLS makes Port speak TLS alone.
	TLS *TLS

	// Lines are more lines of the server's configuration file.
	Lines []string
}

// TLS names the files a server needs to speak TLS.
type TLS struct{ Cert, Key, CA string }

// Server is a running server.
type Server struct {
	Socket string // path of its Unix socket

	process *child.Process
	dir     *wholefile.Dir // to remove at the end, or nil
	log     bytes.Buffer   // what it wrote; complete when it has ended
	stopped sync.Once
}

// startTime is how long a server may take until it answers. Loading data counts.
const startTime = 30 * time.Second

// Start starts a server and waits until it answers.
func Start(c Config) (*Server, error) {
	program, err := Find()
	if err != nil {
		return nil, err
	}
	s := &Server{}
	if c.Dir == "" {
		if s.dir, err = wholefile.TempDir("store"); err != nil {
			return nil, err
		}
		c.Dir = s.dir.Temporary
	}
	s.Socket = filepath.Join(c.Dir, "redis.sock")
	// The configuration comes through a pipe: passwords in it are not for ps.
	cmd := exec.Command(program, "-")
	cmd.Dir = c.Dir
	cmd.Stdin = strings.NewReader(c.text(s.Socket))
	cmd.Stdout, cmd.Stderr = &s.log, &s.log
	if s.process, err = child.Start(cmd); err != nil {
		s.clean()
		return nil, fmt.Errorf("%s does not start: %w", program, err)
	}
	if err := s.ready(); err != nil {
		s.Kill()
		return nil, fmt.Errorf("%s does not start: %w", program, err)
	}
	return s, nil
}

// text is the configuration file.
func (c Config) text(socket string) string {
	lines := []string{
		"bind 127.0.0.1",
		"unixsocket " + quote(socket),
		"unixsocketperm 700",
		"dir " + quote(filepath.Dir(socket)),
		"save \"\"",
		"daemonize no",
		"logfile \"\"",
		"loglevel warning",
	}
	if c.TLS == nil {
		lines = append(lines, fmt.Sprintf("port %d", c.Port))
	} else {
		lines = append(lines, "port 0", fmt.Sprintf("tls-port %d", c.Port),
			"tls-cert-file "+quote(c.TLS.Cert), "tls-key-file "+quote(c.TLS.Key), "tls-ca-cert-file "+quote(c.TLS.CA),
			"tls-auth-clients no")
	}
	return strings.Join(append(lines, c.Lines...), "\n") + "\n"
}

// quote writes a value as the configuration file wants it.
func quote(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }

// ready waits until the server answers on its socket, with or without asking for a password.
func (s *Server) ready() error {
	for end := time.Now().Add(startTime); time.Now().Before(end); {
		select {
		case <-s.process.Exited():
			return s.exitError()
		case <-time.After(5 * time.Millisecond):
		}
		_, err := Do((&url.URL{Scheme: "unix", Path: s.Socket}).String(), nil, "PING")
		if err == nil || strings.HasPrefix(err.Error(), "NOAUTH") {
			return nil
		}
	}
	return fmt.Errorf("no answer within %v", startTime)
}

// exitError returns why the server ended, in the last words it wrote.
func (s *Server) exitError() error {
	var said []string
	for line := range strings.Lines(s.log.String()) {
		if line = strings.TrimSpace(line); line != "" {
			said = append(said, line)
		}
	}
	if len(said) == 0 {
		return fmt.Errorf("it ended at once (%v)", s.process.Status())
	}
	return errors.New(strings.Join(said[max(0, len(said)-2):], "; "))
}

// Exited is closed when the server has ended, for whatever reason.
func (s *Server) Exited() <-chan struct{} { return s.process.Exited() }

// Stop ends the server in an orderly way and waits for it.
func (s *Server) Stop() { s.end(syscall.SIGTERM) }

// Kill ends the server at once, as a power cut would, and waits for it.
func (s *Server) Kill() { s.end(syscall.SIGKILL) }

func (s *Server) end(sig syscall.Signal) {
	s.stopped.Do(func() {
		s.process.Signal(sig)
		select {
		case <-s.process.Exited():
		case <-time.After(10 * time.Second):
			s.process.Signal(syscall.SIGKILL)
			<-s.process.Exited()
		}
		s.clean()
	})
}

func (s *Server) clean() {
	if s.dir != nil {
		s.dir.Abort() // a socket and a log at most
	}
}

// answerTime is how long a command may take.
const answerTime = 5 * time.Second

// Do sends one command to the server at a URL and returns its reply as text; an array's elements are separated by line
// breaks. It is enough to see whether a server is there and to set it up. secure, if not nil, replaces the settings of
// TLS.
func Do(address string, secure *tls.Config, args ...string) (string, error) {
	o, err := rueidis.ParseURL(address)
	if err != nil {
		return "", err
	}
	o.TLSConfig = cmp.Or(secure, o.TLSConfig)
	o.ForceSingleClient, o.DisableCache, o.AlwaysRESP2, o.DisableRetry = true, true, true, true
	o.ClientSetInfo, o.ConnWriteTimeout = rueidis.DisableClientSetInfo, answerTime
	client, err := rueidis.NewClient(o)
	if err != nil {
		return "", err
	}
	defer client.Close()
	reply, err := client.Do(context.Background(), client.B().Arbitrary(args...).Build()).ToAny()
	switch list, isArray := reply.([]any); {
	case rueidis.IsRedisNil(err):
		return "", nil
	case isArray:
		return strings.Join(lists.Of(list, func(e any) string { return fmt.Sprint(e) }), "\n"), err
	}
	return fmt.Sprint(reply), err
}
