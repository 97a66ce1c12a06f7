// Package scripts holds the scripts that change the small keys of a job: in Lua for Redis and Valkey, and by name for
// package innerstore, which has the same as functions.
package scripts

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed scripts.lua
var file string

// Text returns the script of the given name. Its callers name it in their sources, so it panics if there is none.
func Text(name string) string {
	_, text, found := strings.Cut(file, "\n-- "+name+": ")
	if !found {
		panic(fmt.Sprintf("scripts.lua has no script %s", name))
	}
	text, _, _ = strings.Cut(text, "\n\n")
	return "-- " + name + ": " + text
}

// Names returns the names of all scripts. Blank lines separate scripts, whose comments begin with their names.
func Names() (names []string) {
	for _, text := range strings.Split(file, "\n\n")[1:] {
		name, _, _ := strings.Cut(strings.TrimPrefix(text, "-- "), ": ")
		names = append(names, name)
	}
	return names
}
