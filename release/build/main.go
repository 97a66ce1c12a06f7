// Command build makes the files of a release: the program for every system, packed with
// its licence, wheels of the Python package, a bill of materials for each program and
// checksums of everything. The same commit and the same Go give the same bytes,
// wherever they are built: docs/internals/releasing.md says how to compare.
//
//	go run ./release/build -o dist
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	fs := flag.NewFlagSet("build", flag.ContinueOnError)
	out := fs.String("o", "dist", "`directory` for the files; it must not exist")
	names := fs.String("targets", "", "comma-separated `names` of targets (default all: "+strings.Join(targetNames(), ", ")+")")
	python := fs.String("python", "python3", "`program` of Python that has the module hatchling, for wheels")
	wheels := fs.Bool("wheels", true, "build wheels, if there is a Python package")
	if err := fs.Parse(args); err != nil || fs.NArg() > 0 {
		return errors.Join(err, unexpected(fs.Args()))
	}
	if !*wheels {
		*python = ""
	}
	targets, err := chooseTargets(*names)
	if err != nil {
		return err
	}
	r, err := newRelease(".")
	if err != nil {
		return err
	}
	if err := os.Mkdir(*out, 0o755); err != nil {
		return err
	}
	if r.out, err = filepath.Abs(*out); err != nil {
		return err
	}
	for _, t := range targets {
		if err := r.make(t); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		if *python != "" {
			if err := r.wheel(t, *python); err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
		}
	}
	return writeSums(r.out)
}

func unexpected(args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%q is no flag: see -h", args[0])
}
