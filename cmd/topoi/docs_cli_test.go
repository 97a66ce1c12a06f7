package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var update = flag.Bool("update", false, "write the table of flags of docs/cli.md anew")

const cliPage = "docs/cli.md"

// The table of all flags in docs/cli.md is that of the program: go test ./cmd/topoi -run TestDocsAllFlags -update
// writes it.
func TestDocsAllFlags(t *testing.T) {
	const heading = "| command | flags |\n|---|---|\n"
	var want strings.Builder
	for _, c := range family(newApp(nil, nil, nil, nil).Root) {
		if flags := shownFlags(c); len(flags) > 0 && !hiddenCommand(c) {
			_, name, _ := strings.Cut(c.CommandPath(), " ")
			fmt.Fprintf(&want, "| `%s` | `%s` |\n", name, strings.Join(flags, " "))
		}
	}
	page := strings.Join(pageLines(t, cliPage), "\n")
	before, after, found := strings.Cut(page, heading)
	if !found {
		t.Fatalf("%s has no table of all flags", cliPage)
	}
	table := regexp.MustCompile(`^(\|.*\n)*`).FindString(after)
	if table == want.String() {
		return
	}
	if !*update {
		t.Errorf("the table of all flags in %s is not that of the program; write it by "+
			"go test ./cmd/topoi -run TestDocsAllFlags -update", cliPage)
		return
	}
	text := before + heading + want.String() + strings.TrimPrefix(after, table)
	if err := os.WriteFile(filepath.Join(repository, cliPage), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// shownFlags returns the flags of a command that --help-all shows, in its order, but for those of help.
func shownFlags(c *cobra.Command) []string {
	var list []string
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == "help-all" || f.Name == "version" {
			return
		}
		if f.Shorthand != "" {
			list = append(list, "-"+f.Shorthand)
		}
		list = append(list, "--"+f.Name)
	})
	return list
}

// hiddenCommand reports whether a command or one that it belongs to is left out of the help.
func hiddenCommand(c *cobra.Command) bool {
	for ; c != nil; c = c.Parent() {
		if c.Hidden {
			return true
		}
	}
	return false
}

// The reasons for which training ends are in docs/cli.md, all of them and no others.
func TestDocsStopReasons(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(repository, "events.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			if kind, ok := v.Type.(*ast.Ident); ok && kind.Name == "StopReason" {
				reason, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, reason)
			}
		}
		return true
	})
	row := regexp.MustCompile("`reason` \\(([^)]*)\\)").FindStringSubmatch(strings.Join(pageLines(t, cliPage), "\n"))
	if row == nil {
		t.Fatalf("%s does not list the reasons", cliPage)
	}
	var got []string
	for _, m := range codeSpan.FindAllStringSubmatch(row[1], -1) {
		got = append(got, m[1])
	}
	if len(want) < 5 || !slices.Equal(got, want) {
		t.Errorf("%s lists the reasons %q, the program has %q", cliPage, got, want)
	}
}
