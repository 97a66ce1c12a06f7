package text

import (
	"unicode"
	"unicode/utf8"
)

// unspacedScripts are the scripts whose words only a dictionary can tell apart, with what people call them.
var unspacedScripts = []struct {
	name  string
	table *unicode.RangeTable
}{
	{"Thai", unicode.Thai}, {"Lao", unicode.Lao}, {"Khmer", unicode.Khmer}, {"Burmese", unicode.Myanmar},
}

// unspacedShare is the share of letters in such a script from which a sample is taken to be in it.
const unspacedShare = 0.3

// scriptCount counts the letters of a sample in scripts that write no spaces.
type scriptCount struct {
	letters int
	of      [4]int // by the order of unspacedScripts
}

// add counts the letters of a document.
func (c *scriptCount) add(doc []byte) {
	for len(doc) > 0 {
		if doc[0] < utf8.RuneSelf {
			if letter := doc[0] | 0x20; letter >= 'a' && letter <= 'z' {
				c.letters++
			}
			doc = doc[1:]
			continue
		}
		r, n := utf8.DecodeRune(doc)
		doc = doc[n:]
		if !unicode.IsLetter(r) {
			continue
		}
		c.letters++
		if scriptOf(r) != unspaced {
			continue
		}
		for i, s := range unspacedScripts {
			if unicode.Is(s.table, r) {
				c.of[i]++
			}
		}
	}
}

// most returns the name of the script in which a considerable part of the sample is, or "".
func (c *scriptCount) most() string {
	best := 0
	for i, n := range c.of {
		if n > c.of[best] {
			best = i
		}
	}
	if float64(c.of[best]) < unspacedShare*float64(c.letters) || c.of[best] == 0 {
		return ""
	}
	return unspacedScripts[best].name
}
