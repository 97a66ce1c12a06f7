package main

import (
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
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

// topoi train has no more flags than a person can look through, and its everyday help fits on a laptop's screen. What
// else training can do is in topoi study.
func TestTrainIsSmall(t *testing.T) {
	var out strings.Builder
	a := newApp([]string{"train", "--help"}, strings.NewReader(""), &out, io.Discard)
	if err := a.Execute(); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n > 45 {
		t.Errorf("topoi train --help has %d lines", n)
	}
	for line := range strings.Lines(out.String()) {
		if utf8.RuneCountInString(line) > 101 { // with its end
			t.Errorf("this line is too long: %s", line)
		}
	}
	shown := 0
	a.Root.Commands()[0].Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			shown++
		}
	})
	if shown > 80 {
		t.Errorf("topoi train --help-all shows %d flags", shown)
	}
}

// What has another place now is shown there.
func TestMovedAreSomewhere(t *testing.T) {
	root := newApp(nil, nil, nil, nil).Root
	moved := 0
	shown := func(c *cobra.Command, name string) bool {
		f := c.Flags().Lookup(name)
		return f != nil && !f.Hidden
	}
	for _, c := range family(root) {
		if now := c.Annotations[cli.MovedKey]; now != "" {
			moved++
			words := strings.Fields(now)
			there, _, err := root.Find(words[1:2])
			if err != nil || there.Hidden || len(words) > 2 && !shown(there, strings.TrimPrefix(words[2], "--")) {
				t.Errorf("topoi %s is said to be %s, which is not shown", c.Name(), now)
			}
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			for _, now := range f.Annotations[cli.MovedKey] {
				moved++
				there, name := c, strings.TrimLeft(strings.Fields(now)[0], "-")
				if command, other := strings.CutPrefix(now, "topoi "); other {
					there, _, _ = root.Find([]string{command})
					name = f.Name
				} else if len(name) == 1 {
					name = c.Flags().ShorthandLookup(name).Name
				}
				if !shown(there, name) {
					t.Errorf("topoi %s --%s is said to be %s, which is not shown", c.Name(), f.Name, now)
				}
			}
		})
	}
	if moved < 30 {
		t.Errorf("only %d moved flags and commands were found", moved)
	}
}

// topoi study takes whatever topoi train takes, and shows it.
func TestStudyHasAllOfTrain(t *testing.T) {
	root := newApp(nil, nil, nil, nil).Root
	train, _, _ := root.Find([]string{"train"})
	study, _, _ := root.Find([]string{"study"})
	train.Flags().VisitAll(func(f *pflag.Flag) {
		now := strings.Join(f.Annotations[cli.MovedKey], "")
		there := study.Flags().Lookup(f.Name)
		if there == nil || there.Hidden && !strings.HasPrefix(now, "-") {
			t.Errorf("topoi study has no flag --%s", f.Name)
		}
	})
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
