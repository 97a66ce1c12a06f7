package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"topoi": main, "mallet": main}) }

// TestScripts runs the stories in testdata/script: each is a text file with
// commands, what they must print, and the files they work on.
func TestScripts(t *testing.T) {
	driver := fakeDriver(t.TempDir())
	inputs, err := filepath.Abs("../../corpus/source/testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("FAKECUDA", driver)
			env.Setenv("INPUTS", inputs) // files that a script cannot hold
			return nil
		},
		Condition: haveDriver(driver),
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exitcode": exitcode,
			"waitfor":  waitfor,
		},
	})
}

// fakeDriver makes a driver library for tests (internal/cuda/testdata/driver.c) and
// returns its path, empty where it cannot be made or used.
func fakeDriver(dir string) string {
	path := filepath.Join(dir, "fakecuda.so")
	cc := exec.Command("cc", "-shared", "-fPIC", "-o", path, "../../internal/cuda/testdata/driver.c")
	if runtime.GOOS != "linux" || cc.Run() != nil {
		return ""
	}
	return path
}

// haveDriver is the condition fakecuda of scripts: there is such a library.
func haveDriver(path string) func(string) (bool, error) {
	return func(name string) (bool, error) {
		if name != "fakecuda" {
			return false, fmt.Errorf("unknown condition %s", name)
		}
		return path != "", nil
	}
}

// exitcode N COMMAND runs a command whose exit code must be N.
func exitcode(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// waitfor FILE waits until a command in the background has made a file.
func waitfor(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	for range 120_000 {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
	ts.Fatalf("%s did not appear within two minutes", args[0])
}
