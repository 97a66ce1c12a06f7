package text

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"
)

// Korean puts spaces between words, but writes particles and endings without one behind them: 주식은, 주식을 and
// 주식에서는 are 주식 with three particles, and 발표했다 is 발표 with a form of "do". These are taken off by lists.
//
// A particle and the end of a word may look the same. Three things tell them apart. Most particles have one form after
// a vowel and another after a consonant, so 전문가 has no 가. Two syllables must remain, but for a few sure particles,
// so 마을 and 회의 stay whole. Some frequent words are listed.
//
// Of 14,517 nouns in KLUE-DP, whose morphemes people have marked, 91.3 % become the noun; 34.3 % are written so. The
// lists were made with these at hand. Of 13,189 nouns in UD Korean-GSD, which had no part in them, 91.6 % do, and
// 35.2 % are written so. bench/results/korean.txt says how to repeat that.

// syllable is the length in bytes of a Hangul syllable.
const syllable = 3

// The range of Hangul syllables. Each initial and vowel has 28 of them: one without and 27 with a final consonant.
const (
	firstSyllable = 0xAC00
	lastSyllable  = 0xD7A3
	finals        = 28
	finalRieul    = 8
)

// after describes what a particle may follow.
type after byte

const (
	anySound  after = 1 << iota
	consonant       // a final consonant
	vowel           // a syllable without one
	rieul           // ㄹ, which counts as a vowel before 로
)

// koreanLists holds the endings that are taken off Korean words, and exceptions.
type koreanLists struct {
	particles map[string]after // by what they follow
	forms     map[string]bool  // of 하다 and 되다, "do" and "become", which make a verb of a noun
	whole     map[string]bool  // words of three syllables or more that end like one of these
}

// koreanParts returns the lists. They are made when the first Korean word comes.
var koreanParts = sync.OnceValue(func() *koreanLists {
	list := make(map[string]after)
	for sound, words := range map[after]string{
		anySound: "의 에 도 만 에서 에게 께서 한테 까지 부터 보다 처럼 마다 조차 마저 밖에 만큼 대로 같이 하고 뿐 뿐만 " +
			"에는 에도 에만 에의 에야 에선 에까지 에서는 에서도 에서만 에서의 에서부터 에서까지 에서처럼 " +
			"에게는 에게도 에게만 에게서 에게로 에겐 께서는 께서도 한테는 한테도 한테서 하고는 하고도 " +
			"까지의 까지는 까지도 까지만 부터는 부터의 부터도 보다는 보다도 처럼은 만이 만은 만을 만의 만에 만으로 만으로는 만으로도 " +
			"만큼은 만큼의 마다의 대로의 뿐이다 뿐인 " +
			"이다 입니다 입니까 인데 이지만 이었다 이었던 이었으며 이었고 이었지만 이었습니다 이어서 이자 이라고 이라는 이라며 이라면 " +
			"이라도 이라서 이므로 이기도 이기에 이던 이든 이에요 이네요 이라 였습니다 였지만",
		consonant: "은 이 을 과 으로 이나 이랑 이나마 이야 이며 이고 이니 " +
			"으로는 으로도 으로의 으로만 으로서 으로써 으로부터 으로까지 으로서의 으로서는 으로써의 과는 과도 과의 과만",
		vowel:         "는 가 를 와 와는 와도 와의 와만 라는 라고 라며 라도 라서 였다 였던 였으며 였고 예요 네요",
		vowel | rieul: "로 로는 로도 로의 로만 로서 로써 로부터 로까지 로서의 로서는",
	} {
		for word := range strings.FieldsSeq(words) {
			list[word] |= sound
		}
	}
	return &koreanLists{list, setOfWords(koreanForms), setOfWords(koreanWords)}
})

func setOfWords(words string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

const (
	koreanForms = "하다 한다 합니다 했다 했습니다 하였다 하였습니다 하는 하고 하며 하면 하면서 하여 해 해서 해야 하기 하기로 하기도 하기에 " +
		"하게 하지 한 할 할지 하던 했던 했고 했으며 했지만 했으나 하려 하려고 하려는 하겠다 하겠다고 하겠습니다 한다고 한다는 " +
		"한다면 했다고 했다는 하라 하라고 하자 하자는 하도록 하거나 하였고 하였으며 하였던 하지만 하지는 하지도 해도 해왔다 한데 " +
		"하는데 했는데 하니 했을 하였을 함으로써 하고서 하자고 하느라 하므로 하세요 하신 하실 하시는 하시고 하셨다 해요 했어요 " +
		"하네요 했네요 해주는 해준 해줘 해주고 되다 된다 됩니다 됐다 됐습니다 되었다 되었습니다 되는 되고 되며 되면 되면서 되어 돼 " +
		"되어서 돼서 되어야 돼야 되기 되기도 되게 되지 된 될 될지 되던 됐던 되었던 됐고 되었고 됐으며 되었으며 됐지만 되었지만 " +
		"된다고 된다는 된다면 됐다고 됐다는 되도록 되거나 되지만 되지는 되는데 됐는데 되었는데 되니 됐을 되었을 되므로 되자 되어도 " +
		"돼도 시키다 시킨다 시켰다 시키는 시키고 시키며 시키기 시켜 시킨 시킬 시켰으며 시켰던 시키지 시키면 시켜서 시키려 시키려는 " +
		"당하다 당한다 당했다 당하는 당하고 당하며 당한 당할 당해 당했던 당했으며 당했고 스럽다 스러운 스럽게 스럽고 스러웠다 스러워 " +
		"스러웠던 롭다 롭게 롭고"
	koreanWords = "고양이 호랑이 어린이 젊은이 늙은이 원숭이 달팽이 지팡이 떡볶이 손잡이 목걸이 귀걸이 곰팡이 꼬맹이 멍멍이 개구쟁이 소금쟁이 " +
		"고속도로 국무회의 본회의 전체회의 정상회의 안보회의 최고위원회의 간부회의 대책회의 지난해 남북한 무제한 북극해 지중해 카리브해 " +
		"이스라엘 아프가니스탄 제주도 경기도 강원도 충청도 전라도 경상도 충청남도 충청북도 전라남도 전라북도 경상남도 경상북도 한반도"
)

// koreanIsm makes names of doctrines, 민주주의, and looks as if it had a particle.
const koreanIsm = "주의"

// korean appends the words of a run of Hangul, which is in the arena. numbered says that the run follows a number, and
// counters are no words there.
func (p *segmenter) korean(dst [][]byte, run []byte, numbered bool) [][]byte {
	for len(run) > 0 {
		n := syllables(run)
		if n > 0 {
			dst = p.koreanWord(dst, run[:n:n], numbered)
		} else {
			n = len(run) - len(trimLetters(run))
			dst = p.pairs(dst, run[:n:n])
		}
		run, numbered = run[n:], false
	}
	return dst
}

// koreanWord appends a word of whole syllables without its particles. Words of one syllable are kept unless
// Options.MinLength is set: 물, 방 and 맛 are water, room and taste.
func (p *segmenter) koreanWord(dst [][]byte, word []byte, numbered bool) [][]byte {
	if p.listsOf(word) == 0 { // else the list says what this form means
		word = koreanStem(word)
	}
	if numbered && len(bytes.Trim(word, counters)) == 0 {
		return dst
	}
	if n := len(word) / syllable; n < p.options.MinLength || n > p.max {
		return dst
	}
	return p.accept(dst, word)
}

// koreanStem returns the part of a word before its particles, and before the plural in front of these.
func koreanStem(word []byte) []byte {
	if koreanParts().whole[string(word)] {
		return word
	}
	word = word[:len(word)-koreanEnding(word)]
	if stem, plural := bytes.CutSuffix(word, []byte("들")); plural && len(stem) >= 2*syllable {
		word = stem
	}
	if stem, found := bytes.CutSuffix(word, []byte("적인")); found && len(stem) >= 2*syllable {
		word = word[:len(word)-syllable]
	}
	return word
}

// longestEnding is the number of syllables of the longest particle or form.
const longestEnding = 5

// surely lists particles that are taken off even if one syllable remains: 99 of 100 such words in KLUE-DP are a noun
// with a particle. Longer particles are sure if they begin with a syllable of surelyLonger.
const (
	surely       = "을를은는에"
	surelyLonger = "에까부처으마께한"
)

// isSure reports whether an ending is taken off even if one syllable remains.
func isSure(ending string) bool {
	if len(ending) == syllable {
		return strings.Contains(surely, ending)
	}
	return strings.Contains(surelyLonger, ending[:syllable]) && !koreanParts().forms[ending]
}

// koreanEnding returns the length in bytes of the longest particle or form at the end of a word, or 0.
func koreanEnding(word []byte) int {
	if len(word) > len(koreanIsm) && strings.HasSuffix(string(word), koreanIsm) {
		return 0
	}
	for n := min(longestEnding*syllable, len(word)-syllable); n > 0; n -= syllable {
		ending, rest := string(word[len(word)-n:]), word[:len(word)-n]
		if len(rest) == syllable && !isSure(ending) {
			continue
		}
		if lists := koreanParts(); lists.forms[ending] || lists.particles[ending]&soundOf(rest) != 0 {
			return n
		}
	}
	return 0
}

// soundOf returns what kinds of particles may follow a word.
func soundOf(word []byte) after {
	r, _ := utf8.DecodeLastRune(word)
	switch (r - firstSyllable) % finals {
	case 0:
		return anySound | vowel
	case finalRieul:
		return anySound | consonant | rieul
	}
	return anySound | consonant
}

// syllables returns the length in bytes of the Hangul syllables that run begins with.
func syllables(run []byte) int {
	n := 0
	for n < len(run) {
		r, _ := utf8.DecodeRune(run[n:])
		if r < firstSyllable || r > lastSyllable {
			break
		}
		n += syllable
	}
	return n
}

// trimLetters cuts off the single letters that run begins with, such as those of laughter.
func trimLetters(run []byte) []byte {
	for len(run) > 0 && syllables(run) == 0 {
		run = run[nextCharacter(run):]
	}
	return run
}
