package main

import (
	"io"
	"strings"
	"testing"
)

// The help of commands with many flags shows the everyday ones on a screen, and says how to see all.
func TestHelpFitsOnAScreen(t *testing.T) {
	for _, name := range []string{"train", "sweep", "import", "infer", "effects", "prevalence", "export", "explore", "serve", "eval"} {
		var out strings.Builder
		if err := newApp([]string{name, "--help"}, strings.NewReader(""), &out, io.Discard).Execute(); err != nil {
			t.Fatal(err)
		}
		help := out.String()
		if n := strings.Count(help, "\n"); n > 50 || !strings.Contains(help, "\nEveryday flags:\n") || !strings.Contains(help, "--help-all' for all") {
			t.Errorf("%d lines:\n%s", n, help)
		}
		if strings.Contains(help, "default [])") || strings.Contains(help, ":\n\nExamples") {
			t.Errorf("an empty default, or a paragraph without its end:\n%s", help)
		}
	}
}

// A run whose command line begins with a command has that command alone, under the name that the list gives it. Its
// other root has all of them.
func TestOneCommand(t *testing.T) {
	for _, c := range commands {
		a := newApp([]string{c.Name, "--help"}, nil, io.Discard, io.Discard)
		if got := a.Root.Commands(); len(got) != 1 || got[0].Name() != c.Name {
			t.Errorf("topoi %s has the commands %v", c.Name, got)
		}
		if got := len(a.All().Commands()); got != len(commands) {
			t.Fatalf("all commands are %d, expected %d", got, len(commands))
		}
	}
	if got := newApp([]string{"--version"}, nil, nil, nil).Root.Commands(); len(got) > 0 {
		t.Errorf("topoi --version has %d commands", len(got))
	}
}
