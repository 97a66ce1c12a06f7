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
// that is done before is tried again with less time, and one that has not begun to listen, on a busy machine, with more.
// One that is done before it listens cannot be interrupted.
func interrupt(t *testing.T, from, command, keeps string) {
	const least, most = 10 * time.Millisecond, 10 * time.Second
	done := false
	for wait := 300 * time.Millisecond; wait > least; {
		switch interruptAfter(t, wait, from, command, keeps) {
		case interruptedAtWork:
			return
		case doneBefore:
			done = true
			wait /= 3
		case notListening:
			if wait *= 3; wait > most && !done {
				t.Fatal("it was killed by the signal")
			}
			if done {
				wait = 0
			}
		}
	}
	t.Log("it is too quick to be interrupted")
}

// What a command did when the signal came.
const (
	interruptedAtWork = iota
	doneBefore
	notListening // it had just been started
)

// interruptAfter starts the command, sends the signal after a while, and tells what the command was at then.
func interruptAfter(t *testing.T, wait time.Duration, from, command, keeps string) (was int) {
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
	files := names(dir)
	c := exec.Command("topoi", strings.Fields(command)...)
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
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	_, _ = io.WriteString(in, "id\ttext\n1\tcats and dogs\n") // a command that reads files does not take it
	select {
	case err := <-ended:
		if err != nil {
			t.Fatalf("it failed before the signal: %v\n%s", err, said.String())
		}
		return doneBefore
	case <-time.After(wait):
	}
	before, told := processorTime(c.Process.Pid)
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
	// Processor time, because a busy machine may take any time to end a process.
	if took := c.ProcessState.UserTime() + c.ProcessState.SystemTime() - before; told && took > 3*time.Second {
		t.Errorf("it worked for another %v", took)
	}
	switch code := c.ProcessState.ExitCode(); code {
	case 130:
	case 0:
		return doneBefore
	case -1:
		return notListening
	default:
		t.Errorf("exit code %d, %v\n%s", code, c.ProcessState, said.String())
	}
	kept := regexp.MustCompile(keeps)
	for _, name := range strings.Fields(names(dir)) {
		base := filepath.Base(name)
		if !strings.Contains(files, name+"\n") && (keeps == "" || !kept.MatchString(name) || base[0] == '.') {
			t.Errorf("%s is left", name)
		}
	}
	if left := names(temporary); left != ".\n" {
		t.Errorf("temporary files are left:\n%s", left)
	}
	return interruptedAtWork
}

// processorTime returns the processor time that a process has taken, where the system tells.
func processorTime(pid int) (took time.Duration, ok bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // from the third on
	for _, field := range fields[11:13] {
		ticks, err := strconv.Atoi(field)
		if err != nil {
			return 0, false
		}
		took += time.Duration(ticks) * time.Second / 100
	}
	return took, true
}
