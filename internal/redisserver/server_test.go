package redisserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func start(t *testing.T, c Config) (*Server, error) {
	t.Helper()
	if _, err := Find(); err != nil {
		if os.Getenv("TOPOI_REQUIRE_REDIS") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return Start(c)
}

// A server leaves nothing behind, whichever way it ends.
func TestStopAndKill(t *testing.T) {
	for _, end := range []func(*Server){(*Server).Stop, (*Server).Kill} {
		s, err := start(t, Config{})
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Dir(s.Socket)
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("the directory of the socket: %v, %v", info.Mode(), err)
		}
		end(s)
		end(s) // a second time does nothing
		select {
		case <-s.Exited():
		default:
			t.Error("it still runs")
		}
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%s is still there (%v)", dir, err)
		}
	}
}

// A server that cannot start says why in its own words.
func TestDoesNotStart(t *testing.T) {
	s, err := start(t, Config{Lines: []string{"no-such-setting 1"}})
	if err == nil {
		s.Kill()
		t.Fatal("it started")
	}
	if !strings.Contains(err.Error(), "no-such-setting") {
		t.Errorf("%v does not name the setting", err)
	}
}

func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Start(Config{}); err != ErrMissing {
		t.Errorf("got %v", err)
	}
}
