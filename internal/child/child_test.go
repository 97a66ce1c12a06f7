package child

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain is also the parent of TestDiesWithParent: it starts a child, says its
// number, and waits to be killed.
func TestMain(m *testing.M) {
	if os.Getenv("CHILD_TEST_PARENT") == "1" {
		p, err := Start(exec.Command("sleep", "60"))
		if err != nil {
			panic(err)
		}
		fmt.Println(p.cmd.Process.Pid)
		<-p.Exited()
		return
	}
	os.Exit(m.Run())
}

func TestStatus(t *testing.T) {
	p, err := Start(exec.Command("sh", "-c", "exit 3"))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Status(); err == nil || err.Error() != "exit status 3" {
		t.Errorf("status %v", err)
	}
	p.Signal(syscall.SIGKILL) // does nothing
	if _, err := Start(exec.Command("no-such-program-here")); err == nil {
		t.Error("a program that does not exist started")
	}
}

func TestDiesWithParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux promises this")
	}
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), "CHILD_TEST_PARENT=1")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil && err != io.EOF {
		t.Fatal(err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait() // killed
	stat := "/proc/" + strings.TrimSpace(line) + "/stat"
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		// It is gone, or a zombie that nobody has collected yet.
		text, err := os.ReadFile(stat)
		if err != nil || strings.Contains(string(text), ") Z ") {
			return
		}
	}
	t.Error("the child outlives its parent")
}
