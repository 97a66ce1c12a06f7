package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

// NextSteps says what to try next: pairs of a command and what it gives.
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
	if rest, ours := strings.CutPrefix(command, "topoi "); ours && strings.Contains(filepath.ToSlash(executable), "/go-build") {
		return "go run ./cmd/topoi " + rest
	}
	return command
}
