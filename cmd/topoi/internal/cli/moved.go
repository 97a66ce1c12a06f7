package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// MovedKey is the annotation of commands and flags that have another place or name now. It holds the new one. Whatever
// has it works as before and is hidden; it goes away with the next release.
const MovedKey = "moved"

// Moved hides flags that have another place now: another command such as "topoi study", or another spelling such as
// "--quote none". The old one works, and names the new one.
func Moved(fs *pflag.FlagSet, now string, flags ...string) {
	for _, name := range flags {
		f := fs.Lookup(name)
		if f == nil {
			panic("there is no flag --" + name + " to move to " + now)
		}
		f.Hidden = true
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[MovedKey] = []string{now}
	}
}

// sayMoved names the new spelling of what the command line spells in the old way, in a line for each new place.
func (a *App) sayMoved(c *cobra.Command) {
	if quiet := c.Flags().Lookup("quiet"); quiet != nil && quiet.Value.String() == "true" {
		return
	}
	if now := c.Annotations[MovedKey]; now != "" {
		a.note("%s replaces %s; the old name works until the next release", now, c.CommandPath())
	}
	var places []string
	flags := map[string][]string{}
	c.Flags().Visit(func(f *pflag.Flag) {
		for _, now := range f.Annotations[MovedKey] {
			if flags[now] == nil {
				places = append(places, now)
			}
			flags[now] = append(flags[now], "--"+f.Name)
		}
	})
	for _, now := range places {
		list := strings.Join(flags[now], ", ")
		if strings.HasPrefix(now, "topoi ") {
			a.note("%s has %s now; %s takes the old spelling until the next release", now, list, c.CommandPath())
		} else {
			a.note("%s replaces %s; the old spelling works until the next release", now, list)
		}
	}
}

// note writes a line to standard error that is neither a fault nor progress.
func (a *App) note(format string, args ...any) {
	fmt.Fprintf(a.Stderr, "note: %s\n", a.Speak(fmt.Sprintf(format, args...)))
}
