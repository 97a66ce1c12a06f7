//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/program"
	"github.com/topoi-lda/topoi/internal/redisserver"
	"github.com/topoi-lda/topoi/internal/redistest"
)

// deployed returns a file of deploy/.
func deployed(t *testing.T, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(append([]string{repository, "deploy"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// tool skips the test if a program is missing that checks files of deploy/.
func tool(t *testing.T, command ...string) {
	t.Helper()
	program.Need(t, "TOPOI_REQUIRE_DEPLOY", "there is no "+command[0], command...)
}

// Every call of the program that the files of a cluster make is understood.
func TestClusterDeployCommands(t *testing.T) {
	root := newApp(nil, strings.NewReader(""), io.Discard, io.Discard).Root
	calls := 0
	check := func(where string, words []string) {
		calls++
		if err := topoiFault(root, words); err != nil {
			t.Errorf("%s: %v: %v", where, words, err)
		}
	}
	lists := regexp.MustCompile(`(?m)(?:args|command): (\["cluster".*\])$`)
	files := [][]string{{"cluster", "compose.yaml"}}
	for _, name := range []string{"submit", "workers", "collect"} {
		files = append(files, []string{"cluster", "kubernetes", name + ".yaml"})
	}
	for _, file := range files {
		for _, m := range lists.FindAllStringSubmatch(deployed(t, file...), -1) {
			var words []string
			if err := json.Unmarshal([]byte(m[1]), &words); err != nil {
				t.Fatal(err)
			}
			check(file[len(file)-1], words)
		}
	}
	check("topoi-worker@.service", unitCommand(t, "topoi-worker@.service", "%i", "news", "$TOPOI_FLAGS", "--metrics :9100")[1:])
	script := strings.ReplaceAll(deployed(t, "cluster", "slurm", "topoi.sbatch"), "\\\n", "")
	for _, m := range regexp.MustCompile(`(?m)^[^#\n]*(topoi cluster [^|&\n]*)`).FindAllStringSubmatch(script, -1) {
		if strings.Contains(m[0], "echo ") {
			continue
		}
		check("topoi.sbatch", strings.Fields(strings.NewReplacer(`"$@"`, "", `"$topics"`, "20", `"$memory"`, "1GB", ">/dev/null", "", `"$SLURM_JOB_NUM_NODES"`, "4").Replace(m[1]))[1:])
	}
	if calls != 3+3+1+4 {
		t.Errorf("%d calls were found", calls)
	}
	image := deployed(t, "cluster", "Dockerfile")
	if !strings.Contains(image, "FROM scratch\n") || !strings.Contains(image, "CGO_ENABLED=0 go build -tags nocuda ") || !strings.Contains(image, "USER 65532:65532\n") {
		t.Error("the image is not of the program alone, or runs as root")
	}
}

// unitCommand returns what a unit starts, with words replaced.
func unitCommand(t *testing.T, unit string, replace ...string) []string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^ExecStart=(.*)$`).FindStringSubmatch(deployed(t, "cluster", "systemd", unit))
	if m == nil {
		t.Fatalf("%s starts nothing", unit)
	}
	return strings.Fields(strings.NewReplacer(replace...).Replace(m[1]))
}

// systemd has nothing to say about the units.
func TestUnits(t *testing.T) {
	tool(t, "systemd-analyze", "--version")
	dir := t.TempDir()
	programs := regexp.MustCompile(`(?m)^(ExecStart=)/usr/\S+`) // which need not be on this machine
	for _, unit := range [][]string{{"serve", "topoi-serve.service"}, {"cluster", "systemd", "topoi-store.service"}, {"cluster", "systemd", "topoi-worker@.service"}} {
		text := programs.ReplaceAllString(deployed(t, unit...), "${1}/bin/true")
		name := unit[len(unit)-1]
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", filepath.Join(dir, strings.Replace(name, "@", "@news", 1))).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// docker-compose takes the file, and asks for what must be set.
func TestComposeFile(t *testing.T) {
	tool(t, "docker-compose", "version")
	config := func(environment ...string) (string, error) {
		c := exec.CommandContext(t.Context(), "docker-compose", "-f", filepath.Join(repository, "deploy", "cluster", "compose.yaml"), "config")
		c.Env = append(os.Environ(), environment...)
		out, err := c.CombinedOutput()
		return string(out), err
	}
	out, err := config("STORE_PASSWORD=word", "TOPOI_DATA=/srv/topoi")
	for _, want := range []string{"--requirepass", "TOPOI_STORE: redis://:word@store:6379", "/srv/topoi:/data", "condition: service_healthy"} {
		if err != nil || !strings.Contains(out, want) {
			t.Fatalf("%v, %s is missing in\n%s", err, want, out)
		}
	}
	if out, err := config("TOPOI_DATA=/srv/topoi"); err == nil || !strings.Contains(out, "long random word") {
		t.Errorf("without a password: %v\n%s", err, out)
	}
}

// topoiIs runs the program with a store and returns what it prints.
func topoiIs(t *testing.T, dir, store string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "topoi", args...)
	c.Dir, c.Env = dir, append(os.Environ(), "TOPOI_STORE="+store)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("topoi %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// corpusAndModel makes a corpus, and a model of it by one process, whose fingerprint it returns.
func corpusAndModel(t *testing.T, dir string, flags ...string) string {
	t.Helper()
	topoiIs(t, dir, "", "generate", "--docs", "1500", "--words", "500", "--mean-length", "40", "-o", "news.topoi", "--quiet")
	topoiIs(t, dir, "", append([]string{"train", "news.topoi", "-k", "20", "--sampler", "batch", "-o", "one.model", "--quiet"}, flags...)...)
	return topoiIs(t, dir, "", "info", "--fingerprint", "one.model")
}

// The commands of the units make a job's model; a worker that gets SIGTERM has left the job
// when it ends, which takes it no time, and the others go on.
func TestUnitsAtWork(t *testing.T) {
	redistest.Require(t)
	dir := t.TempDir()
	flags := []string{"--iterations", "250", "--tolerance", "0"}
	want := corpusAndModel(t, dir, flags...)
	store := startStore(t, dir)
	topoiIs(t, dir, store, append([]string{"cluster", "submit", "news.topoi", "-k", "20", "--job", "news", "--workers", "2", "--quiet"}, flags...)...)
	first, second := startWorker(t, dir, store), startWorker(t, dir, store)
	first.until(t, "/readyz", "ready\n")
	if live := first.get("/livez"); live != "alive\n" {
		t.Errorf("/livez says %q", live)
	}
	told := time.Now()
	if err := first.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := first.wait(); code != cli.ExitInterrupted {
		t.Errorf("a worker that was told to leave ended with %d", code)
	}
	if took := time.Since(told); took > time.Minute { // many times what it takes
		t.Errorf("it took %s to leave", took)
	}
	if out := topoiIs(t, dir, store, "cluster", "status", "--job", "news", "--json"); strings.Count(out, `"threads"`) > 1 {
		t.Errorf("a worker has left, and status says\n%s", out)
	}
	if code := second.wait(); code != 0 {
		t.Errorf("the other worker ended with %d", code)
	}
	topoiIs(t, dir, store, "cluster", "result", "--job", "news", "-o", "two.model", "--quiet")
	if got := topoiIs(t, dir, store, "info", "--fingerprint", "two.model"); got != want {
		t.Errorf("the models are %s and %s", got, want)
	}
}

// startStore starts the store as its unit does and returns its address.
func startStore(t *testing.T, dir string) string {
	t.Helper()
	server, err := redisserver.Find()
	if err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	conf := strings.Replace(deployed(t, "cluster", "systemd", "store.conf"), "port 6379", fmt.Sprint("port ", port), 1)
	if err := os.WriteFile(filepath.Join(dir, "store.conf"), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	words := unitCommand(t, "topoi-store.service", "${CREDENTIALS_DIRECTORY}", dir, "${STATE_DIRECTORY}", dir)
	c := exec.CommandContext(t.Context(), server, words[1:]...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	awaitPort(t, port)
	return fmt.Sprintf("redis://:PASSWORD@127.0.0.1:%d", port)
}

// freePort returns a port at which nobody listens.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// awaitPort waits until somebody listens.
func awaitPort(t *testing.T, port int) {
	t.Helper()
	for range 12_000 {
		if c, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", port)); err == nil {
			c.Close()
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("nobody listens at port %d", port)
}

// unitWorker is a worker that runs as its unit says.
type unitWorker struct {
	cmd     *exec.Cmd
	address string // of its metrics
	ended   chan struct{}
}

func startWorker(t *testing.T, dir, store string) *unitWorker {
	t.Helper()
	words := unitCommand(t, "topoi-worker@.service", "%i", "news", "$TOPOI_FLAGS", "--metrics 127.0.0.1:0 --threads 1")
	w := &unitWorker{cmd: exec.CommandContext(t.Context(), "topoi", words[1:]...), ended: make(chan struct{})}
	w.cmd.Dir, w.cmd.Env = dir, append(os.Environ(), "TOPOI_STORE="+store)
	out, err := w.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	address, lines := make(chan string, 1), bufio.NewScanner(out)
	go func() {
		defer close(w.ended)
		for lines.Scan() {
			var said struct{ Msg, Address string }
			if json.Unmarshal(lines.Bytes(), &said) == nil && said.Msg == "metrics" {
				address <- said.Address
			}
		}
	}()
	select {
	case w.address = <-address:
	case <-w.ended:
		t.Fatalf("a worker ended with %d", w.wait())
	}
	return w
}

// wait returns the exit code.
func (w *unitWorker) wait() int {
	<-w.ended
	_ = w.cmd.Wait() // its code says it
	return w.cmd.ProcessState.ExitCode()
}

func (w *unitWorker) get(path string) string {
	answer, err := http.Get("http://" + w.address + path)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	b, _ := io.ReadAll(answer.Body) // what came will differ
	return string(b)
}

// until waits until a path answers with a text.
func (w *unitWorker) until(t *testing.T, path, want string) {
	t.Helper()
	got := ""
	for range 24_000 {
		if got = w.get(path); got == want {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%s says %q", path, got)
}
