//go:build linux

package remote_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/topoi-lda/topoi/internal/remote"
)

// deploy is where the examples of deployments are.
const deploy = "../../deploy"

// image is a directory with the files of an image of nothing but the program, and the way in which it is started.
type image struct {
	root       string
	env        []string
	entrypoint []string
}

// copied are the lines of a Dockerfile that bring files into an image.
var (
	copied  = regexp.MustCompile(`^COPY --from=build (?:--\S+ )*(\S+) (\S+)$`)
	setting = regexp.MustCompile(`^ENV (\w+)=(\S+)$`)
	start   = regexp.MustCompile(`^ENTRYPOINT (\[.*\])$`)
)

// build makes of a Dockerfile what its last stage has: the program, linked statically, and what it is given.
func build(t *testing.T, dockerfile, program string) *image {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(deploy, dockerfile))
	if err != nil {
		t.Fatal(err)
	}
	_, last, ok := strings.Cut(string(text), "FROM scratch\n")
	if !ok {
		t.Fatalf("%s: the image is not of the program alone", dockerfile)
	}
	m := &image{root: t.TempDir()}
	if err := os.Chmod(m.root, 0o755); err != nil { // the program runs as somebody else
		t.Fatal(err)
	}
	for line := range strings.Lines(last) {
		line = strings.TrimSuffix(line, "\n")
		if set := setting.FindStringSubmatch(line); set != nil {
			m.env = append(m.env, set[1]+"="+set[2])
		}
		if begin := start.FindStringSubmatch(line); begin != nil {
			if err := json.Unmarshal([]byte(begin[1]), &m.entrypoint); err != nil {
				t.Fatal(err)
			}
		}
		if c := copied.FindStringSubmatch(line); c != nil {
			m.copy(t, c[1], c[2], program)
		}
	}
	return m
}

// copy brings one thing in.
func (m *image) copy(t *testing.T, from, to, program string) {
	t.Helper()
	to = filepath.Join(m.root, to)
	var err error
	switch from {
	case "/topoi":
		err = exec.Command("cp", program, to).Run()
	case "/cache", "/temporary": // empty directories of the stage that builds
		err = errors.Join(os.Mkdir(to, 0o777), os.Chmod(to, 0o777))
	case "/etc/ssl/certs/ca-certificates.crt":
		err = errors.Join(os.MkdirAll(to, 0o755), os.WriteFile(filepath.Join(to, "ca-certificates.crt"), nil, 0o644))
	default:
		err = fmt.Errorf("the test does not know what %s is", from)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// run runs a command in the image as a user without rights.
func (m *image) run(ctx context.Context, command ...string) (string, error) {
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Path = command[0] // it is looked for in the image
	c.Dir = "/"
	c.Env = append([]string{"HOME=/"}, m.env...)
	for _, name := range []string{"AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"} {
		c.Env = append(c.Env, name+"="+os.Getenv(name))
	}
	c.SysProcAttr = &syscall.SysProcAttr{Chroot: m.root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
	out, err := c.CombinedOutput()
	return string(out), err
}

// staticProgram builds the program as the images do.
func staticProgram(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the program without a GPU, in half a minute")
	}
	if os.Getuid() != 0 {
		t.Skip("only root may change the root directory, as containers do")
	}
	program := filepath.Join(t.TempDir(), "topoi")
	c := exec.Command("go", "build", "-tags", "nocuda", "-trimpath", "-ldflags", "-s -w", "-o", program, "../../cmd/topoi")
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// workflow is what matters of a workflow of Argo.
type workflow struct {
	Metadata struct{ Name string }
	Spec     struct {
		WorkflowSpec struct {
			Entrypoint string
			Templates  []struct {
				Name      string
				Container struct{ Command, Args []string }
			}
		} `yaml:"workflowSpec"`
	}
}

// commands returns the commands of the workflows in a file, by the name of the workflow.
func commands(t *testing.T, path string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string][]string{}
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var w workflow
		if err := decoder.Decode(&w); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		for _, template := range w.Spec.WorkflowSpec.Templates {
			if template.Name == w.Spec.WorkflowSpec.Entrypoint {
				list[w.Metadata.Name] = slices.Concat(template.Container.Command, template.Container.Args)
			}
		}
	}
}

// Images hold what their examples need.
func TestImages(t *testing.T) {
	program := staticProgram(t)
	t.Run("workflows", func(t *testing.T) { runWorkflows(t, program) })
	t.Run("stores", func(t *testing.T) { reachStores(t, program) })
}

// runWorkflows runs what Argo runs in the image that it runs it in: the model of every week, then the topics of every
// night.
func runWorkflows(t *testing.T, program string) {
	t.Helper()
	put, get := remote.StartStore(t)
	dir := t.TempDir()
	table(t, filepath.Join(dir, "articles/day=1/a.csv"), 0, 600)
	put(filepath.Join(dir, "articles"), "s3://bucket/articles")
	image := build(t, "cluster/Dockerfile", program)
	list := commands(t, filepath.Join(deploy, "cluster/workflows/argo.yaml"))
	for _, name := range []string{"topoi-weekly", "topoi-nightly"} {
		command := list[name]
		for i := range command {
			command[i] = strings.Replace(command[i], "s3://news/", "s3://bucket/", 1) // the one bucket of the test's store
		}
		if len(command) < 4 || command[0] != image.entrypoint[0] {
			t.Fatalf("%s: %q", name, command)
		}
		if out, err := image.run(t.Context(), command...); err != nil {
			t.Fatalf("%s: %q: %v\n%s", name, command, err, out)
		}
	}
	if topics := get("s3://bucket/topics/day=1/a.parquet"); !bytes.HasPrefix(topics, []byte("PAR1")) {
		t.Errorf("the topics of a night begin with %q", topics[:min(len(topics), 8)])
	}
}

// reachStores checks that both images have room for what comes from object stores, and the certificates by which a
// store is known.
func reachStores(t *testing.T, program string) {
	t.Helper()
	texts := "id,text\n" + strings.Repeat("1,soil garden rain leaves\n2,train station track carriage\n", 40)
	web := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(w, r, "texts.csv", time.Time{}, strings.NewReader(texts))
	}))
	defer web.Close()
	put, _ := remote.StartStore(t)
	dir := t.TempDir()
	table(t, filepath.Join(dir, "articles/a.csv"), 0, 60)
	put(filepath.Join(dir, "articles"), "s3://bucket/articles")
	for _, dockerfile := range []string{"cluster/Dockerfile", "serve/Dockerfile"} {
		image := build(t, dockerfile, program)
		certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: web.Certificate().Raw})
		if err := os.WriteFile(filepath.Join(image.root, "etc/ssl/certs/ca-certificates.crt"), certificate, 0o644); err != nil {
			t.Fatalf("%s: %v", dockerfile, err)
		}
		for _, line := range []string{
			"/topoi import " + web.URL + "/texts.csv -o /tmp/web.topoi --quiet",
			"/topoi train s3://bucket/articles/ -k 2 --iterations 5 -o s3://bucket/m.model --overwrite --quiet --min-df 1",
			"/topoi topics s3://bucket/m.model",
		} {
			if out, err := image.run(t.Context(), strings.Fields(line)...); err != nil {
				t.Errorf("%s: %s: %v\n%s", dockerfile, line, err, out)
			}
		}
	}
}
