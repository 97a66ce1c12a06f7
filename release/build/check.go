package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// checkTarget builds a target of the last commit twice, in directories of different names, and
// compares what comes out: archive, bill of materials and, if python is not empty, wheel.
func checkTarget(name, python string) error {
	list, err := chooseTargets(name)
	if err != nil {
		return err
	}
	var made [2]map[string][]byte
	for i, dir := range []string{"first", "the second directory"} {
		if made[i], err = makeAside(dir, list[0], python); err != nil {
			return err
		}
	}
	for file, data := range made[0] {
		if !bytes.Equal(data, made[1][file]) {
			return fmt.Errorf("%s: two builds of one commit differ", file)
		}
	}
	fmt.Printf("%s: two builds are the same\n", name)
	return nil
}

// makeAside builds a target in a clone of this repository, and returns its files by name.
func makeAside(dir string, t target, python string) (map[string][]byte, error) {
	parent, err := os.MkdirTemp("", "topoi-release-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(parent)
	root := filepath.Join(parent, dir)
	if _, err := git(".", "clone", "--quiet", "--local", ".", root); err != nil {
		return nil, err
	}
	r, err := newRelease(root)
	if err != nil {
		return nil, err
	}
	r.out = parent
	if err := r.make(t); err != nil {
		return nil, err
	}
	if python != "" {
		if err := r.wheel(t, python); err != nil {
			return nil, err
		}
	}
	files := make(map[string][]byte)
	entries, err := os.ReadDir(parent)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		if files[e.Name()], err = os.ReadFile(filepath.Join(parent, e.Name())); err != nil {
			return nil, err
		}
	}
	return files, nil
}
