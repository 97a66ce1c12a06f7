// Package tier sorts tests by what they cost. Everything runs in the continuous integration, which sets TOPOI_LONG; a
// newcomer's ./check leaves out what takes long and shows what faster tests show too.
package tier

import (
	"os"
	"testing"
)

// Long skips a test in short runs unless TOPOI_LONG is set. because says which faster tests show most of the same.
func Long(t *testing.T, because string) {
	t.Helper()
	if testing.Short() && os.Getenv("TOPOI_LONG") == "" {
		t.Skip("it takes long, and " + because + ": TOPOI_LONG=1 runs it")
	}
}
