package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Faults of a job that has its topics on its workers' disks.

// scratch is the disk of the worker in a place.
func (c *cluster) scratch(place int) string { return filepath.Join(c.dir, "disk"+strconv.Itoa(place)) }

// finished says whether the model is complete: workers stay until it is collected.
func (c *cluster) finished() bool {
	state, err := c.ask("HGET", "topoi:{chaos}:state", "json")
	return err == nil && strings.Contains(state, `"finished":true`) // a store that is away is asked again
}

// loseDisk deletes what a worker has on its disk, while it runs.
func (c *cluster) loseDisk() error {
	place := c.random.IntN(len(c.team))
	c.fault("lost disk", "of worker %d", place)
	_ = os.RemoveAll(c.scratch(place)) // it fails if the worker writes at this moment, and then most is lost
	return nil
}

// loseWorker kills a worker and deletes what it has on its disk.
func (c *cluster) loseWorker() error {
	place := c.random.IntN(len(c.team))
	c.fault("lost machine", "of worker %d", place)
	c.signalled[place] = true
	c.team[place].Signal(syscall.SIGKILL)
	<-c.team[place].Exited()
	return os.RemoveAll(c.scratch(place))
}

// damageFile flips a bit in a file on a worker's disk.
func (c *cluster) damageFile() error {
	files, err := filepath.Glob(filepath.Join(c.scratch(c.random.IntN(len(c.team))), "*", "part-*"))
	if err != nil || len(files) == 0 {
		return err
	}
	_, err = c.flip(files[c.random.IntN(len(files))])
	if os.IsNotExist(err) {
		err = nil // it has gone
	}
	return err
}
