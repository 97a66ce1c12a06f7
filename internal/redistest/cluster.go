package redistest

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/lists"
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
		replica.meet(primary)
		id := primary.Do("CLUSTER", "MYID")
		wait(tb, "a node does not become a replica", func() bool {
			_, err := replica.Try("CLUSTER", "REPLICATE", id)
			return err == nil
		})
		c.Replicas = append(c.Replicas, replica)
	}
	for _, replica := range c.Replicas {
		wait(tb, "a replica does not reach its primary", func() bool {
			return strings.Contains(replica.Do("INFO", "replication"), "master_link_status:up")
		})
	}
}

// wait waits until something is done, or fails the test.
func wait(tb testing.TB, fault string, done func() bool) {
	tb.Helper()
	for end := time.Now().Add(clusterTime); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			tb.Fatalf("%s within %v", fault, clusterTime)
		}
	}
}

// StartCluster starts n servers of the same configuration, at least three, and joins them to a Cluster.
func StartCluster(tb testing.TB, n int, c Config) *Cluster {
	tb.Helper()
	Require(tb)
	if c.TLS {
		c.certificates = makeCertificates(tb) // the nodes trust each other
		// The nodes then tell clients each other's TLS ports.
		c.Lines = append(c.Lines, "tls-cluster yes", "tls-replication yes")
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
		cluster.Nodes[0].meet(node)
	}
	cluster.await(tb)
	return cluster
}

// withBus gives a node a free port for the Cluster's bus.
func withBus(tb testing.TB, c Config) Config {
	tb.Helper()
	_, port, _ := strings.Cut(freeAddr(tb), ":")
	c.Lines = append(slices.Clone(c.Lines), busLine+port)
	return c
}

const busLine = "cluster-port "

// meet tells a node of another one.
func (s *Server) meet(node *Server) {
	s.tb.Helper()
	host, port, _ := strings.Cut(node.Addr, ":")
	s.Do("CLUSTER", "MEET", host, port, strings.TrimPrefix(node.Lines[len(node.Lines)-1], busLine))
}

// await waits until every node knows all of them and serves its slots.
func (c *Cluster) await(tb testing.TB) {
	tb.Helper()
	known := fmt.Sprintf("cluster_known_nodes:%d", len(c.Nodes))
	wait(tb, "the nodes of the Cluster did not find each other", func() bool {
		return !slices.ContainsFunc(c.Nodes, func(node *Server) bool {
			info := node.Do("CLUSTER", "INFO")
			return !strings.Contains(info, "cluster_state:ok") || !strings.Contains(info, known)
		})
	})
}

// Addrs returns the addresses of all nodes.
func (c *Cluster) Addrs() []string {
	return lists.Of(c.Nodes, func(node *Server) string { return node.Addr })
}

// URL is the address of the Cluster with user and password, as topoi takes it: one node in front, the others as
// parameters.
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

// Left returns the keys of all nodes that are there to stay, sorted (see [Server.Left]).
func (c *Cluster) Left() []string {
	var keys []string
	for _, node := range c.Nodes {
		keys = append(keys, node.Left()...)
	}
	slices.Sort(keys)
	return keys
}
