package input

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// candidate is an encoding that text may turn out to have. Text that was decoded rightly consists to a good part of
// the letters that its languages use most; decoded wrongly it does not.
type candidate struct {
	name string
	encoding.Encoding
	common string  // letters and signs to be met, other than ASCII
	least  float64 // their share of all characters other than ASCII
	runs   bool    // whether such characters stand beside each other, as in other scripts than Latin
}

const (
	signs    = "’‘“”„–—…•«»°§£€®©´¿¡ºª·™"
	western  = "äöüßÄÖÜéèêëàâçîïôûùœæåøñáíóúãõòìÉÈÀÇÅØÑ" + signs
	central  = "ąćęłńóśźżŁŚŻáčďéěíňřšťúůýžČŠŽŘőűöüäÁÉÖÜăâîşţ" + signs
	cyrillic = "оеаинтсрвлі"
	kana     = "のにはをたがでてとしれさるいかなもっんくり、。ー"
)

var candidates = []candidate{
	{"windows-1252", charmap.Windows1252, western + "\u00a0", 0.8, false},
	{"macintosh", charmap.Macintosh, western, 0.8, false},
	{"cp850", charmap.CodePage850, western, 0.8, false},
	{"windows-1250", charmap.Windows1250, central, 0.8, false},
	{"iso-8859-2", charmap.ISO8859_2, central, 0.8, false},
	{"windows-1251", charmap.Windows1251, cyrillic, 0.45, true},
	{"koi8-r", charmap.KOI8R, cyrillic, 0.45, true},
	{"cp866", charmap.CodePage866, cyrillic, 0.45, true},
	{"iso-8859-5", charmap.ISO8859_5, cyrillic, 0.45, true},
	{"gb18030", simplifiedchinese.GB18030, "的一是不了在人有我他这中大来上个国和也子时道说出会年发学市公司月日新工作为家成报对生", 0.04, true},
	{"big5", traditionalchinese.Big5, "的一是不了在人有我他這中大來上個國和也子時道說出會年發學市公司月日新工作為家成報對生", 0.04, true},
	{"shift_jis", japanese.ShiftJIS, kana, 0.25, true},
	{"euc-jp", japanese.EUCJP, kana, 0.25, true},
	{"euc-kr", korean.EUCKR, "이다의는에을가하고한은를지로서도기사인대", 0.1, true},
}

// looksUTF8 tells whether text is UTF-8, perhaps with some damage: most of what is not ASCII forms whole characters.
// In other encodings that happens by accident only. cut means that text goes on behind the window.
func looksUTF8(window []byte, cut bool) bool {
	whole, broken := 0, 0
	for i := 0; i < len(window); {
		r, size := utf8.DecodeRune(window[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			if !cut || utf8.FullRune(window[i:]) {
				broken++
			}
		case size > 1:
			whole++
		}
		i += size
	}
	return broken == 0 || whole > broken
}

// guessEncoding returns the candidate that makes the best sense of text, or nil.
func guessEncoding(window []byte, cut bool) *candidate {
	runs := shareInRuns(window)
	var best *candidate
	sense := 1.0
	for i := range candidates {
		c := &candidates[i]
		if c.runs && runs < 0.4 || !c.runs && runs > 0.7 {
			continue
		}
		if s := c.share(window, cut) / c.least; s > sense || s == sense && best == nil {
			best, sense = c, s
		}
	}
	return best
}

// share returns the share of common characters in the decoded text, 0 if more than one in 200 is no character.
func (c *candidate) share(window []byte, cut bool) float64 {
	text, err := c.NewDecoder().Bytes(window)
	if err != nil {
		return 0
	}
	common, broken, all := 0, 0, 0
	last := rune(0)
	for i, r := range string(text) {
		before := last
		last = r
		switch {
		case r < utf8.RuneSelf:
			continue
		case r == utf8.RuneError && cut && i >= len(text)-2*utf8.UTFMax:
			continue // a character that the window cuts
		case r == utf8.RuneError || unicode.IsControl(r):
			broken++
		case unicode.IsUpper(r) && unicode.IsLower(before):
			// No capital stands inside of a word, so this is another letter.
		case strings.ContainsRune(c.common, r):
			common++
		}
		all++
	}
	if 200*broken > all {
		return 0
	}
	return float64(common) / float64(max(1, all))
}

// shareInRuns returns the share of bytes other than ASCII that stand beside one.
func shareInRuns(window []byte) float64 {
	beside, all := 0, 0
	high := func(i int) bool { return i >= 0 && i < len(window) && window[i] >= utf8.RuneSelf }
	for i := range window {
		if high(i) {
			all++
			if high(i-1) || high(i+1) {
				beside++
			}
		}
	}
	return float64(beside) / float64(max(1, all))
}
