package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/train"
)

// NoArguments refuses arguments.
func NoArguments(c *cobra.Command) func([]string) error {
	return func(args []string) error {
		if len(args) > 0 {
			return fmt.Errorf("%s takes no arguments: leave out %q", c.CommandPath(), args[0])
		}
		return nil
	}
}

// NeedInputs is the fault of a command that was given nothing to read.
func NeedInputs(args []string, what, example string) error {
	return human.FaultIf(len(args) == 0, "%s is missing: try %s", what, example)
}

// NeedOutput is the fault of a command that does not know where to write.
func NeedOutput(path, what string) error {
	return human.FaultIf(path == "", "the output is missing: add -o %s", what)
}

// RefuseZero returns a fault for each of the flags that was set to 0, which the
// options of the library take for "the default".
func RefuseZero(c *cobra.Command, flags ...string) error {
	var faults []error
	for _, name := range flags {
		f := c.Flags().Lookup(name)
		zero := f.Changed && (f.Value.String() == "0" || f.Value.String() == "-0")
		faults = append(faults, human.FaultIf(zero, "--%s is 0: it must be above 0", name))
	}
	return errors.Join(faults...)
}

// RefuseNegative returns a fault for each of the flags with numbers that is below 0.
func RefuseNegative(c *cobra.Command, flags ...string) error {
	var faults []error
	for _, name := range flags {
		value := c.Flags().Lookup(name).Value.String()
		faults = append(faults, human.FaultIf(strings.HasPrefix(value, "-"),
			"--%s is %s: it must not be negative", name, value))
	}
	return errors.Join(faults...)
}

// OneModel is the fault of a command that was not given exactly one model.
func OneModel(args []string, example string) error {
	switch len(args) {
	case 0:
		return fmt.Errorf("the model is missing: try %s", example)
	case 1:
		return nil
	}
	return fmt.Errorf("give one model, not both %q and %q", args[0], args[1])
}

// SizeFlag is a flag for a number of bytes, such as 300MB or 2GiB.
type SizeFlag struct{ Bytes *int64 }

// Set implements pflag.Value.
func (f SizeFlag) Set(text string) (err error) {
	*f.Bytes, err = human.ParseBytes(text)
	return err
}

// String implements pflag.Value: empty for the default.
func (f SizeFlag) String() string {
	if f.Bytes == nil || *f.Bytes == 0 {
		return ""
	}
	return human.Bytes(*f.Bytes)
}

// Type implements pflag.Value.
func (f SizeFlag) Type() string { return "size" }

// ShellWord quotes a word so that a POSIX shell reads it back.
func ShellWord(w string) string {
	harmless := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("-_./=:,+@%", r)
	}
	if w != "" && strings.IndexFunc(w, func(r rune) bool { return !harmless(r) }) < 0 {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// ResumeLine is the command line that goes on where args stopped.
func ResumeLine(args []string) string {
	args = slices.DeleteFunc(slices.Clone(args), func(s string) bool { return s == "--force" })
	if !slices.Contains(args, "--resume") {
		args = append(args, "--resume")
	}
	line := "topoi"
	for _, arg := range args {
		line += " " + ShellWord(arg)
	}
	return line
}

// ParseAll sets every flag of args that can be set, and returns the arguments that are no flags and one fault for
// every flag that is unknown or has a bad value. (pflag itself gives up at the first.)
func ParseAll(fs *pflag.FlagSet, args []string) (positional []string, faults []error) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			return append(positional, args[i+1:]...), faults
		case len(arg) < 2 || arg[0] != '-':
			positional = append(positional, arg)
			continue
		}
		flag, value, has, fault := lookup(fs, arg)
		if fault == nil && !has {
			switch {
			case flag.NoOptDefVal != "":
				value = flag.NoOptDefVal
			case i+1 < len(args):
				i++
				value = args[i]
			default:
				fault = fmt.Errorf("%s needs a value", arg)
			}
		}
		if fault == nil {
			fault = set(flag, value)
		}
		if fault != nil {
			faults = append(faults, fault)
		}
	}
	return positional, faults
}

// lookup finds the flag that arg begins and the value inside arg, if there is one: --name=value, -nvalue, -n=value.
func lookup(fs *pflag.FlagSet, arg string) (flag *pflag.Flag, value string, has bool, fault error) {
	if name, long := strings.CutPrefix(arg, "--"); long {
		name, value, has = strings.Cut(name, "=")
		if flag = fs.Lookup(name); flag == nil {
			fault = fmt.Errorf("unknown flag --%s%s", name, flagHint(fs, name))
		}
		return flag, value, has, fault
	}
	if flag = fs.ShorthandLookup(arg[1:2]); flag == nil {
		return nil, "", false, fmt.Errorf("unknown flag -%s%s", arg[1:2], flagHint(fs, strings.TrimLeft(arg, "-")))
	}
	value = strings.TrimPrefix(arg[2:], "=")
	return flag, value, len(arg) > 2, nil
}

func set(flag *pflag.Flag, value string) error {
	if err := flag.Value.Set(value); err != nil {
		if _, list := flag.Value.(pflag.SliceValue); !list && !flag.Changed {
			_ = flag.Value.Set(flag.DefValue) // else a number is 0 now, and later checks complain about that, too
		}
		if flag.Value.Type() == "" { // a value that is read from text says itself what is wrong
			return fmt.Errorf("--%s %q: %w", flag.Name, value, err)
		}
		kind := flag.Value.Type()
		return fmt.Errorf("--%s %q: expected %s", flag.Name, value, cmp.Or(typeNames[kind], kind))
	}
	flag.Changed = true
	return nil
}

// typeNames say in words what flags take.
var typeNames = map[string]string{
	"int": "a whole number, such as 10", "int64": "a whole number, such as 10",
	"uint": "a whole number from 0, such as 10", "uint64": "a whole number from 0, such as 10",
	"float64": "a number, such as 0.5", "duration": "a time, such as 90s, 10m or 2h", "bool": "true or false",
}

// flagHint names the flag that was probably meant.
func flagHint(fs *pflag.FlagSet, name string) string {
	var names []string
	fs.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if best, ok := human.Nearest(name, names); ok {
		return fmt.Sprintf(": did you mean --%s?", best)
	}
	return ""
}

// RefuseExisting is the fault of an output that would replace something.
func RefuseExisting(path string, overwrite bool) error {
	info, err := os.Stat(path)
	return human.FaultIf(err == nil && info.Mode().IsRegular() && !overwrite,
		"%s already exists: choose another name, or add --overwrite to replace it", path)
}

// RefuseModel is the fault of an output that would replace a model, or cannot.
func RefuseModel(path string, overwrite bool) error {
	if _, err := os.Lstat(path); err != nil {
		return nil // nothing is there, or writing will tell
	}
	if err := train.CheckOutput(path, nil, topoi.Options{}, topoi.SaveOptions{Overwrite: true}); err != nil {
		return err
	}
	return human.FaultIf(!overwrite,
		"%s already exists: choose another name, or add --overwrite to replace the model", path)
}

// Writable finds out before the work whether files can be made at paths after it.
func Writable(paths ...string) error {
	var faults []error
	for _, path := range paths {
		if err := machine.Writable(filepath.Dir(path)); err != nil {
			faults = append(faults, wholefile.Explain(path, err))
		}
	}
	return errors.Join(faults...)
}

// WriteJSON writes v for people and programs alike.
func (a *App) WriteJSON(v any) error {
	encoder := json.NewEncoder(a.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// Where adds the flag that chooses documents by a condition.
func Where(fs *pflag.FlagSet, condition *string) {
	fs.StringVar(condition, "where", "", "`condition` on documents, such as 'party in (SPD, CDU) and date >= 2017'; "+
		"only these count")
}

// OpenWhere opens a model as the documents that satisfy a condition show it.
func OpenWhere(ctx context.Context, path, condition string) (*topoi.Model, error) {
	m, err := topoi.Open(path)
	if err != nil {
		return nil, err
	}
	part, err := m.Where(ctx, condition)
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return part, nil
}

// OnModel returns the body of a command whose first argument is a model. It opens the model, calls run and closes the
// model. A condition that is not empty restricts the model to the documents that satisfy it. Ctrl-C ends run quietly.
func OnModel(condition *string, run func(ctx context.Context, m *topoi.Model, args []string) error,
) func(ctx context.Context, args []string) error {
	return Stoppable(func(ctx context.Context, args []string) error {
		m, err := OpenWhere(ctx, args[0], *condition)
		if err != nil {
			return err
		}
		defer m.Close()
		return run(ctx, m, args)
	})
}

// ModelName is the name of a model by its path.
func ModelName(path string) string {
	name := filepath.Base(filepath.Clean(path))
	if trimmed := strings.TrimSuffix(name, ".model"); trimmed != "" {
		return trimmed
	}
	return name
}
