package cli

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/internal/option"
	"github.com/topoi-lda/topoi/internal/pattern"
)

// OptionFlags adds a flag for every option of a struct that belongs under a heading,
// but those that are named, and more behind them.
func OptionFlags(c *cobra.Command, heading string, of any, more func(fs *pflag.FlagSet), without ...string) {
	var choices []option.Field
	Section(c, heading, func(fs *pflag.FlagSet) {
		for _, f := range option.Fields(of) {
			if f.Tag.Get("in") != heading || slices.Contains(without, f.Flag()) {
				continue
			}
			AddOption(fs, f)
			if f.Tag.Get("one") != "" {
				choices = append(choices, f)
			}
		}
		if more != nil {
			more(fs)
		}
	})
	for _, f := range choices {
		Complete(c, f.Flag(), Fixed(strings.Fields(f.Tag.Get("one"))...))
	}
}

// valueName finds the name of a value in a tag's help, where backquotes cannot be.
var valueName = pattern.Of("<([^>]*)>")

// AddOption adds the flag of an option, which then has its default.
func AddOption(fs *pflag.FlagSet, f option.Field) {
	name, short, help := f.Flag(), f.Tag.Get("flag"), valueName().ReplaceAllString(f.Tag.Get("help"), "`$1`")
	f.SetDefault()
	switch p := f.Value.Addr().Interface().(type) {
	case *int64:
		fs.VarP(SizeFlag{Bytes: p}, name, short, help)
	case *int:
		fs.IntVarP(p, name, short, *p, help)
	case *uint64:
		fs.Uint64VarP(p, name, short, *p, help)
	case *float64:
		fs.Float64VarP(p, name, short, *p, help)
	case *string:
		fs.StringVarP(p, name, short, *p, help)
	case *bool:
		fs.BoolVarP(p, name, short, *p, help)
	case *time.Duration:
		fs.DurationVarP(p, name, short, *p, help)
	default:
		panic(fmt.Sprintf("there is no flag for %s of type %s", f, f.Value.Type()))
	}
}

// SettleZeros gives meaning to flags of options that were set to 0, which in the struct
// stands for the default, and refuses those for which there is none.
func SettleZeros(c *cobra.Command, of any) error {
	var faults []error
	for _, f := range option.Fields(of) {
		flag := c.Flags().Lookup(f.Flag())
		if flag == nil || !flag.Changed || !f.Value.IsZero() || f.Value.Kind() == reflect.String {
			continue
		}
		if !f.SetZero() && f.Tag.Get("option") != "" && f.ZeroRefused() {
			faults = append(faults, fmt.Errorf("--%s is 0: it must be above 0", flag.Name))
		}
	}
	return errors.Join(faults...)
}

// Complete lets the shell complete the values of a flag.
func Complete(c *cobra.Command, flag string, values func() []string) {
	err := c.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string,
		cobra.ShellCompDirective,
	) {
		return values(), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the flag does not exist
	}
}

func Fixed(values ...string) func() []string { return func() []string { return values } }
