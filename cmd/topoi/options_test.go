package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/training"
	"github.com/topoi-lda/topoi/internal/option"
)

// Every option of training is a flag of topoi train, but for those that the program itself sets.
func TestEveryOptionIsAFlag(t *testing.T) {
	a := newApp(nil, nil, nil, nil)
	train, _, err := a.Root.Find([]string{"train"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range option.Fields(topoi.Options{}) {
		if !slices.Contains([]string{"Program", "HoldCheckpoint", "Lineage", "StartLift"}, f.Name) && train.Flags().Lookup(f.Flag()) == nil {
			t.Errorf("there is no flag --%s for %s: its tag in names no heading of topoi train", f.Flag(), f)
		}
	}
}

func TestZeros(t *testing.T) {
	var o topoi.Options
	c := &cobra.Command{}
	training.RunFlags(c, &o, nil)
	cli.OptionFlags(c, "How to run", &o, nil)
	for _, name := range []string{"tolerance", "burn-in", "checkpoint-every", "beta", "threads"} {
		if err := c.Flags().Set(name, "0"); err != nil {
			t.Fatal(err)
		}
	}
	err := cli.SettleZeros(c, &o)
	if err == nil || err.Error() != "--beta is 0: it must be above 0" {
		t.Error(err)
	}
	if o.Tolerance != -1 || o.BurnIn != -1 || o.CheckpointEvery < 1<<30 || o.Threads != 0 {
		t.Errorf("%+v", o)
	}
}

func TestMessagesSpeakFlags(t *testing.T) {
	for message, want := range map[string]string{
		`train it with Options.Device = "cpu", or not`: "train it with --device cpu, or not",
		"Tuning.MHSteps is 300":                        "--mh-steps is 300",
		"name it with Options.TextFields or not":       "name it with --text-field or not",
		"made with Options.Seed = 0, not 9":            "made with --seed 0, not 9",
		"remove it with Job.Cancel":                    "remove it with topoi cluster cancel",
		"no Options. None":                             "no Options. None",
	} {
		if got := cli.SpeakFlags(message); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// allFlags returns the flags of all commands, but for those of MALLET.
func allFlags() map[string]bool {
	flags := map[string]bool{}
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { flags["--"+f.Name] = true })
		for _, sub := range c.Commands() {
			if sub.Name() != "mallet" {
				visit(sub)
			}
		}
	}
	visit(newApp(nil, nil, nil, nil).Root)
	return flags
}

// eachLiteral calls see with every string of the sources outside of some directories; tags
// and tests are left out.
func eachLiteral(t *testing.T, without []string, see func(file, text string)) {
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		switch {
		case d.IsDir() && (slices.Contains(without, name) || strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return fs.SkipDir
		case filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if _, ok := n.(*ast.StructType); ok {
				return false // tags
			}
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				if unquoted, err := strconv.Unquote(text.Value); err == nil {
					see(name, unquoted)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Packages that others may import speak of options: flags are the command's own words.
func TestLibrariesDoNotSpeakOfFlags(t *testing.T) {
	flags := allFlags()
	spoken := regexp.MustCompile("--[a-z][a-z0-9-]+")
	eachLiteral(t, []string{"cmd", "bench", "tools", "explore/browsertest"}, func(name, text string) {
		for _, flag := range spoken.FindAllString(text, -1) {
			if flags[flag] {
				t.Errorf("%s speaks of %s: name the option, such as Options.Device, which becomes the flag's name in the command's messages", name, flag)
			}
		}
	})
}
