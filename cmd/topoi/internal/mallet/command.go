// Package mallet stands in for the topic models of MALLET (McCallum 2002): its commands import-file, import-dir,
// import-svmlight, train-topics, infer-topics and evaluate-topics, with its options, its defaults (those of release
// 2.0.8) and its output files. So programs that call MALLET can call topoi instead.
//
// Each command is a type: Flags defines its options, Check returns all faults, Run does the work. What MALLET keeps
// as Java objects is a file or directory of topoi: a corpus in place of an instance list, a model in place of a
// model, an inferencer and an evaluator. An option that topoi cannot honour is refused in a sentence; what it does in
// another way is said once. docs/mallet.md lists both.
package mallet

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/progress"
)

// Command is a command of MALLET: ImportFile, ImportDir, TrainTopics and so on.
type Command interface {
	// Flags defines the options. Those under refused have no effect but a fault.
	Flags(fs, refused *pflag.FlagSet)

	// Check returns all faults of the options, joined.
	Check(fs *pflag.FlagSet) error

	// Run does the work.
	Run(ctx context.Context, fs *pflag.FlagSet, env Env) error
}

// Env is the environment of a command.
type Env struct {
	Stdout  io.Writer         // what MALLET writes there
	Report  progress.Reporter // tells people what happens
	Program string            // version of the program, which models record
}

// note says, once, what is done in another way than MALLET does.
func (e Env) note(format string, args ...any) { e.Report.Say("note: " + fmt.Sprintf(format, args...)) }

// phase returns what tells how far a step is.
func (e Env) phase(name string) func(done, total int64) {
	return func(done, total int64) { e.Report.Phase(topoi.PhaseInfo{Name: name, Done: done, Total: total}) }
}

// refusal is an option that topoi cannot honour.
type refusal struct {
	name     string
	kind     string   // "bool" or "string"
	harmless []string // values that ask for nothing
	why      string   // a clause
}

// refusals are the options of one command that are refused.
type refusals []refusal

// anywhere is refused by all commands.
var anywhere = refusal{"prefix-code", "string", nil, "topoi runs no Java"}

// define adds the options to refused, and to fs the option that names a file of options, which [Arguments] reads.
func (r refusals) define(fs, refused *pflag.FlagSet) {
	fs.String(configOption, "", "`file` with options, one name = value per line")
	for _, o := range append(r, anywhere) {
		usage := "not supported: " + o.why
		if o.kind == "bool" {
			refused.Bool(o.name, false, usage)
		} else {
			refused.String(o.name, "", usage)
		}
	}
}

// check returns a fault for each that was asked for.
func (r refusals) check(fs *pflag.FlagSet) error {
	var faults []error
	for _, o := range append(r, anywhere) {
		f := fs.Lookup(o.name)
		if f == nil || !f.Changed || f.Value.String() == "" || slices.Contains(o.harmless, f.Value.String()) ||
			o.kind == "bool" && f.Value.String() == "false" {
			continue
		}
		faults = append(faults, fmt.Errorf("--%s is not supported: %s", o.name, o.why))
	}
	return errors.Join(faults...)
}

// aboveZero returns the fault of an option that is not above 0.
func aboveZero(name string, value int) error {
	return human.FaultIf(value < 1, "--%s is %d: it must be above 0", name, value)
}

// needed returns a fault for each of the options that was not given.
func needed(fs *pflag.FlagSet, names ...string) error {
	var faults []error
	for _, name := range names {
		if f := fs.Lookup(name); f.Value.String() == "" || f.Value.String() == "[]" {
			kind, _ := pflag.UnquoteUsage(f)
			faults = append(faults, fmt.Errorf("--%s is missing: add --%s %s", name, name, strings.ToUpper(kind)))
		}
	}
	return errors.Join(faults...)
}

// Arguments rewrites a command line of MALLET so that package pflag understands it: a truth value may follow its
// option as a word of its own or be left out, a list takes all words up to the next option, and --config reads
// options from a file. Words that no option takes stay where they are.
func Arguments(fs *pflag.FlagSet, args []string) ([]string, error) {
	var out []string
	for i := 0; i < len(args); i++ {
		name, isOption := strings.CutPrefix(args[i], "--")
		f := fs.Lookup(name)
		switch {
		case !isOption || f == nil:
			out = append(out, args[i])
		case name == configOption && i+1 < len(args):
			i++
			more, err := readConfig(args[i])
			if err != nil {
				return nil, err
			}
			if more, err = Arguments(fs, more); err != nil {
				return nil, err
			}
			out = append(out, more...)
		case f.Value.Type() == "bool":
			if i+1 < len(args) && slices.Contains(truths, strings.ToLower(args[i+1])) {
				i++
				out = append(out, "--"+name+"="+args[i])
			} else {
				out = append(out, "--"+name)
			}
		case f.Value.Type() == "stringArray":
			for i+1 < len(args) && !strings.HasPrefix(args[i+1], "--") {
				i++
				out = append(out, "--"+name+"="+args[i])
			}
		default:
			out = append(out, args[i])
			if i+1 < len(args) && !strings.HasPrefix(args[i+1], "--") {
				i++
				out = append(out, args[i])
			}
		}
	}
	return out, nil
}

// configOption names a file of options.
const configOption = "config"

// truths are the truth values, in small letters.
var truths = []string{"true", "false", "0", "1"}

// readConfig returns the options of a file, a line "name = value" each, as words of a command line.
func readConfig(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	defer f.Close()
	var args []string
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' || line[0] == '!' {
			continue
		}
		at := strings.IndexAny(line, "=: \t")
		if at <= 0 {
			return nil, fmt.Errorf("%s:%d: found %q, expected an option and its value, such as num-topics = 50", path,
				n, line)
		}
		args = append(args, "--"+line[:at])
		args = append(args, strings.Fields(strings.TrimLeft(line[at:], "=: \t"))...)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	return args, nil
}
