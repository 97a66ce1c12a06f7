package chaos

import (
	"os"
	"path/filepath"
)

// Faults of a job whose topics are in files that all workers see.

// loseFiles deletes what the job has in its directory, while its workers run.
func (c *cluster) loseFiles() error {
	c.fault("lost files", "of %s", c.state)
	files, err := filepath.Glob(filepath.Join(c.state, "*", "part-*"))
	for _, path := range files {
		_ = os.Remove(path) // it may have gone by itself
	}
	return err
}

// damageFile flips a bit in a file of topics.
func (c *cluster) damageFile() error {
	files, err := filepath.Glob(filepath.Join(c.state, "*", "part-*"))
	if err != nil || len(files) == 0 {
		return err
	}
	_, err = c.flip(files[c.random.IntN(len(files))])
	if os.IsNotExist(err) {
		err = nil // it has gone
	}
	return err
}
