package mallet

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"
)

// Arguments rewrites a command line of MALLET so that package pflag understands it:
// a truth value may follow its option as a word of its own or be left out, a list takes all
// words up to the next option, and --config reads options from a file. Words that no option
// takes stay where they are.
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
			if i+1 < len(args) && isTruth(args[i+1]) {
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

func isTruth(word string) bool {
	switch strings.ToLower(word) {
	case "true", "false", "0", "1":
		return true
	}
	return false
}

// configOption names a file of options.
const configOption = "config"

// readConfig returns the options of a file, a line "name = value" each, as words of a
// command line.
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
			return nil, fmt.Errorf("%s:%d: found %q, expected an option and its value, such as num-topics = 50", path, n, line)
		}
		args = append(args, "--"+line[:at])
		args = append(args, strings.Fields(strings.TrimLeft(line[at:], "=: \t"))...)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	return args, nil
}
