package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
)

// verdict is the judgement of somebody who read a mutant that survived.
type verdict string

// The verdicts, all of which mean that no test is missing.
var verdicts = []verdict{"equivalent", "speed", "words"}

// readJudged reads the verdicts: a line each, with verdict, package, function, change and reason, separated by
// tabulators. Empty lines and lines that begin with # are skipped.
func readJudged(path string) (map[string]verdict, error) {
	judged := map[string]verdict{}
	err := eachLine(path, func(fields []string) error {
		if len(fields) != 5 || fields[4] == "" || !slices.Contains(verdicts, verdict(fields[0])) {
			return fmt.Errorf("want a verdict (%q), package, function, change and reason", verdicts)
		}
		judged[strings.Join(fields[1:4], "\t")] = verdict(fields[0])
		return nil
	})
	return judged, err
}

// readSurvivors reads the keys of survivors from an earlier output, nil without one.
func readSurvivors(path string) (map[string]bool, error) {
	if path == "" {
		return nil, nil
	}
	keys := map[string]bool{}
	err := eachLine(path, func(fields []string) error {
		if fields[0] == string(survived) && len(fields) >= 4 {
			keys[strings.Join(fields[1:4], "\t")] = true
		}
		return nil
	})
	return keys, err
}

// eachLine calls do with the fields of each line.
func eachLine(path string, do func(fields []string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		if line := lines.Text(); line != "" && line[0] != '#' {
			if err := do(strings.Split(line, "\t")); err != nil {
				return fmt.Errorf("%s:%d: %w", path, n, err)
			}
		}
	}
	return lines.Err()
}
