//go:build unix

package wholefile

import "os"

// SyncDir makes a rename inside dir durable. File systems that cannot sync a
// directory have nothing to lose, so their refusal is no error.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	_ = d.Sync()
	return d.Close()
}
