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

const (
	mostHelp     = 50 // lines of a command's help, from its first line to its last, empty ones included
	mostCommands = 24 // in topoi --help, but for help itself
)

// helpOf returns what a command shows with more arguments, such as --help.
func helpOf(t *testing.T, args ...string) string {
	t.Helper()
	var out strings.Builder
	if err := newApp(args, strings.NewReader(""), &out, io.Discard).Execute(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The help of every command fits on a screen. Commands with many flags show the everyday ones, and say how to see all.
func TestHelpFitsOnAScreen(t *testing.T) {
	short := 0
	for _, c := range family(newApp(nil, nil, nil, nil).Root) {
		help := helpOf(t, append(strings.Fields(c.CommandPath())[1:], "--help")...)
		if n := strings.Count(help, "\n"); n > mostHelp {
			t.Errorf("%s --help has %d lines, and %d are the most: list its everyday flags\n%s", c.CommandPath(), n,
				mostHelp, help)
		}
		if strings.Contains(help, "default [])") || strings.Contains(help, ":\n\nExamples") {
			t.Errorf("an empty default, or a paragraph without its end:\n%s", help)
		}
		if !strings.Contains(help, "\nEveryday flags:\n") {
			continue
		}
		short++
		if !strings.Contains(help, "Run '"+c.CommandPath()+" --help-all' for all ") {
			t.Errorf("%s --help does not say how to see all flags", c.CommandPath())
		}
	}
	if short < 14 {
		t.Errorf("only %d commands show everyday flags", short)
	}
}

// The first screen lists few commands, along a person's way; topoi help more has the others.
func TestFirstScreenIsSmall(t *testing.T) {
	first, more := helpOf(t, "--help"), helpOf(t, "help", "more")
	shown := 0
	for _, c := range commands {
		listed := "\n  " + c.Name + " "
		switch {
		case strings.Contains(first, listed):
			shown++
		case c.Group == cli.GroupMore && !strings.Contains(more, listed):
			t.Errorf("topoi help more does not list %s", c.Name)
		}
	}
	if shown > mostCommands || shown < 10 {
		t.Errorf("topoi --help lists %d commands, and %d are the most", shown, mostCommands)
	}
}

// What only those need who study algorithms is in topoi study, and at most in --help-all of the other commands that
// train.
func TestEverydayHelpHasNoStudy(t *testing.T) {
	root := newApp(nil, nil, nil, nil).Root
	study := map[string]bool{}
	train, _, _ := root.Find([]string{"train"})
	train.Flags().VisitAll(func(f *pflag.Flag) {
		if strings.Join(f.Annotations[cli.MovedKey], "") == "topoi study" {
			study["--"+f.Name+" "] = true
		}
	})
	if len(study) < 20 {
		t.Errorf("only %d flags of topoi study were found", len(study))
	}
	for _, path := range []string{"train", "sweep", "cluster submit", "update"} {
		_, flags, found := strings.Cut(helpOf(t, append(strings.Fields(path), "--help")...), "\nEveryday flags:\n")
		for flag := range study {
			if !found || strings.Contains(flags, flag) {
				t.Errorf("topoi %s --help shows %s", path, flag)
			}
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
				if !shown(there, name) && !strings.Contains(there.Use, now) { // some are arguments now
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
