package human

import "strings"

// OneOf lists names for a sentence: "csv, tsv or xlsx".
func OneOf(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
