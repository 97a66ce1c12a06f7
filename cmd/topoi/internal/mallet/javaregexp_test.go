package mallet

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestFromJava(t *testing.T) {
	for java, want := range map[string]string{
		`\p{L}[\p{L}\p{P}]+\p{L}`:    `\p{L}[\p{L}\p{P}]+\p{L}`,
		`\p{Alpha}+`:                 `[[:alpha:]]+`,
		`[\p{Alpha}_]+`:              `[[:alpha:]_]+`,
		`\P{Alpha}`:                  `[^[:alpha:]]`,
		`[\P{Alnum}x]`:               `[[:^alnum:]x]`,
		`[\p{L}\p{javaLowerCase}-]+`: `[\p{L}\p{Ll}-]+`,
		`\p{IsAlphabetic}+`:          `[\p{L}\p{Nl}]+`,
		`\p{IsLatin}|\p{script=Han}`: `\p{Latin}|\p{Han}`,
		`\p{gc=Lu}\p{IsL}\pL`:        `\p{Lu}\p{L}\p{L}`,
		`[^\P{L}]`:                   `[^\P{L}]`,
		`\h+\[\p{Punct}\]`:           `[\t\p{Zs}]+\[[[:punct:]]\]`,
		`\S+`:                        `\S+`,
	} {
		got, err := fromJava(java)
		if err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", java, got, err, want)
		}
		if _, err := regexp.Compile(got); err != nil {
			t.Errorf("%s: %v", java, err)
		}
	}
	for java, want := range map[string]string{
		`\p{InGreek}`: "this character class is not supported", `[a-z&&[^b]]`: "write the class out",
		`[\P{IsAlphabetic}]`: "is not supported inside brackets",
	} {
		if _, err := fromJava(java); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", java, err, want)
		}
	}
}

// The names that both systems have mean the same characters, as Java's documentation lists them.
func TestJavaClasses(t *testing.T) {
	for name, want := range map[string]string{
		"Punct": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "Blank": " \t", "XDigit": "0123456789abcdefABCDEF", "Space": " \t\n\v\f\r",
	} {
		expression, _ := fromJava(`\p{` + name + `}`)
		class := regexp.MustCompile(expression)
		for c := range rune(256) {
			if class.MatchString(string(c)) != strings.ContainsRune(want, c) {
				t.Errorf("%s: %q", name, c)
			}
		}
	}
}

// The list is that of SMART without apostrophes: 523 words, sorted.
func TestSMARTWords(t *testing.T) {
	words := stopWords()
	if len(words) != 523 || !slices.IsSorted(words) || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "'") }) {
		t.Errorf("%d words", len(words))
	}
	for _, w := range strings.Fields("a able the which would yours zero x hello") {
		if !slices.Contains(words, w) {
			t.Errorf("%s is not a stop word", w)
		}
	}
}
