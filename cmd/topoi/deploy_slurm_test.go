//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fakeSrun starts the command once for every node, all on this machine, and passes SIGTERM on,
// as srun does.
const fakeSrun = `#!/bin/bash
while [[ $1 == --* ]]; do shift; done
pids=()
trap 'kill -TERM "${pids[@]}"' TERM
for ((i = 0; i < SLURM_JOB_NUM_NODES; i++)); do
	"$@" &
	pids+=($!)
done
code=0
for p in "${pids[@]}"; do
	while kill -0 "$p" 2>/dev/null; do wait "$p" || code=$?; done
done
exit $code
`

// slurm is the script ready to run on nodes that are not.
type slurm struct {
	script, dir string
	environment []string
	flags       []string
}

func newSlurm(t *testing.T, dir string, flags ...string) *slurm {
	t.Helper()
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "srun"), []byte(fakeSrun), 0o777); err != nil {
		t.Fatal(err)
	}
	return &slurm{
		script: filepath.Join(repository, "deploy", "cluster", "slurm", "topoi.sbatch"), dir: dir, flags: flags,
		environment: append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "SLURM_JOB_NUM_NODES=2", "STORE_HOST=127.0.0.1", "STORE_MEMORY=200mb"),
	}
}

// start starts the script as a job whose number leads to a free port; said is what it will have
// written.
func (s *slurm) start(t *testing.T, model string) (c *exec.Cmd, said *bytes.Buffer) {
	t.Helper()
	port := freePort(t)
	for port < 20_000 || port >= 60_000 {
		port = freePort(t)
	}
	script, err := filepath.Abs(s.script)
	if err != nil {
		t.Fatal(err)
	}
	c = exec.CommandContext(t.Context(), "bash", append([]string{script, "news.topoi", "20", model}, s.flags...)...)
	c.Dir, c.Env = s.dir, append(s.environment, fmt.Sprint("SLURM_JOB_ID=", 40_000+port-20_000))
	said = &bytes.Buffer{}
	c.Stdout, c.Stderr = said, said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c, said
}

// shellcheck has nothing to say about the script.
func TestSlurmScriptIsClean(t *testing.T) {
	tool(t, "shellcheck", "--version")
	out, err := exec.CommandContext(t.Context(), "shellcheck", filepath.Join(repository, "deploy", "cluster", "slurm", "topoi.sbatch")).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The script of Slurm makes the model that one process makes, also if its time runs out and
// it is submitted again, and leaves nothing behind but the model.
func TestSlurmScript(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("skipped: there is no bash")
	}
	dir := t.TempDir()
	flags := []string{"--iterations", "250", "--tolerance", "0"}
	want := corpusAndModel(t, dir, flags...)
	s := newSlurm(t, dir, append(flags, "--checkpoint-every", "5")...)
	c, said := s.start(t, "two.model")
	for range 12_000 {
		if _, err := os.Stat(filepath.Join(dir, "two.model.checkpoint")); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil { // as Slurm does before the time is up
		t.Fatal(err)
	}
	_ = c.Wait() // its code says it
	if code := c.ProcessState.ExitCode(); code != 143 || strings.Count(said.String(), "leaving the job") != 2 {
		t.Fatalf("told to end, it ended with %d\n%s", code, said)
	}
	c, said = s.start(t, "two.model")
	if err := c.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if got := topoiIs(t, dir, "", "info", "--fingerprint", "two.model"); got != want {
		t.Errorf("the models are %s and %s", got, want)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 4 {
		t.Errorf("there is %v, %v", left, err)
	}
}
