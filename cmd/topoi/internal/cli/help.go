package cli

import (
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpFile holds the texts of all commands: for each its path as a heading, how it is called, what it does in a line,
// more about it, and examples. It begins with an empty line, so that a line comes before every heading.
//
//go:embed help.txt
var helpFile string

// Describe returns a command with its texts in help.txt. path is its name after those of its parents.
func Describe(path string) *cobra.Command {
	_, text, found := strings.Cut(helpFile, "\n# "+path+"\n")
	if !found {
		panic("help.txt has no text for topoi " + path)
	}
	text, _, _ = strings.Cut(text, "\n# ")
	use, text, _ := strings.Cut(text, "\n")
	short, text, _ := strings.Cut(text, "\n\n")
	long, example, _ := strings.Cut(text, "\n\nExamples:\n")
	return &cobra.Command{Use: use, Short: short, Long: long, Example: strings.TrimRight(example, "\n")}
}

// help writes a command's help: what it is, how it is called, what it does,
// examples, then its flags: those of every day, or all by heading.
func (a *App) help(c *cobra.Command, _ []string) {
	w := c.OutOrStdout()
	if !a.isOurs(c) {
		fmt.Fprintf(w, "%s\n\n%s\n\n%s", c.Short, strings.TrimSpace(c.Long), c.UsageString())
		return
	}
	fmt.Fprintf(w, "%s\n\nUsage:\n  %s\n", c.Short, usageLine(c))
	short := everydayFlags(c)
	if wantsAll(c) {
		short = nil
	}
	if long := strings.TrimSpace(c.Long); long != "" {
		if short != nil { // its first paragraph, and what a colon announces
			first, rest, _ := strings.Cut(long, "\n\n")
			if long = first; strings.HasSuffix(first, ":") {
				next, _, _ := strings.Cut(rest, "\n\n")
				long += "\n\n" + next
			}
		}
		fmt.Fprintf(w, "\n%s\n", long)
	}
	if c.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", strings.TrimRight(c.Example, "\n"))
	}
	if c.HasAvailableSubCommands() {
		commandList(w, c, slices.DeleteFunc(slices.Clone(c.Groups()),
			func(g *cobra.Group) bool { return g.ID == GroupMore }))
		fmt.Fprintf(w, "\nRun '%s COMMAND --help' for more about a command", c.CommandPath())
		if !c.HasParent() {
			fmt.Fprintf(w, ", and '%s help more' for other commands", c.CommandPath())
		}
		fmt.Fprintln(w, ".")
		return
	}
	if short != nil {
		fs := pflag.NewFlagSet(c.Name(), pflag.ContinueOnError)
		fs.SortFlags = false
		for _, f := range short {
			fs.AddFlag(f)
		}
		fmt.Fprintf(w, "\nEveryday flags:\n%s\nRun '%s --help-all' for all %d flags.\n",
			fs.FlagUsagesWrapped(100), c.CommandPath(), countFlags(c))
		return
	}
	flagList(w, c)
}

// countFlags returns the number of flags that help shows.
func countFlags(c *cobra.Command) int {
	n := 0
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			n++
		}
	})
	return n
}

// isOurs tells the commands of this program from those that cobra adds.
func (a *App) isOurs(c *cobra.Command) bool {
	_, known := a.checks[c]
	return known || c == a.Root
}

func usageLine(c *cobra.Command) string {
	if c.HasParent() {
		return c.Parent().CommandPath() + " " + c.Use
	}
	return c.Use
}

// helpMore shows the commands that topoi --help leaves out.
func (a *App) helpMore() {
	root := a.All()
	more := slices.DeleteFunc(slices.Clone(root.Groups()), func(g *cobra.Group) bool { return g.ID != GroupMore })
	commandList(a.Stdout, root, more)
	fmt.Fprintf(a.Stdout, "\nRun '%s COMMAND --help' for more about a command.\n", root.CommandPath())
}

// commandList writes the commands of groups.
func commandList(w io.Writer, c *cobra.Command, groups []*cobra.Group) {
	width := 12
	for _, sub := range c.Commands() {
		width = max(width, len(sub.Name()))
	}
	for _, group := range groups {
		first := true
		for _, sub := range c.Commands() {
			if sub.GroupID != group.ID || !sub.IsAvailableCommand() && sub.Name() != "help" {
				continue
			}
			if first {
				fmt.Fprintf(w, "\n%s\n", group.Title)
				first = false
			}
			fmt.Fprintf(w, "  %-*s %s\n", width, sub.Name(), sub.Short)
		}
	}
}

// flagList writes the flags under their headings, in the order in which the command defines them.
func flagList(w io.Writer, c *cobra.Command) {
	var headings []string
	sets := map[string]*pflag.FlagSet{}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		heading := "Help"
		if h := f.Annotations[HeadingKey]; len(h) > 0 {
			heading = h[0]
		}
		if sets[heading] == nil {
			sets[heading] = pflag.NewFlagSet(heading, pflag.ContinueOnError)
			sets[heading].SortFlags = false
			headings = append(headings, heading)
		}
		sets[heading].AddFlag(f)
	})
	for _, heading := range headings {
		if usages := sets[heading].FlagUsagesWrapped(100); usages != "" {
			fmt.Fprintf(w, "\n%s:\n%s", heading, usages)
		}
	}
}

// NextSteps returns what to try next: pairs of a command and what it gives.
func NextSteps(w io.Writer, steps [][2]string) error {
	path, _ := os.Executable() // without it the program is called by its name
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nNext:")
	for _, step := range steps {
		fmt.Fprintf(table, "  %s\t%s\n", callable(step[0], path), step[1])
	}
	return table.Flush()
}

// callable returns a command as it can be typed: a program that 'go run' built, which
// vanishes with it, is called by 'go run' again.
func callable(command, executable string) string {
	if rest, ours := strings.CutPrefix(command, "topoi "); ours &&
		strings.Contains(filepath.ToSlash(executable), "/go-build") {
		return "go run ./cmd/topoi " + rest
	}
	return command
}

// everyday lists by command the flags that most people need. Their help fits on a screen and shows these, in
// this order; --help-all shows all flags, and so do the man pages. Commands that are not listed have few flags.
var everyday = map[string]string{
	"train": "topics output text-field label-field time-field id-field language stopwords phrases seeds metadata holdout " +
		"iterations seed device resume overwrite",
	"study": "list topics output sampler iterations tolerance optimize-interval holdout holdout-last until-heldout " +
		"mh-steps mini-batches staleness cvb seed threads device",
	"sweep": "topics output seeds sample keep text-field label-field time-field language stopwords iterations " +
		"seed threads resume verbose quiet",
	"update": "output weight keep new-topics min-new text-field label-field time-field id-field format iterations seed " +
		"threads device overwrite quiet",
	"import": "output text-field label-field time-field id-field title-field sheet format language stopwords " +
		"phrases duplicates snippet min-df max-df overwrite quiet",
	"check":     "text-field id-field sheet format pattern where language duplicates json quiet",
	"partition": "partitions distinct seed json text-field format language",
	"infer": "output as top min-theta excel decimal overwrite text-field id-field label-field format seed " +
		"threads device quiet",
	"effects":        "base contrast by cluster where topics methods output format overwrite",
	"prevalence":     "by bins groups topics where interval output format overwrite",
	"export":         "format output words top documents where with excel decimal overwrite",
	"explore":        "output open docs where name overwrite",
	"serve":          "listen threads device tokens new-token tls-cert tls-key no-documents reload metrics log quiet",
	"eval":           "estimator heldout text-field format words seed threads json quiet",
	"cluster submit": "store job topics workers iterations holdout sampler seed memory checkpoint resume plan quiet",
	"seeds suggest":  "words text-field label-field id-field format where language stopwords min-df max-df phrases",
	"mallet train-topics": "input num-topics num-iterations optimize-interval optimize-burn-in alpha beta random-seed " +
		"num-threads output-model inferencer-filename output-state output-topic-keys num-top-words output-doc-topics " +
		"diagnostics-file",
}

// everydayFlags returns the flags that the help of a command shows, nil for all.
func everydayFlags(c *cobra.Command) []*pflag.Flag {
	list, known := everyday[strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")]
	if !known {
		return nil
	}
	var flags []*pflag.Flag
	for _, name := range strings.Fields(list) {
		if f := c.Flags().Lookup(name); f != nil {
			flags = append(flags, f)
		}
	}
	return flags
}

// addHelpAll adds the flag that shows all others.
func addHelpAll(c *cobra.Command) {
	c.Flags().Bool("help-all", false, "show all flags")
	c.Flags().Lookup("help-all").Hidden = everydayFlags(c) == nil
}

// wantsAll reports whether the command line asks for all flags.
func wantsAll(c *cobra.Command) bool {
	f := c.Flags().Lookup("help-all")
	return f != nil && f.Changed
}

// Man writes the man page of a command, with all its flags, from what its help is made of.
func Man(w io.Writer, c *cobra.Command) error {
	title := strings.ReplaceAll(c.CommandPath(), " ", "-")
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"topoi %s\"\n", strings.ToUpper(title), Release)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", title, roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(usageLine(c)))
	if c.Long != "" {
		fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", strings.ReplaceAll(roff(strings.TrimSpace(c.Long)), "\n\n", "\n.PP\n"))
	}
	manFlags(&b, c)
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(strings.TrimRight(c.Example, "\n")))
	}
	if c.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(sub.CommandPath()), roff(sub.Short))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// manFlags writes the flags by heading.
func manFlags(b *strings.Builder, c *cobra.Command) {
	heading := ""
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		h := f.Annotations[HeadingKey]
		if f.Hidden || len(h) == 0 {
			return
		}
		if h[0] != heading {
			heading = h[0]
			fmt.Fprintf(b, ".SH %s\n", strings.ToUpper(roff(heading)))
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]" &&
			!strings.Contains(usage, "(default") {
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(name+" "+value)), roff(usage))
	})
}

// roff writes text so that man takes none of it for its own commands.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
