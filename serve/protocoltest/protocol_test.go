// Package protocoltest asks topoi serve by a client that is generated from the description of the Open
// Inference Protocol. It is a module of its own, so that the generator is nobody's dependency.
package protocoltest

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	_ "github.com/oapi-codegen/runtime" // what generated clients import
)

// run runs a command and returns what it prints.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// A client that is generated from the protocol's description works with every path that it knows.
func TestGeneratedClient(t *testing.T) {
	dir := t.TempDir()
	client, ask := filepath.Join(dir, "client.go"), filepath.Join(dir, "ask.go")
	run(t, "go", "tool", "oapi-codegen", "-generate", "types,client", "-package", "main", "-o", client, "protocol.yaml")
	source, err := os.ReadFile("testdata/ask.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(ask, source, 0o666); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "topoi")
	run(t, "go", "build", "-C", "../..", "-o", program, "./cmd/topoi")
	texts, model := filepath.Join(dir, "texts.csv"), filepath.Join(dir, "plots.model")
	if err := os.WriteFile(texts, []byte("text\n"+strings.Repeat("garden soil seed\nship harbour crane\n", 6)), 0o666); err != nil {
		t.Fatal(err)
	}
	run(t, program, "train", texts, "-k", "2", "--iterations", "5", "--min-df", "1", "--max-df", "1", "--quiet", "-o", model)
	fingerprint := strings.Fields(run(t, program, "info", "--fingerprint", model))[0]
	share, err := strconv.ParseFloat(run(t, "go", "run", client, ask, serving(t, program, model), "plots", fingerprint), 64)
	if err != nil || !(share > 0 && share < 1) {
		t.Errorf("the share is %v: %v", share, err)
	}
}

// serving starts a server, which ends with the test, and returns its address.
func serving(t *testing.T, program, model string) string {
	c := exec.CommandContext(t.Context(), program, "serve", model, "--listen", "127.0.0.1:0")
	said, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Wait() })
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if m := regexp.MustCompile(`^listening on (http\S+)/;`).FindStringSubmatch(lines.Text()); m != nil {
			return m[1]
		}
	}
	t.Fatal("the server ended")
	return ""
}
