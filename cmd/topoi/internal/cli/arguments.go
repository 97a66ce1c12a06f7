package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/topoi-lda/topoi/internal/human"
)

// NoArguments refuses arguments.
func NoArguments(c *cobra.Command) func([]string) error {
	return func(args []string) error {
		if len(args) > 0 {
			return fmt.Errorf("%s takes no arguments, but got %q", c.CommandPath(), args[0])
		}
		return nil
	}
}

// NeedInputs is the fault of a command that was given nothing to read.
func NeedInputs(args []string, what, example string) error {
	if len(args) > 0 {
		return nil
	}
	return fmt.Errorf("%s is missing: try %s", what, example)
}

// NeedOutput is the fault of a command that does not know where to write.
func NeedOutput(path, what string) error {
	if path != "" {
		return nil
	}
	return fmt.Errorf("the output is missing: add -o %s", what)
}

// RefuseZero returns a fault for each of the flags that was set to 0, which the
// options of the library take for "the default".
func RefuseZero(c *cobra.Command, flags ...string) error {
	var faults []error
	for _, name := range flags {
		if f := c.Flags().Lookup(name); f.Changed && (f.Value.String() == "0" || f.Value.String() == "-0") {
			faults = append(faults, fmt.Errorf("--%s is 0: it must be above 0", name))
		}
	}
	return errors.Join(faults...)
}

// RefuseNegative returns a fault for each of the flags with numbers that is below 0.
func RefuseNegative(c *cobra.Command, flags ...string) error {
	var faults []error
	for _, name := range flags {
		if value := c.Flags().Lookup(name).Value.String(); strings.HasPrefix(value, "-") {
			faults = append(faults, fmt.Errorf("--%s is %s: it must not be negative", name, value))
		}
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
	return fmt.Errorf("one model at a time: got %q and %q", args[0], args[1])
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

// shellLine writes a command line that a POSIX shell reads back as these words.
func shellLine(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = ShellWord(w)
	}
	return strings.Join(quoted, " ")
}

func ShellWord(w string) string {
	harmless := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,+@%", r)
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
	return shellLine(append([]string{"topoi"}, args...)...)
}
