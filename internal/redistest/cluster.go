package redistest

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/redisserver"
)

// slots is the number of hash slots that the nodes of a Cluster share.
const slots = 16384

// clusterTime is how long the nodes of a Cluster may take to find each other.
const clusterTime = 30 * time.Second

// Cluster is a Redis Cluster.
type Cluster struct {
	Nodes    []*Server // primaries
	Replicas []*Server // by primary; none if they were not asked for
}

// Replicate gives every primary a replica, which takes over when the primary dies.
func (c *Cluster) Replicate(tb testing.TB) {
	tb.Helper()
	for _, primary := range c.Nodes {
		config := primary.Config
		config.Lines = config.Lines[:len(config.Lines)-1] // its bus is another one
		replica := Start(tb, withBus(tb, config))
		host, port, err := net.SplitHostPort(primary.Addr)
		if err != nil {
			tb.Fatal(err)
		}
		replica.Do("CLUSTER", "MEET", host, port, primary.busPort())
		id := primary.Do("CLUSTER", "MYID")
		for end := time.Now().Add(clusterTime); ; time.Sleep(50 * time.Millisecond) {
			if _, err = replica.Try("CLUSTER", "REPLICATE", id); err == nil {
				break
			}
			if time.Now().After(end) {
				tb.Fatalf("a node does not become a replica: %v", err)
			}
		}
		c.Replicas = append(c.Replicas, replica)
	}
	for _, replica := range c.Replicas {
		for end := time.Now().Add(clusterTime); !strings.Contains(replica.Do("INFO", "replication"), "master_link_status:up"); time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				tb.Fatal("a replica does not reach its primary")
			}
		}
	}
}

// StartCluster starts n servers of the same configuration, at least three, and
// joins them to a Cluster.
func StartCluster(tb testing.TB, n int, c Config) *Cluster {
	tb.Helper()
	Require(tb)
	if c.TLS {
		c.certificates = makeCertificates(tb)                               // the nodes trust each other
		c.Lines = append(c.Lines, "tls-cluster yes", "tls-replication yes") // the nodes then tell clients each other's TLS ports
	}
	if c.Password != "" { // what replicas give their primaries
		c.Lines = append(c.Lines, "masteruser "+cmp.Or(c.User, "default"), "masterauth "+c.Password)
	}
	c.Lines = append(c.Lines, "cluster-enabled yes", "cluster-config-file nodes.conf", "cluster-node-timeout 3000",
		"cluster-require-full-coverage yes")
	cluster := &Cluster{}
	for i := range n {
		node := Start(tb, withBus(tb, c))
		node.Do("CLUSTER", "ADDSLOTSRANGE", strconv.Itoa(i*slots/n), strconv.Itoa((i+1)*slots/n-1))
		cluster.Nodes = append(cluster.Nodes, node)
	}
	for _, node := range cluster.Nodes[1:] {
		host, port, err := net.SplitHostPort(node.Addr)
		if err != nil {
			tb.Fatal(err)
		}
		cluster.Nodes[0].Do("CLUSTER", "MEET", host, port, node.busPort())
	}
	cluster.await(tb)
	return cluster
}

// withBus gives a node a free port for the Cluster's bus.
func withBus(tb testing.TB, c Config) Config {
	tb.Helper()
	_, port, err := net.SplitHostPort(freeAddr(tb))
	if err != nil {
		tb.Fatal(err)
	}
	c.Lines = append(slices.Clone(c.Lines), busLine+port)
	return c
}

const busLine = "cluster-port "

func (s *Server) busPort() string {
	return strings.TrimPrefix(s.Lines[len(s.Lines)-1], busLine)
}

// await waits until every node knows all of them and serves its slots.
func (c *Cluster) await(tb testing.TB) {
	tb.Helper()
	known := fmt.Sprintf("cluster_known_nodes:%d", len(c.Nodes))
	for end := time.Now().Add(clusterTime); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		ready := 0
		for _, node := range c.Nodes {
			info := node.Do("CLUSTER", "INFO")
			if strings.Contains(info, "cluster_state:ok") && strings.Contains(info, known) {
				ready++
			}
		}
		if ready == len(c.Nodes) {
			return
		}
	}
	tb.Fatalf("the nodes of the Cluster did not find each other within %v: %s", clusterTime, c.Nodes[0].Do("CLUSTER", "INFO"))
}

// Addrs returns the addresses of all nodes.
func (c *Cluster) Addrs() []string {
	var list []string
	for _, node := range c.Nodes {
		list = append(list, node.Addr)
	}
	return list
}

// URL is the address of the Cluster with user and password, as topoi takes it:
// one node in front, the others as parameters.
func (c *Cluster) URL() string {
	others := url.Values{"addr": c.Addrs()[1:]}
	return c.Nodes[0].URL() + "?" + others.Encode()
}

// Keys returns the keys of all nodes, sorted.
func (c *Cluster) Keys() []string {
	var keys []string
	for _, node := range c.Nodes {
		keys = append(keys, node.Keys()...)
	}
	slices.Sort(keys)
	return keys
}

// sortedLines splits a reply that is an array.
func sortedLines(reply string) []string {
	if reply == "" {
		return nil
	}
	lines := strings.Split(reply, "\n")
	slices.Sort(lines)
	return lines
}

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
