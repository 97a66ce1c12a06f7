// Package pattern has regular expressions that are compiled when they are first used, so that commands that do not need
// them start sooner.
package pattern

import (
	"regexp"
	"sync"
)

// Of returns a function that compiles an expression on its first call, as regexp.MustCompile does.
func Of(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
