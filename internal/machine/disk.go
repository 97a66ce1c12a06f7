// Package machine reports how much memory and disk space there is, so that what cannot
// fit is refused before it is tried.
package machine

import "os"

// Writable finds out whether files can be made in dir, by making a directory there and removing it.
func Writable(dir string) error {
	probe, err := os.MkdirTemp(dir, ".topoi-probe-*")
	if err != nil {
		return err
	}
	return os.Remove(probe)
}
