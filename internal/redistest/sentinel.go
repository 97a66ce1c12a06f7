package redistest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/redisserver"
)

// Sentinel is a primary with a replica, and a sentinel that has the replica take over when the primary dies.
type Sentinel struct {
	Primary, Replica *Server
	Addr             string // of the sentinel
}

// StartSentinel starts a primary, a replica and a sentinel, without passwords.
func StartSentinel(tb testing.TB) *Sentinel {
	tb.Helper()
	Require(tb)
	s := &Sentinel{Primary: Start(tb, Config{}), Addr: freeAddr(tb)}
	host, port, err := net.SplitHostPort(s.Primary.Addr)
	if err != nil {
		tb.Fatal(err)
	}
	s.Replica = Start(tb, Config{Lines: []string{"replicaof " + host + " " + port}})
	_, own, _ := net.SplitHostPort(s.Addr)
	config := filepath.Join(tempDir(tb), "sentinel.conf")
	text := fmt.Sprintf("port %s\nbind 127.0.0.1\nsentinel monitor topoi %s %s 1\nsentinel down-after-milliseconds topoi 800\nsentinel failover-timeout topoi 5000\n", own, host, port)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	program, err := redisserver.Find()
	if err != nil {
		tb.Fatal(err)
	}
	process := exec.Command(program, config, "--sentinel")
	if err := process.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = process.Process.Kill() // it may have ended
		_ = process.Wait()
	})
	for end := time.Now().Add(clusterTime); !strings.Contains(s.Replica.Do("INFO", "replication"), "master_link_status:up"); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			tb.Fatal("the replica does not reach its primary")
		}
	}
	time.Sleep(1500 * time.Millisecond) // in which the sentinel finds the replica
	return s
}

// URL is the address by which clients find the primary.
func (s *Sentinel) URL() string { return "redis://" + s.Addr + "?master_set=topoi" }
