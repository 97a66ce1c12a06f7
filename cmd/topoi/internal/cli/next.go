package cli

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// NextSteps says what to try next: pairs of a command and what it gives.
func NextSteps(w io.Writer, steps [][2]string) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nNext:")
	for _, step := range steps {
		fmt.Fprintf(table, "  %s\t%s\n", step[0], step[1])
	}
	return table.Flush()
}
