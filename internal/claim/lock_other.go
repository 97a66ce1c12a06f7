//go:build !windows && (!unix || solaris || aix)

package claim

import "os"

// Renames reports that this system has no locks that end with their process.
const Renames = false

// Lock locks nothing.
func Lock(*os.File, bool) (locked, taken bool) { return false, false }
