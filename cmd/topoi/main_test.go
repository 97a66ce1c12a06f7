package main

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"topoi": main}) }

// TestScripts runs the stories in testdata/script: each is a text file with
// commands, what they must print, and the files they work on.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exitcode": exitcode,
			"waitfor":  waitfor,
		},
	})
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
	for range 10000 {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
	ts.Fatalf("%s did not appear within ten seconds", args[0])
}
