//go:build unix

package main

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/topoi-lda/topoi/internal/redistest"
)

// documentedRules returns the rights that docs/cluster.md says a user needs.
func documentedRules(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^user topoi on >PASSWORD (.*)$`).FindSubmatch(text)
	if found == nil {
		t.Fatal("docs/cluster.md no longer names the rights of a user")
	}
	return string(found[1]) + " +keys" // for the test itself
}

// killchild kills the newest child of the command that runs in the background, as
// soon as there are two.
func killchild(ts *testscript.TestScript, _ bool, _ []string) {
	parent := ts.BackgroundCmds()[0].Process.Pid
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); {
		var children []int
		stats, err := filepath.Glob("/proc/[0-9]*/stat")
		ts.Check(err)
		for _, path := range stats {
			text, _ := os.ReadFile(path) // it may have ended meanwhile
			_, rest, _ := strings.Cut(string(text), ") ")
			fields := strings.Fields(rest)
			if len(fields) < 2 || fields[1] != strconv.Itoa(parent) || fields[0] == "Z" {
				continue
			}
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			ts.Check(err)
			if line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline")); strings.Contains(string(line), "work\x00--job") {
				children = append(children, pid)
			}
		}
		if len(children) == 2 {
			ts.Check(syscall.Kill(slices.Max(children), syscall.SIGKILL))
			return
		}
		time.Sleep(time.Millisecond)
	}
	ts.Fatalf("no two workers were seen")
}

// TestClusterScripts runs the stories in testdata/cluster, which need stores:
//
//	$STORE           a plain one
//	$STORE_TLS       one with TLS, a user and a password; $STORE_CA is the file to trust
//	$STORE_PLAIN     the same address without TLS
//	$STORE_WRONG     the same with another password
//	$STORE_CLUSTER   a Redis Cluster of three nodes, with TLS, a user and a password; only under the condition rediscluster
//
// They run side by side, so every script has jobs of its own names.
func TestClusterScripts(t *testing.T) {
	plain := redistest.Start(t, redistest.Config{})
	secure := redistest.Start(t, redistest.Config{TLS: true, User: "alice", Password: "secret", Rules: documentedRules(t)})
	stores := []interface{ Keys() []string }{plain, secure}
	var cluster *redistest.Cluster
	if redistest.Available(t) {
		cluster = redistest.StartCluster(t, 3, redistest.Config{
			TLS: true, User: "alice", Password: "secret", Rules: documentedRules(t) + " +cluster",
		})
		stores = append(stores, cluster)
	}
	driver := fakeDriver(t.TempDir())
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/cluster",
		RequireExplicitExec: true,
		Condition: func(name string) (bool, error) {
			if name == "rediscluster" {
				return cluster != nil, nil
			}
			return haveDriver(driver)(name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exitcode":  exitcode,
			"waitfor":   waitfor,
			"killchild": killchild,
			// joined JOB: a worker takes part in a job of $STORE.
			"joined": func(ts *testscript.TestScript, _ bool, args []string) {
				for range 6000 {
					if plain.Do("HLEN", "topoi:{"+args[0]+"}:members") != "0" {
						return
					}
					time.Sleep(10 * time.Millisecond)
				}
				ts.Fatalf("no worker has joined job %s in a minute", args[0])
			},
			// nokeys JOB: no store holds a key of the job.
			"nokeys": func(ts *testscript.TestScript, _ bool, args []string) {
				var keys []string
				for _, s := range stores {
					keys = append(keys, s.Keys()...)
				}
				for _, key := range keys {
					if strings.HasPrefix(key, "topoi:{"+args[0]+"}") || strings.HasPrefix(key, "topoi:{"+args[0]+":") {
						ts.Fatalf("%s is left", key)
					}
				}
			},
		},
		Setup: func(env *testscript.Env) error {
			program, err := exec.LookPath("topoi")
			if err != nil {
				return err
			}
			env.Setenv("TOPOI", program) // for those without a PATH
			env.Setenv("FAKECUDA", driver)
			env.Setenv("STORE", plain.URL())
			env.Setenv("STORE_TLS", secure.URL())
			env.Setenv("STORE_CA", secure.CAFile)
			env.Setenv("STORE_PLAIN", strings.Replace(secure.URL(), "rediss:", "redis:", 1))
			env.Setenv("STORE_WRONG", strings.Replace(secure.URL(), "secret", "guess", 1))
			if cluster != nil {
				env.Setenv("STORE_CLUSTER", cluster.URL()+"&cacert="+url.QueryEscape(cluster.Nodes[0].CAFile))
			}
			return nil
		},
	})
}
