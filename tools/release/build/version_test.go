package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// One file has the version, and all others agree.
func TestOneVersion(t *testing.T) {
	read := func(name string) string {
		t.Helper()
		data, err := os.ReadFile(filepath.Join("../../..", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	version := strings.TrimSpace(read("cmd/topoi/VERSION"))
	for file, pattern := range map[string]string{
		"CHANGELOG.md":            `(?m)^## (\S+)`,
		"CITATION.cff":            `(?m)^version: (\S+)$`,
		"r/DESCRIPTION":           `(?m)^Version: (\S+)$`,
		"python/hatch_version.py": `else "([^"]+)"`,
		"docs/install.md":         `topoi-v(\d[^-]*)-linux-amd64`,
	} {
		found := regexp.MustCompile(pattern).FindStringSubmatch(read(file))
		if found == nil || found[1] != version {
			t.Errorf("%s: the version is %q, and cmd/topoi/VERSION has %s", file, found, version)
		}
	}
}
