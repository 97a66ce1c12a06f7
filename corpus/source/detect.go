package source

import (
	"bytes"
	"path/filepath"
	"strings"
)

// Detect guesses the format of an input from its name and the first bytes of
// its content, decompressed: 64 KiB are enough, fewer only if the input is
// shorter. It returns a name of Formats; what looks like nothing in particular
// is "lines".
func Detect(name string, head []byte) string {
	lines := headLines(head)
	switch strings.ToLower(filepath.Ext(plainName(name))) {
	case ".csv":
		return "csv"
	case ".tsv", ".tab":
		return tabbed(lines)
	}
	return byContent(lines)
}

// detect guesses the format of one of n inputs; head is nil for a directory.
func detect(path string, head []byte, n int) (string, error) {
	if head == nil {
		return "text", nil
	}
	if bytes.HasPrefix(head, []byte("\xac\xed\x00\x05")) {
		e := &Error{File: displayName(path), Msg: "this is a Java object stream, as MALLET's binary .mallet files are, which only MALLET reads"}
		return "", e.hint("give the text that it was made from, or the state.gz that MALLET writes with --output-state")
	}
	f := Detect(path, head)
	if f == "lines" && n > 1 && strings.EqualFold(filepath.Ext(plainName(path)), ".txt") {
		f = "text"
	}
	return f, nil
}

// byContent recognises formats by the shape of their first lines.
func byContent(lines [][]byte) string {
	switch {
	case isUCI(lines):
		return "uci"
	case minTabs(lines) > 0:
		return tabbed(lines)
	case len(lines) > 1 && isHeader(bytes.Split(lines[0], []byte(",")), &Options{}) && bytes.IndexByte(lines[0], ',') > 0:
		return "csv"
	}
	return "lines"
}

// headLines returns the complete lines of head that are not blank, at most 50.
// A cut-off line is dropped unless it is the only one.
func headLines(head []byte) [][]byte {
	var lines [][]byte
	whole := len(head) < headSize-len(bom)
	for len(head) > 0 && len(lines) < 50 {
		line, rest, ended := bytes.Cut(head, []byte("\n"))
		if !ended && !whole && len(lines) > 0 {
			break
		}
		head = rest
		if len(bytes.TrimSpace(line)) > 0 {
			lines = append(lines, trimCR(line))
		}
	}
	return lines
}

// isUCI tells whether three lines hold one number each and the fourth, if
// there is one, three.
func isUCI(lines [][]byte) bool {
	if len(lines) < 3 {
		return false
	}
	for _, l := range lines[:3] {
		if len(bytes.Fields(l)) != 1 || !allNumbers(l) {
			return false
		}
	}
	return len(lines) == 3 || len(bytes.Fields(lines[3])) == 3 && allNumbers(lines[3])
}

// allNumbers reports whether all words of a line are whole numbers.
func allNumbers(line []byte) bool {
	for _, f := range bytes.Fields(line) {
		if bytes.IndexFunc(f, notDigit) >= 0 {
			return false
		}
	}
	return true
}

// minTabs returns the smallest number of tabs in a line.
func minTabs(lines [][]byte) int {
	least := 0
	for i, l := range lines {
		if n := bytes.Count(l, []byte("\t")); i == 0 || n < least {
			least = n
		}
	}
	return least
}

// tabbed tells the formats with tabs apart: a header or a number of columns
// other than three makes tsv, three columns make MALLET lines.
func tabbed(lines [][]byte) string {
	if len(lines) == 0 || isHeader(bytes.Split(lines[0], []byte("\t")), &Options{}) || minTabs(lines) != 2 {
		return "tsv"
	}
	return "mallet"
}
