// Command kernels compiles vector kernels from C to Go assembly.
//
//	go run ./tools/kernels [-check] DIR …
//
// DIR is the folder of a Go package with a folder kernel of C files. Every function that the package declares without
// a body, and whose name ends in NEON (on arm64), AVX2 or AVX512 (on amd64), is looked for in these files under the
// name without that end. What is found goes into kernels_arm64.s, kernels_avx2_amd64.s and kernels_avx512_amd64.s of
// DIR. A function that the C files lack must be in assembly written by hand.
//
// The C files include go.h, which is made from the Go declarations: the functions' prototypes, the structures that they
// take and the numeric constants of the package. So neither side can change without the other. A kernel may not call
// anything, and takes numbers and pointers; it returns nothing or one number.
//
// Every file begins with the version of the compiler and with a hash of all that it was made from. With -check nothing
// is written or compiled: it fails where the hash is another one. Otherwise it needs clang-19.
package main

import (
	"crypto/sha256"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

//go:embed vector.h
var vectors string

func main() {
	check := flag.Bool("check", false, "write nothing, and fail where a file is made from other sources")
	listing := flag.String("listing", "", "write nothing, and print what the compiler makes for `NEON`, AVX2 or AVX512")
	flag.Parse()
	for _, dir := range flag.Args() {
		var err error
		if *listing != "" {
			err = list(dir, *listing)
		} else {
			err = generate(dir, *check)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "kernels: %s: %v\n", dir, err)
			os.Exit(1)
		}
	}
}

// list prints the compiler's assembly of all kernels, for a person or for an analyser to read.
func list(dir, suffix string) error {
	sources, err := filepath.Glob(filepath.Join(dir, "kernel", "*.c"))
	if err != nil {
		return err
	}
	// The kernels are the same for every target, and so are the declarations; some package has them for one only.
	var d *declared
	for _, t := range targets {
		if d, err = declarations(dir, sources, t); err != nil {
			return err
		}
		if len(d.functions) > 0 {
			break
		}
	}
	for _, t := range targets {
		for _, source := range sources {
			if t.suffix != suffix {
				continue
			}
			text, _, err := listingOf(source, d.header, t)
			if err != nil {
				return err
			}
			fmt.Printf("%s", text)
		}
	}
	return nil
}

// generate makes the assembly of one package, for all targets.
func generate(dir string, check bool) error {
	sources, err := filepath.Glob(filepath.Join(dir, "kernel", "*.c"))
	if err != nil {
		return err
	}
	if len(sources) == 0 {
		return fmt.Errorf("there is no C file in its folder kernel")
	}
	for _, t := range targets {
		d, err := declarations(dir, sources, t)
		if err != nil {
			return fmt.Errorf("%s: %w", t.suffix, err)
		}
		path := filepath.Join(dir, t.file)
		if len(d.functions) == 0 {
			if err := absent(path, check); err != nil {
				return err
			}
			continue
		}
		sum, err := hash(d, sources, t)
		if err != nil {
			return err
		}
		if check {
			err = fresh(path, sum)
		} else {
			err = write(path, d, sources, t, sum)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.suffix, err)
		}
	}
	return nil
}

// hash is the hash of everything that a file is made from, but for the compiler.
func hash(d *declared, sources []string, t target) (string, error) {
	sum := sha256.New()
	fmt.Fprintln(sum, common, t.flags, len(d.header), len(vectors))
	io.WriteString(sum, d.header+vectors)
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(sum, filepath.Base(source), len(text))
		sum.Write(text)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:16]), nil
}

// head begins a file: the version of the compiler and the hash.
const head = "// Code generated from kernel/*.c by tools/kernels with clang %s; sources %s. DO NOT EDIT.\n\n"

// fresh looks whether a file was made from sources of a hash.
func fresh(path, sum string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	if !strings.Contains(line, "; sources "+sum+".") {
		return fmt.Errorf("%s is not made from the present sources: run go generate in %s, and commit the file",
			filepath.Base(path), filepath.Dir(path))
	}
	return nil
}

// write compiles the kernels and writes the file, unless it is the same already.
func write(path string, d *declared, sources []string, t target, sum string) error {
	version, err := compilerVersion()
	if err != nil {
		return err
	}
	text, err := assembly(d, sources, t)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(fmt.Appendf(nil, head, version, sum), text...), 0o644)
}

// absent removes a file that no function needs any more.
func absent(path string, check bool) error {
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	if check {
		return fmt.Errorf("no function of Go needs %s any more: run go generate in %s", filepath.Base(path),
			filepath.Dir(path))
	}
	return os.Remove(path)
}
