package training

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/corpus"
)

// newApp returns a run of the commands of this package.
func newApp(args []string, stdin io.Reader, stdout, stderr io.Writer) *cli.App {
	same := func(_ *cli.App, args []string) ([]string, error) { return args, nil }
	commands := []cli.Command{
		{Name: "train", Add: AddTrain}, {Name: "sweep", Add: AddSweep}, {Name: "cluster", Add: AddCluster},
	}
	return cli.New(args, stdin, stdout, stderr, commands, same)
}

// generated makes a small corpus file and returns its path.
func generated(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c.topoi")
	if _, err := corpus.Generate(t.Context(), path, corpus.GenerateOptions{Docs: 50, Words: 100, MeanLength: 20, Topics: 3}); err != nil {
		t.Fatal(err)
	}
	return path
}

// Whoever interrupts before the first iteration is not sent to a checkpoint that is not
// there, nor left with files.
func TestInterruptedBeforeTheFirstIteration(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, more := range [][]string{nil, {"--memory", "1TB"}} {
		model := filepath.Join(t.TempDir(), "m")
		var out, said bytes.Buffer
		a := newApp(append([]string{"train", generated(t), "-k", "3", "-o", model}, more...), nil, &out, &said)
		if err := a.Root.ExecuteContext(ctx); cli.ExitCode(err) != cli.ExitInterrupted {
			t.Fatalf("%v: %v", more, err)
		}
		if text := said.String(); !strings.Contains(text, "there is no checkpoint yet: nothing is kept\n") || strings.Contains(text, "to go on") {
			t.Errorf("%v: it says\n%s", more, text)
		}
		if left, _ := os.ReadDir(filepath.Dir(model)); len(left) > 0 {
			t.Errorf("%v: %v is left", more, left)
		}
	}
}

// The command that saves a model elsewhere has the options of the run, but for the place.
func TestSaveLine(t *testing.T) {
	for _, test := range []struct {
		args   string
		reason topoi.StopReason
		want   string
	}{
		{"train a.csv -k 5 -o sub/m --seed 3 --force", topoi.StopPlateau, "topoi train a.csv -k 5 --seed 3 -o /tmp/m --checkpoint sub/m.checkpoint --resume"},
		{"train a.csv -k 5 -osub/m --checkpoint=ck --resume", topoi.StopPlateau, "topoi train a.csv -k 5 --checkpoint=ck --resume -o /tmp/m"},
		{"train --output=sub/m a.csv -k 5 --iterations 900 --time-limit 5s", topoi.StopTimeLimit, "topoi train a.csv -k 5 --time-limit 5s -o /tmp/m --checkpoint sub/m.checkpoint --iterations 70 --resume"},
	} {
		tr := &trainer{App: newApp(strings.Fields(test.args), nil, io.Discard, io.Discard), reached: 70, reason: test.reason}
		var err error
		if tr.command, _, err = tr.Root.Find([]string{"train"}); err != nil {
			t.Fatal(err)
		}
		if err := tr.command.ParseFlags(strings.Fields(test.args)[1:]); err != nil {
			t.Fatal(err)
		}
		tr.options.Checkpoint = "sub/m.checkpoint"
		if got := tr.saveLine("/tmp/m"); got != test.want {
			t.Errorf("%s\nwant %s", got, test.want)
		}
	}
}

// A model is saved elsewhere at once if its checkpoint could not be written either.
func TestModelWithoutPlaceOrCheckpoint(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	t.Chdir(dir) // which is where the model should be
	t.Setenv("HOME", home)
	path := generated(t)
	out, in := io.Pipe() // in which nothing happens unless it is read
	a := newApp([]string{"train", path, "-k", "3", "-o", "m", "--iterations", "3", "--json"}, nil, in, io.Discard)
	ended := make(chan error, 1)
	go func() {
		ended <- a.Execute()
		in.Close()
	}()
	var said strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		fmt.Fprintln(&said, lines.Text())
		if !strings.Contains(lines.Text(), `"event":"start"`) {
			continue
		}
		for _, name := range []string{"m", "m.checkpoint"} { // the names are taken, now that nobody looks any more
			if err := os.MkdirAll(filepath.Join(dir, name, "taken"), 0o777); err != nil {
				t.Error(err)
			}
		}
	}
	if err := <-ended; cli.ExitCode(err) != cli.ExitBadInput {
		t.Fatal(err)
	}
	place := filepath.Join(home, "m")
	if !strings.Contains(said.String(), "the model was saved in "+place) || !strings.Contains(said.String(), `"event":"warning","iteration":3,"text":"the checkpoint of iteration 3 cannot be written`) {
		t.Errorf("it says\n%s", said.String())
	}
	m, err := topoi.Open(place)
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
}

// Plain training serves metrics.
func TestTrainServesMetrics(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, in := io.Pipe()
	a := newApp([]string{"train", generated(t), "-k", "3", "-o", filepath.Join(t.TempDir(), "m"), "--iterations", "1000000", "--tolerance", "0", "--holdout", "0.1", "--metrics", "127.0.0.1:0"}, nil, io.Discard, in)
	ended := make(chan error, 1)
	go func() { ended <- a.Root.ExecuteContext(ctx) }()
	var address string
	if _, err := fmt.Fscanf(out, "metrics are served at %s\n", &address); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	var text string
	for range 6000 {
		answer, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if text = string(b); strings.Contains(text, "topoi_training_heldout_per_token{") {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	for _, want := range []string{
		`topoi_training_iteration{job_name="m"} `, `topoi_training_iterations{job_name="m"} 1e+06`, `topoi_training_tokens_per_second{job_name="m"} `,
		`topoi_training_log_likelihood_per_token{job_name="m"} -`, `topoi_training_heldout_per_token{job_name="m"} -`, `topoi_build_info{job_name="m",version="`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "topoi_worker") {
		t.Error("it speaks of a worker")
	}
	cancel()
	if err := <-ended; cli.ExitCode(err) != cli.ExitInterrupted {
		t.Error(err)
	}
}

// Workers are given devices in turn.
func TestWorkerDevices(t *testing.T) {
	for name, want := range map[string]string{"cpu": "cpu", "auto": "auto"} {
		got, err := workerDevices(name)
		if err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	t.Setenv("TOPOI_LIBCUDA", t.TempDir()+"/nothing.so")
	if _, err := workerDevices("cuda:all"); err == nil {
		t.Error("there is a GPU without a driver")
	}
}
