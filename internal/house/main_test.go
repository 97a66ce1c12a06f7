// Package house has tests about the sources of the whole module: their sizes, the order of files, names in comments,
// rounded products and other systems.
package house

import (
	"os"
	"sync"
	"testing"
)

// goToRoot changes to the root of the module. Tests call it, and not TestMain: the Go tool follows a change of the
// directory only while tests run, and would take results for fresh that are not.
func goToRoot(t *testing.T) {
	t.Helper()
	if err := toRoot(); err != nil {
		t.Fatal(err)
	}
}

var toRoot = sync.OnceValue(func() error { return os.Chdir("../..") })
