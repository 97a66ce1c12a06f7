package cli

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// After 'go run' the commands that are named are called by 'go run' too.
func TestCallable(t *testing.T) {
	for _, c := range [][3]string{
		{"topoi demo --explore", "/usr/local/bin/topoi", "topoi demo --explore"},
		{"topoi demo --explore", "/tmp/go-build123/b001/exe/topoi", "go run ./cmd/topoi demo --explore"},
		{"ls", "/tmp/go-build123/b001/exe/topoi", "ls"},
	} {
		if got := callable(c[0], c[1]); got != c[2] {
			t.Errorf("%s of %s is called by %s", c[0], c[1], got)
		}
	}
}

// The short help has everyday flags in their order, --help-all and man pages have all.
func TestHelpShowsEverydayFlags(t *testing.T) {
	add := func(a *App) {
		c := &cobra.Command{Use: "eval MODEL", Short: "Measure", Long: "First paragraph.\n\nSecond paragraph."}
		Section(c, "Measuring", func(fs *pflag.FlagSet) {
			fs.Int("obscure", 3, "hardly needed\n.TH")
			fs.String("estimator", "", "`name` of it")
		})
		a.Add(c, func([]string) error { return nil }, func(context.Context, []string) error { t.Error("it ran"); return nil })
	}
	asIs := func(_ *App, args []string) ([]string, error) { return args, nil }
	help := func(args ...string) string {
		var out strings.Builder
		if err := New(args, strings.NewReader(""), &out, io.Discard, []Command{{Name: "eval", Group: GroupApply, Add: add}}, asIs).Execute(); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	short := help("eval", "--help")
	if !strings.Contains(short, "--estimator name") || strings.Contains(short, "--obscure") || strings.Contains(short, "Second") ||
		!strings.Contains(short, "Run 'topoi eval --help-all' for all 4 flags.") {
		t.Errorf("got %s", short)
	}
	if all := help("eval", "--help-all"); !strings.Contains(all, "--obscure") || !strings.Contains(all, "Second") {
		t.Errorf("got %s", all)
	}
	a := New([]string{"eval"}, strings.NewReader(""), io.Discard, io.Discard, []Command{{Name: "eval", Group: GroupApply, Add: add}}, asIs)
	c, _, _ := a.Root.Find([]string{"eval"})
	var page strings.Builder
	if err := Man(&page, c); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{".TH TOPOI-EVAL 1", ".SH MEASURING\n.TP\n.B \\-\\-obscure int\nhardly needed\n\\&.TH (default 3)", ".PP\nSecond"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %q in %s", want, page.String())
		}
	}
}
