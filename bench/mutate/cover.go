package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// coverage holds the lines that tests reach, by the base name of files.
type coverage map[string][]block

// block is a run of statements.
type block struct {
	line, column       int
	endLine, endColumn int
	count              int
}

// readCoverage reads the profile that a test run writes.
func readCoverage(path string) (coverage, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	c := coverage{}
	lines := bufio.NewScanner(file)
	lines.Scan() // the mode
	for lines.Scan() {
		name, rest, _ := strings.Cut(filepath.Base(lines.Text()), ":")
		var b block
		var statements int
		_, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &b.line, &b.column, &b.endLine, &b.endColumn, &statements,
			&b.count)
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", path, lines.Text(), err)
		}
		c[name] = append(c[name], b)
	}
	return c, lines.Err()
}

// has reports whether tests come to the place of a mutant. Places outside of statements count as reached.
func (c coverage) has(m *mutant) bool {
	known := false
	for _, b := range c[filepath.Base(m.file)] {
		if before(b.line, b.column, m) && !before(b.endLine, b.endColumn, m) {
			known = true
			if b.count > 0 {
				return true
			}
		}
	}
	return !known
}

// before reports whether a place is not after that of a mutant.
func before(line, column int, m *mutant) bool {
	return line < m.at.Line || line == m.at.Line && column <= m.at.Column
}
