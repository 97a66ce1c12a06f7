package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/internal/human"
)

// ParseAll sets every flag of args that can be set, and returns the arguments
// that are no flags and one fault for every flag that is unknown or has a bad
// value. (pflag itself gives up at the first.)
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

// lookup finds the flag that arg begins and the value inside arg, if there is
// one: --name=value, -nvalue, -n=value.
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
		return fmt.Errorf("--%s %q: expected %s", flag.Name, value, typeName(flag.Value.Type()))
	}
	flag.Changed = true
	return nil
}

// typeName says in words what a flag takes.
func typeName(t string) string {
	switch t {
	case "int", "int64":
		return "a whole number, such as 10"
	case "uint", "uint64":
		return "a whole number from 0, such as 10"
	case "float64":
		return "a number, such as 0.5"
	case "duration":
		return "a time, such as 90s, 10m or 2h"
	case "bool":
		return "true or false"
	}
	return t
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
