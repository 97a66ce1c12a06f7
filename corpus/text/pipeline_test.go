package text

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// Every script, with nothing dropped: how text is normalised and cut.
func TestWords(t *testing.T) {
	p := mustNew(t, everything)
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"spaces", " \t\r\n\v\f ", ""},
		{"punctuation", "-- ... !? /", ""},
		{"accents", "Café Été naïve coöperate", "café été naïve coöperate"},
		{"decomposed accents", "Cafe\u0301", "café"},
		{"vietnamese", "Tiếng Việt", "tiếng việt"},
		{"final sigma", "ΛΌΓΟΣ λόγος Σίσυφος σ", "λόγος λόγος σίσυφος σ"},
		{"dotted capital i", "ISPARTA İstanbul ılık", "isparta istanbul ılık"},
		{"sharp s", "Straße STRASSE STRAẞE", "straße strasse straße"},
		{"cyrillic", "Ёлка и ЙОГУРТ", "ёлка и йогурт"},
		{"armenian", "ՀԱՅԵՐԵՆ", "հայերեն"},
		{"georgian", "ქართული", "ქართული"},
		{"arabic vowels and tatweel", "السَّلَامُ العـــربية", "السلام العربية"},
		{"arabic ligature", "ﷺ", "صلى الله عليه وسلم"},
		{"persian joiner", "می\u200cخواهم\u200c کتاب", "می\u200cخواهم کتاب"},
		{"hebrew points", "שָׁלוֹם עולם", "שלום עולם"},
		{"hebrew acronym", "צה\"ל", "צה\"ל"},
		{"hindi marks", "हिन्दी में किताबें", "हिन्दी में किताबें"},
		{"tamil", "தமிழ்", "தமிழ்"},
		{"amharic", "አማርኛ ቋንቋ", "አማርኛ ቋንቋ"},
		{"thai is not divided", "ภาษาไทย ๑๒๓", "ภาษาไทย ๑๒๓"},
		{"thai and lao vowels stay whole", "น้ำทำ ຄຳ", "น้ำทำ ຄຳ"},
		{"khmer, burmese, lao", "ភាសាខ្មែរ မြန်မာ ລາວ", "ភាសាខ្មែរ မြန်မာ ລາວ"},
		{"chinese pairs", "中国经济。股", "中国 国经 经济 股"},
		{"chinese after a number", "2024年增长5万元", "2024 年 增长 5 万 元"},
		{"chinese beside latin", "A股ETF基金", "a 股 etf 基金"},
		{"japanese", "東京タワーへ行きました", "東京 タワー へ 行 きま まし した"},
		{"hiragana with long vowel", "らーめん", "らー ーめ めん"},
		{"half-width katakana", "ｶﾞｽ", "ガス"},
		{"korean", "학교에서 abc한글", "학교 교에 에서 abc 한글"},
		{"decomposed korean", "한글", "한글"},
		{"supplementary han", "𠮷野家", "𠮷野 野家"},
		{"emoji", "👍🏽 yes 👨\u200d👩\u200d👧 ❤️", "yes"},
		{"mixed", "Kafka読む2回été", "kafka 読 む 2 回 été"},
		{"contractions", "don't DON’T rock'n'roll O'Brien", "don't don't rock'n'roll o'brien"},
		{"possessives", "dog's DOG’S dogs' it's", "dog dog dogs it"},
		{"quotes", "'a' ‘b’ “c” «d» \"e\"", "a b c d e"},
		{"elision needs its language", "l'homme", "l'homme"},
		{"hyphens", "state-of-the-art a—b", "state of the art a b"},
		{"soft hyphen", "co\u00ADoperate", "cooperate"},
		{"underscores", "foo_bar __init__ _ ‿x‿", "foo_bar init x"},
		{"address", "https://www.example.com/a?q=1", "https www.example.com a q 1"},
		{"mail address", "joe.smith@mail.example.org", "joe.smith mail.example.org"},
		{"numbers", "1984 3.14 1,000 h2o 2nd", "1984 3.14 1,000 h2o 2nd"},
		{"abbreviations", "U.S. e.g. a.m.", "u.s e.g a.m"},
		{"colon", "note:this 12:30", "note this 12 30"},
		{"compatibility forms", "ﬁne ＡＢＣ ① ² Ⅳ ㎏", "fine abc 1 2 iv kg"},
		{"exotic spaces", "a\u00A0b\u3000c\u2028d\u0085e\u200Bf", "a b c d e f"},
		{"byte order mark", "\uFEFFfirst", "first"},
		{"direction marks", "\u202Bab\u200Fc\u202C", "abc"},
		{"bytes that are not UTF-8", "a\xffb \xc3 \xed\xa0\x80z", "a b z"},
		{"NUL", "a\x00b", "a b"},
	} {
		if got := strings.Join(tokens(p, c.text), " "); got != c.want {
			t.Errorf("%s: %q: got %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

// What each option changes.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name    string
		options Options
		text    string
		want    string
	}{
		{"default drops stop words, numbers, single letters", Options{}, "The 3 rivers of a TV show in 1984, don't you know, x", "rivers tv show"},
		{"default knows Chinese", Options{}, "我们已经看到2024年中国的经济增长", "看到 中国 经济 增长"},
		{"pairs of Chinese", Options{CJK: cjkBigrams}, "我们已经看到2024年中国的经济增长", "经看 看到 中国 经济 济增 增长"},
		{"default leaves German alone", Options{}, "der Hund und die Katze", "der hund und die katze"},
		{"german", Options{Languages: []string{"de"}}, "Der Hund und die Katze, daß", "hund katze"},
		{"by name in any case", Options{Languages: []string{"German"}}, "der Hund und die Katze", "hund katze"},
		{"two languages", Options{Languages: []string{"en", "de"}}, "the dog und die Katze", "dog katze"},
		{"french", Options{Languages: []string{"fr"}}, "L’État, c'est l'homme qu'il aime aujourd'hui", "état homme aime"},
		{"italian", Options{Languages: []string{"it"}}, "la storia dell'arte", "storia arte"},
		{"greek", Options{Languages: []string{"el"}}, "Ο ΛΌΓΟΣ της ημέρας είναι ΕΙΝΑΙ", "λόγος ημέρας"},
		{"turkish", Options{Languages: []string{"tr"}}, "ISPARTA ve İstanbul", "ısparta istanbul"},
		{"russian", Options{Languages: []string{"ru"}}, "Я не знаю, что было в лесу", "знаю лесу"},
		{"arabic", Options{Languages: []string{"ar"}}, "ذهب الولد إلى المدرسة", "ذهب الولد المدرسة"},
		{"persian, whatever the keyboard", Options{Languages: []string{"fa"}}, "آن كتاب براي من است و این کتاب", "کتاب کتاب"},
		{"romanian, comma and cedilla", Options{Languages: []string{"ro"}}, "și aceşti aceștia munții", "munții"},
		{"stem romanian", Options{Languages: []string{"ro"}, Stem: true}, "frumoaşe frumoașe națiunilor naţiunilor", "frumoaș frumoaș națiun națiun"},
		{"hindi", Options{Languages: []string{"hi"}}, "यह किताब और वह शहर", "किताब शहर"},
		{"japanese", Options{Languages: []string{"ja"}}, "猫が東京へ行きました", "猫 東京 行"},
		{"korean", Options{Languages: []string{"ko"}}, "학교에서 있습니다", "학교"},
		{"none", Options{Languages: []string{"none"}}, "the cat", "the cat"},
		{"auto, english", Options{Languages: []string{"auto"}}, "the die of the machine is in the box", "die machine box"},
		{"auto, german", Options{Languages: []string{"auto"}}, "die Katze ist in der Maschine und das Haus", "katze maschine haus"},
		{"auto beside a language", Options{Languages: []string{"auto", "fr"}}, "le but de la war", "but war"},
		{"auto beside a language, a document in another", Options{Languages: []string{"auto", "fr"}}, "the die of the machine is in the box and that is not what it was for me", "die machine box"},
		{"auto beside a language, stems", Options{Languages: []string{"auto", "fr"}, Stem: true}, "les chevaux de la prairie", "cheval prair"},
		{"a word of Danish is no Danish", Options{Languages: []string{"auto", "en"}}, "dog dog dog dog dog dog dog dog leash", "dog dog dog dog dog dog dog dog leash"},
		{"first edition", Options{Languages: []string{"ru"}, Edition: 1}, "это знаю", "это знаю"},
		{"second edition", Options{Languages: []string{"ru"}}, "это ещё знаю", "знаю"},
		{"auto, no evidence", Options{Languages: []string{"auto"}}, "xylophone quartz", "xylophone quartz"},
		{"own stop words", Options{StopWords: []string{"RIVER", "café"}}, "River Cafe\u0301 stone", "stone"},
		{"own stop words without a language", Options{Languages: []string{"none"}, StopWords: []string{"b"}}, "the aa b", "the aa"},
		{"stem", Options{Stem: true}, "running dogs jumping 经济", "run dog jump 经济"},
		{"stem german", Options{Languages: []string{"de"}, Stem: true}, "Häuser und Hunde", "haus hund"},
		{"stem auto", Options{Languages: []string{"auto"}, Stem: true}, "les chevaux sont dans les prairies", "cheval prair"},
		{"stem by guess among two", Options{Languages: []string{"en", "fr"}, Stem: true}, "les chevaux sont dans les prairies", "cheval prair"},
		{"minimum length", Options{MinLength: 4}, "cat horse élan âne", "horse élan"},
		{"maximum length", Options{MaxLength: 4}, "bear horse élan", "bear élan"},
		{"default maximum", Options{}, strings.Repeat("a", 64) + " " + strings.Repeat("b", 65), strings.Repeat("a", 64)},
		{"strip accents", Options{StripAccents: true}, "Café ΛΌΓΟΣ Việt йод हिन्दी", "cafe λογος viet йод हिन्दी"},
		{"keep numbers", Options{KeepNumbers: true}, "in 1984 we paid 3.14", "1984 paid 3.14"},
		{"cjk words", Options{CJK: cjkWords}, "中国 经济增长", "中国 经济增长"},
		{"expression", Options{TokenRegexp: `\p{L}[\p{L}\p{P}]+\p{L}`}, "State-of-the-Art ok 1984", "state-of-the-art"},
		{"expression, greek", Options{Languages: []string{"el"}, TokenRegexp: `\pL+`}, "Ο ΛΌΓΟΣ της ημέρας", "λόγος ημέρας"},
		{"expression with spaces", Options{TokenRegexp: `[^,]+`}, "New York,The Hague", "new york the hague"},
		{"expression that matches nothing", Options{TokenRegexp: `x*`}, "aab", ""},
		{"phrases", Options{Phrases: []string{"new york", "new_york city"}}, "New York, new York City and new new york", "new_york new_york_city new new_york"},
		{"phrases are greedy", Options{Phrases: []string{"aa bb", "bb cc"}}, "aa bb cc", "aa_bb cc"},
		{"phrases of stems", Options{Stem: true, Phrases: []string{"dog food"}}, "dogs' foods", "dog_food"},
	} {
		if got := strings.Join(tokens(mustNew(t, c.options), c.text), " "); got != c.want {
			t.Errorf("%s: %q: got %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

func TestTokensAppends(t *testing.T) {
	p := mustNew(t, Options{Languages: []string{"auto"}, Stem: true, Phrases: []string{"a b"}})
	dst := p.Tokens([][]byte{[]byte("first")}, []byte("the river and the mountain"))
	if got := string(bytes.Join(dst, []byte(" "))); got != "first river mountain" {
		t.Errorf("got %q", got)
	}
}

func TestOptionsRoundTrip(t *testing.T) {
	want := Options{
		Languages: []string{"de", "en"}, StopWords: []string{"x"}, Stem: true, MinLength: 3, MaxLength: 20,
		StripAccents: true, KeepNumbers: true, CJK: cjkWords, KeepMarkup: true, Edition: 1, Pieces: 300, TokenRegexp: `\w+`, Case: caseKeep, Phrases: []string{"a b"}, Grams: []int{1, 2},
	}
	if v := reflect.ValueOf(want); slices.ContainsFunc(reflect.VisibleFields(v.Type()), func(f reflect.StructField) bool { return v.FieldByIndex(f.Index).IsZero() }) {
		t.Fatal("the test leaves a field at zero")
	}
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Options
	if err := json.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s became %+v, %v", data, got, err)
	}
	if data, _ := json.Marshal(Options{}); string(data) != `{"version":4}` {
		t.Errorf("the zero value is written as %s", data)
	}
}

func TestValidateNamesEveryFault(t *testing.T) {
	err := Options{
		Languages: []string{"englsh", "none"}, MinLength: -1, MaxLength: -2, CJK: "bigram", TokenRegexp: "(", Phrases: []string{"york", "new york"},
	}.Validate()
	want := []string{
		`unknown language "englsh": did you mean "english"?`,
		`language "none" cannot be combined with others`,
		`minimum length -1: it must be 1 or more (0 means 2)`,
		`maximum length -2: it must be 1 or more (0 means 64)`,
		`unknown treatment of CJK text "bigram": did you mean "bigrams"?`,
		"token expression: error parsing regexp: missing closing ): `(`",
		`phrase "york": expected two tokens with one space between them`,
	}
	if err == nil || err.Error() != strings.Join(want, "\n") {
		t.Errorf("got\n%v\nwant\n%s", err, strings.Join(want, "\n"))
	}
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{}, ""},
		{Options{MinLength: 100}, ""},
		{Options{MinLength: 5, MaxLength: 4}, "minimum length 5 is above maximum length 4"},
		{Options{Languages: []string{"zh"}, Stem: true}, "no stemmer for zh: there is one for ar, da, de, en, es, fi, fr, ga, hu, it, nl, no, pt, ro, ru, sv, tr"},
		{Options{Languages: []string{"auto"}, Stem: true}, ""},
	} {
		got := ""
		if err := c.options.Validate(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%+v: got %q, want %q", c.options, got, c.want)
		}
	}
}

// Clones used at once give the tokens of one pipeline used alone, also when
// the stem cache and the buffers carry what came before.
func TestClonesAgree(t *testing.T) {
	p := mustNew(t, Options{Languages: []string{"auto"}, Stem: true})
	texts := []string{prose, "Die Häuser sind in der Stadt", "", "Les chevaux sont là", "中国经济增长", prose[:50]}
	want := make([]string, len(texts))
	for i, s := range texts {
		want[i] = strings.Join(tokens(mustNew(t, p.Options()), s), " ")
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			q := p.Clone()
			for i := range 60 {
				i %= len(texts)
				if got := strings.Join(tokens(q, texts[i]), " "); got != want[i] {
					t.Errorf("%q: got %q, want %q", texts[i], got, want[i])
				}
			}
		})
	}
	wg.Wait()
}

// The cache of stems is bounded, and a word stemmed anew has the same stem.
func TestStemCacheIsBounded(t *testing.T) {
	p := mustNew(t, Options{Stem: true})
	var b []byte
	for i := range stemCacheSize + 10 {
		b = append(b, 'q', byte('a'+i%26), byte('a'+i/26%26), byte('a'+i/676%26), byte('a'+i/17576), 'k', ' ')
	}
	p.Tokens(nil, b)
	for lang, cache := range p.stemmer {
		if len(cache) > stemCacheSize {
			t.Errorf("cache of %s holds %d stems", languages[lang].code, len(cache))
		}
	}
	if got := tokens(p, "running"); len(got) != 1 || got[0] != "run" {
		t.Errorf("got %q", got)
	}
}

func TestLanguages(t *testing.T) {
	list := Languages()
	if !slices.IsSortedFunc(list, func(a, b Language) int { return strings.Compare(a.Code, b.Code) }) {
		t.Error("languages are not sorted by code")
	}
	for i, l := range list {
		if words := editions[0]()[i]; len(words) < 30 {
			t.Errorf("%s has only %d stop words", l.Name, len(words))
		}
		p, err := New(Options{Languages: []string{l.Code}, Stem: l.Stemmer})
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range editions[0]()[i] {
			if got := tokens(p, word); len(got) != 0 {
				t.Errorf("%s: stop word %q gives %q", l.Name, word, got)
			}
		}
	}
}

// The list in the guide is the list in the code.
func TestLanguagesAreDocumented(t *testing.T) {
	guide, err := os.ReadFile("../../docs/text.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range Languages() {
		stem := ""
		if l.Stemmer {
			stem = "yes"
		}
		if row := "| `" + l.Code + "` | " + l.Name + " | " + stem + " |"; !bytes.Contains(guide, []byte(row)) {
			t.Errorf("docs/text.md lacks the row %q", row)
		}
	}
}

// No text may break the pipeline; its tokens are UTF-8 of allowed length, and
// cutting the tokens again changes nothing.
func FuzzTokens(f *testing.F) {
	for _, s := range []string{
		prose, "l'l'homme's's __x's_ d'", "é\u0301\u0345ΐ ŉ ǰ ẖ ß", "中国2024年3个人ー東京ータワー", "\u0640\u064B\uFE71 \u0345",
		"a\u00AD\u0301 a\u200D_ \u200Cσ\u200C", "각각 ㅏ ᅡ", "ﷺ㍿㌀", "a:b 1.2,3;4'5", "\xff\xfe\x00", "İI ıi", "ภาษาไทย\u0E33",
	} {
		f.Add([]byte(s))
	}
	variants := []Options{everything, {}, {Languages: []string{"fr", "it"}, StripAccents: true, KeepNumbers: true}, {Languages: []string{"tr"}}}
	for i := range variants { // what markup and words of Chinese are depends on what is around them
		variants[i].KeepMarkup, variants[i].CJK = true, cjkBigrams
	}
	variants = append(variants, Options{})
	var pipelines []*Pipeline
	for _, o := range variants {
		pipelines = append(pipelines, mustNew(f, o))
	}
	f.Fuzz(func(t *testing.T, s []byte) {
		for i, p := range pipelines {
			once := tokens(p, string(s))
			for _, token := range once {
				if !utf8.ValidString(token) || token == "" || strings.ContainsAny(token, " \t\n") {
					t.Fatalf("options %d: token %q", i, token)
				}
			}
			if slices.ContainsFunc(once, beginsWithMark) {
				continue // a mark belongs to what is before it, here to the space
			}
			if twice := tokens(p, strings.Join(once, " ")); p.options.KeepMarkup && !slices.Equal(once, twice) {
				t.Fatalf("options %d: %q gives %q, and that gives %q", i, s, once, twice)
			}
		}
	})
}

func beginsWithMark(token string) bool {
	r, _ := utf8.DecodeRuneInString(token)
	return unicode.In(r, unicode.M, unicode.Cf)
}

// The time per byte must not grow with the length of a word: each of these
// takes a fraction of a second, and would take minutes if some step went back
// to the beginning for every character.
func TestLongWords(t *testing.T) {
	p := mustNew(t, Options{Languages: []string{"fr", "zh"}, MaxLength: 1 << 30})
	for _, unit := range []string{"a", "l'", "'s", "_", "a_", "é", "e\u0301", "\u0301", "a\u200D", "1,", "的", "年", "国", "ー", "ไ", "\xff", "a.", "ﷺ", "한", "👨\u200D"} {
		start := time.Now()
		p.Tokens(nil, bytes.Repeat([]byte(unit), 1<<18/len(unit)))
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%q: %v for 256 kB", unit, d)
		}
	}
}

// Runs of words become words, in the order of their ends, after stop words have gone.
func TestGrams(t *testing.T) {
	for sizes, want := range map[string]string{
		"1":     "quick brown fox",
		"2":     "quick_brown brown_fox",
		"1 3 2": "quick brown quick_brown fox quick_brown_fox brown_fox",
	} {
		var grams []int
		for _, n := range strings.Fields(sizes) {
			grams = append(grams, int(n[0]-'0'))
		}
		p, err := New(Options{Languages: []string{"en"}, Grams: grams})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(bytes.Join(p.Tokens(nil, []byte("The quick brown and the fox")), []byte(" "))); got != want {
			t.Errorf("%s: %q, want %q", sizes, got, want)
		}
	}
	if err := (Options{Grams: []int{0}}).Validate(); err == nil {
		t.Error("runs of no words are not refused")
	}
}
