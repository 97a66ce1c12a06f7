package remote

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// server starts a real S3 server with an empty bucket, and has the environment lead to it through a proxy that makes
// faults. It is versitygw, if it is installed or TOPOI_S3_SERVER names it. Otherwise TOPOI_REQUIRE_S3=1 builds
// gofakes3 in seconds, and TOPOI_REQUIRE_S3=versitygw builds that in minutes.
func server(t *testing.T) *faults {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	f := &faults{seen: map[string]int{}}
	program, err := exec.LookPath("versitygw")
	required := os.Getenv("TOPOI_REQUIRE_S3")
	var args []string
	switch named := os.Getenv("TOPOI_S3_SERVER"); {
	case named != "":
		program = named
	case err == nil:
	case required == "versitygw":
		program = strings.TrimSpace(goCommand(t, "tool", "-n", "versitygw"))
	case required != "":
		program = filepath.Join(builds(), "server")
		if _, err := os.Stat(program); err != nil {
			goCommand(t, "test", "-c", "-o", program, ".")
		}
		f.simple, args = true, []string{"-test.run", "TestServe", "-test.timeout", "0"}
	default:
		t.Skip("no S3 server: install versitygw, or set TOPOI_REQUIRE_S3=1 to build another")
	}
	if !f.simple {
		root := t.TempDir()
		if err := os.Mkdir(filepath.Join(root, "bucket"), 0o777); err != nil {
			t.Fatal(err)
		}
		args = []string{"--port", address, "--quiet", "posix", "--sidecar", t.TempDir(), root}
	}
	c := exec.CommandContext(t.Context(), program, args...)
	c.Env = append(os.Environ(), "TOPOI_S3_ADDRESS="+address, "ROOT_ACCESS_KEY=user", "ROOT_SECRET_KEY=very/secret+key")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			break
		}
		if time.Now().After(end) {
			t.Fatal("the S3 server does not listen")
		}
	}
	f.proxy = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.URL.Host = "http", address }}
	front := httptest.NewServer(f)
	t.Cleanup(front.Close)
	f.use(t, front.URL)
	return f
}

// builds returns a directory that the tests of this process share.
var builds = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "topoi-remote-*")
	if err != nil {
		panic(err)
	}
	return dir
})

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(builds())
	os.Exit(code)
}

// goCommand runs the Go tool in the module of the servers.
func goCommand(t *testing.T, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "go", append([]string{"-C", "storetest"}, args...)...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// faults is a proxy that disturbs.
type faults struct {
	simple  bool // the server does not compare checksums; the one of TestAmazon does
	address string
	proxy   *httputil.ReverseProxy

	mutex   sync.Mutex
	seen    map[string]int // requests by method
	disturb func(n int, w http.ResponseWriter, r *http.Request) (handled bool)
	change  func(r *http.Request, body []byte) []byte
}

// use makes this process, and programs that it starts, use the store at address.
func (f *faults) use(t *testing.T, address string) {
	t.Helper()
	f.address = address
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": address, "AWS_ACCESS_KEY_ID": "user", "AWS_SECRET_ACCESS_KEY": "very/secret+key",
		"AWS_REGION": "us-east-1", "AWS_CONFIG_FILE": "/none", "AWS_SHARED_CREDENTIALS_FILE": "/none",
	} {
		t.Setenv(name, value)
	}
	before := settings
	settings = sync.OnceValue(readAmazon)
	t.Cleanup(func() { settings = before })
	known.Clear()
	opening.Clear()
}

func (f *faults) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mutex.Lock()
	f.seen[r.Method]++
	n, disturb, change := f.seen[r.Method], f.disturb, f.change
	f.mutex.Unlock()
	if disturb != nil && disturb(n, w, r) {
		return
	}
	if change == nil {
		f.proxy.ServeHTTP(w, r)
		return
	}
	answer := httptest.NewRecorder()
	f.proxy.ServeHTTP(answer, r)
	body := change(r, answer.Body.Bytes())
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(body)
}

// uploads returns the server's list of uploads that are neither complete nor cancelled.
func (f *faults) uploads(t *testing.T) string {
	t.Helper()
	bucket, err := locate("s3://bucket")
	if err != nil {
		t.Fatal(err)
	}
	answer, err := bucket.send(t.Context(), call{method: http.MethodGet, query: map[string][]string{"uploads": {""}}})
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	list, err := io.ReadAll(answer.Body)
	if err != nil || !bytes.Contains(list, []byte("ListMultipartUploadsResult")) {
		t.Fatalf("uploads: %v, %s", err, list)
	}
	return string(list)
}

// count returns how many requests there were, and begins anew.
func (f *faults) count() string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	defer clear(f.seen)
	return fmt.Sprint(f.seen)
}

// cut answers with part of what was asked for and hangs up.
func (f *faults) cut(w http.ResponseWriter, r *http.Request, after int) {
	answer := httptest.NewRecorder()
	f.proxy.ServeHTTP(answer, r)
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	_, _ = io.CopyN(w, answer.Body, int64(after))
	panic(http.ErrAbortHandler)
}
