package cli

import "github.com/spf13/cobra"

// Complete lets the shell complete the values of a flag.
func Complete(c *cobra.Command, flag string, values func() []string) {
	err := c.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values(), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the flag does not exist
	}
}

func Fixed(values ...string) func() []string { return func() []string { return values } }
