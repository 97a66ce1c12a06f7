//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// interrupted are commands that take longer than a second with the files of interruptible. Each writes to o, if it
// writes. A command with the word "-" reads a pipe to which nobody writes any more.
var interrupted = []struct {
	command string
	keeps   string // pattern of what it may leave
}{
	{"import texts.tsv texts.tsv texts.tsv texts.tsv -o o", ""},
	{"import - --format tsv -o o", ""},
	{"generate --docs 3000000 -o o", ""},
	{"train texts.topoi -k 20 --iterations 100000000 --tolerance 0 -o o", `^o\.checkpoint$`},
	{"train texts.topoi -k 20 --iterations 100000000 --tolerance 0 --sampler gibbs -o o", `^o\.checkpoint$`},
	{"train texts.topoi --prior hdp --iterations 100000000 --tolerance 0 -o o", `^o\.checkpoint$`},
	{"train - --format tsv -k 20 -o o", ""},
	{"sweep texts.topoi -k 20,30 --iterations 100000000 --tolerance 0 -o o", `^o(/|$)`},
	{"check texts.tsv", ""},
	{"check texts.topoi", ""},
	{"seeds suggest - --format tsv", ""},
	{"update m - --format tsv -o o", ""},
	{"edit m --split 1=3 --sweeps 100000000 -o o", ""},
	{"infer m - --format tsv -o o.csv", ""},
	{"infer m texts.tsv --iterations 100000 -o o.csv", ""},
	{"eval m texts.tsv --estimator left-to-right --particles 300", ""},
	{"effects m ~party --draws 60000 -o o.csv", ""},
	{"effects m ~party --cluster date --draws 60000 -o o.csv", ""},
	{"drift m --by day", ""},
	{"prevalence m --by party", ""},
	{"topics m --where party=p1", ""},
	{"compare m m", ""},
	{"compare m m -o o.html", ""},
	{"compare --stability" + strings.Repeat(" m", 9), ""},
	{"explore m -o o.html", ""},
	{"export m --format csv-doc-topics-wide -o o.csv", ""},
	{"export m --format xlsx -o o.xlsx", ""},
	{"export m --format parquet -o o", ""},
	{"export m --format mallet-state -o o.gz", ""},
	{"verify" + strings.Repeat(" m", 500), ""},
	{"info --verify" + strings.Repeat(" m", 500), ""},
	{"info --fingerprint --verify" + strings.Repeat(" m", 500), ""},
}

// SIGTERM ends every command on local files soon, with the exit code of an interruption, and nothing half-written, no
// lock and no temporary file stays behind.
func TestInterrupted(t *testing.T) {
	dir := interruptible(t)
	for i, c := range interrupted {
		name := fmt.Sprint(i, " ", strings.Fields(c.command)[0])
		t.Run(name, func(t *testing.T) { interrupt(t, dir, c.command, c.keeps) })
	}
}

// interruptible makes a folder with texts, their corpus file and a model.
func interruptible(t *testing.T) (dir string) {
	dir = t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	var text bytes.Buffer
	text.WriteString("id\tparty\tdate\ttext\n")
	for d := range 20_000 {
		fmt.Fprintf(&text, "%d\tp%d\t%s\t", d, d%4, time.Unix(int64(d)*40_000, 0).UTC().Format(time.DateOnly))
		for range 20 {
			fmt.Fprintf(&text, "w%d ", random.IntN(random.IntN(4000)+1))
		}
		text.WriteByte('\n')
	}
	if err := os.WriteFile(filepath.Join(dir, "texts.tsv"), text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"import texts.tsv -o texts.topoi --time-field date --keep-numbers --quiet",
		"train texts.topoi -k 300 --iterations 2 --draws 1 -o m --quiet",
	} {
		c := exec.Command("topoi", strings.Fields(command)...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("topoi %s: %v\n%s", command, err, out)
		}
	}
	return dir
}

// interrupt runs a command in a folder with the files of another, sends it SIGTERM and looks at what is left. A command
// that is done before is tried again with less time; one that 10 ms are enough for cannot be interrupted.
func interrupt(t *testing.T, from, command, keeps string) {
	for _, wait := range []time.Duration{300, 100, 30, 10} {
		if interruptAfter(t, wait*time.Millisecond, from, command, keeps) {
			return
		}
	}
	t.Log("it is too quick to be interrupted")
}

// interruptAfter reports whether the command was still at work when the signal came.
func interruptAfter(t *testing.T, wait time.Duration, from, command, keeps string) bool {
	dir, temporary := t.TempDir(), t.TempDir()
	inputs, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range inputs {
		if err := os.Symlink(filepath.Join(from, f.Name()), filepath.Join(dir, f.Name())); err != nil {
			t.Fatal(err)
		}
	}
	before := names(dir)
	c := exec.Command("sh", append([]string{"-c", `trap "" INT; exec topoi "$@"`, "sh"}, strings.Fields(command)...)...)
	c.Dir, c.Env = dir, append(os.Environ(), "TMPDIR="+temporary)
	var said bytes.Buffer
	c.Stderr = &said
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	var fault error
	go func() {
		defer close(ended)
		fault = c.Wait()
	}()
	_, _ = io.WriteString(in, "id\ttext\n1\tcats and dogs\n") // a command that reads files does not take it
	awaitListening(t, c.Process.Pid, ended)
	select {
	case <-ended:
		if fault != nil {
			t.Fatalf("it failed before the signal: %v\n%s", fault, said.String())
		}
		return false
	case <-time.After(wait):
	}
	begin := processorTime(c.Process.Pid)
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(2 * time.Minute):
		_ = c.Process.Kill()
		<-ended
		t.Fatalf("it goes on\n%s", said.String())
	}
	took := c.ProcessState.UserTime() + c.ProcessState.SystemTime() - begin
	if took > 3*time.Second*time.Duration(runtime.NumCPU()) { // of what else runs, nothing counts
		t.Errorf("it used processors for %v more", took)
	}
	switch code := c.ProcessState.ExitCode(); code {
	case 130:
	case 0:
		return false // it was done when the signal came
	case -1:
		if runtime.GOOS == "linux" || wait > 30*time.Millisecond { // elsewhere it may not have listened yet
			t.Errorf("it was killed by the signal\n%s", said.String())
		}
	default:
		t.Errorf("exit code %d, %v\n%s", code, c.ProcessState, said.String())
	}
	kept := regexp.MustCompile(keeps)
	for _, name := range strings.Fields(names(dir)) {
		base := filepath.Base(name)
		if !strings.Contains(before, name+"\n") && (keeps == "" || !kept.MatchString(name) || base[0] == '.') {
			t.Errorf("%s is left", name)
		}
	}
	if left := names(temporary); left != ".\n" {
		t.Errorf("temporary files are left:\n%s", left)
	}
	return true
}

// processorTime returns how long processors have worked for a process, or 0 where that is not told.
func processorTime(pid int) time.Duration {
	text, _ := os.ReadFile(fmt.Sprint("/proc/", pid, "/stat"))
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // Linux counts in hundredths
}

// awaitListening waits until a command has asked for the signals that end it. On Linux that shows where SIGINT was
// ignored, which Go leaves as it is until somebody asks for it; elsewhere it does not wait.
func awaitListening(t *testing.T, pid int, ended <-chan struct{}) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		text, _ := os.ReadFile(fmt.Sprint("/proc/", pid, "/status"))
		_, rest, _ := strings.Cut(string(text), "\nSigCgt:")
		caught, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
		if mask, _ := strconv.ParseUint(caught, 16, 64); mask>>(syscall.SIGTERM-1)&1 == 1 && mask>>(syscall.SIGINT-1)&1 == 1 {
			return
		}
		select {
		case <-ended:
			return
		default:
		}
	}
	t.Error("it does not listen")
}
