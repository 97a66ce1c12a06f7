// Package house has tests about the sources of the whole module: their sizes, the order of files, names in comments,
// rounded products and other systems.
package house

import (
	"fmt"
	"os"
	"testing"
)

// The tests read the module from its root.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
