package roles

import (
	"strings"
	"testing"
)

// The end of a name counts, however long the name is: questions of surveys are names too.
func TestLongNames(t *testing.T) {
	question := strings.Repeat("what was it like ", 1000)
	for name, want := range map[string]Role{
		"headline text": Text, question + "text": Text, question + "timestamp": Time, question + "Timestamp": Time,
		question: Count, strings.Repeat("x", 10_000) + "text": Count,
	} {
		if got, exact := Best(name); got != want || exact {
			t.Errorf("…%s is %d, %v; want %d", name[max(0, len(name)-20):], got, exact, want)
		}
	}
	for longest := range known()[Time] { // any listed name, those as long as the longest included
		if got, _ := Best(question + longest); longest != "name" && named(Plain(question+longest), Time) != endOfName {
			t.Errorf("a question that ends in %s is %d", longest, got)
		}
	}
}
