package wholefile

import (
	"errors"
	"os"
)

// swap is exchange in three renames, for systems that have no single step. If
// the second one fails, b is put back.
func swap(a, b string) error {
	aside := a + ".old"
	if err := os.Rename(b, aside); err != nil {
		return err
	}
	if err := os.Rename(a, b); err != nil {
		return errors.Join(err, os.Rename(aside, b))
	}
	return os.Rename(aside, a)
}
