package main

import (
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
)

// The examples in help texts must be command lines that are understood: known
// commands, known flags, values of the right type.
func TestExamplesParse(t *testing.T) {
	a := newApp(nil, strings.NewReader(""), io.Discard, io.Discard)
	for _, c := range family(a.Root) {
		if c.Name() == "help" {
			continue
		}
		if c.Short == "" || c.Long == "" || c.Example == "" {
			t.Errorf("%s lacks a summary, a paragraph or an example", c.Name())
		}
		for line := range strings.Lines(c.Long) {
			if utf8.RuneCountInString(line) > 100 {
				t.Errorf("%s: this line of the help is too long, wrap it: %s", c.Name(), line)
			}
		}
		for line := range strings.Lines(c.Example) {
			checkExample(t, a.Root, line)
		}
	}
}

// family returns a command and all commands below it.
func family(c *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		list = append(list, family(sub)...)
	}
	return list
}

func checkExample(t *testing.T, root *cobra.Command, line string) {
	command, explanation, _ := strings.Cut(strings.TrimSpace(line), "    ") // what follows is for people
	if _, after, piped := strings.Cut(command, "| topoi"); piped {
		command = "topoi" + after
	}
	if command, _, _ = strings.Cut(command, "|"); strings.HasPrefix(command, "source") {
		return
	}
	for _, part := range strings.Split(command, "&&") {
		part, _, _ = strings.Cut(part, ">")
		words := strings.Fields(part)
		if len(words) < 2 || words[0] != "topoi" {
			t.Errorf("%q (%q) is no call of topoi", line, explanation)
			continue
		}
		c, args, err := root.Find(words[1:])
		if err != nil || c == root {
			t.Errorf("%q: unknown command (%v)", line, err)
			continue
		}
		if _, faults := cli.ParseAll(c.Flags(), args); len(faults) > 0 {
			t.Errorf("%q: %v", line, faults)
		}
	}
}
