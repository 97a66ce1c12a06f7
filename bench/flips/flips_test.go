package main

import (
	"os"
	"testing"
)

// A few bits of every kind; the program flips thousands.
func TestFlips(t *testing.T) {
	dir := "/dev/shm" // nothing here needs to survive
	if _, err := os.Stat(dir); err != nil {
		dir = t.TempDir()
	}
	table, err := run(dir, 56, 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range table {
		if row.flips != 8 || row.refused+row.harmless != row.flips || row.refused == 0 {
			t.Errorf("%+v", row)
		}
	}
}
