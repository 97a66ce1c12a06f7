package input

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// Texts in languages of several scripts.
const (
	inGerman   = "Größere Häuser für Österreich: das überrascht niemanden, sagte die Bäckerin. „Schön“, rief er – und ging.\n"
	inFrench   = "L’été dernier, les élèves ont mangé des gâteaux à la crème près du château; ça suffit à Noël.\n"
	inPolish   = "Zażółć gęślą jaźń, powiedziała królowa, która żyła w zamku nad rzeką. Świat jest piękny.\n"
	inRussian  = "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему.\n"
	inChinese  = "今天我们在学校学习中国的历史，老师说这是一个很有意思的时代，人们都来了。\n"
	inTaiwan   = "今天我們在學校學習中國的歷史，老師說這是一個很有意思的時代，人們都來了。\n"
	inJapanese = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。\n"
	inKorean   = "모든 국민은 인간으로서의 존엄과 가치를 가지며, 행복을 추구할 권리를 가진다.\n"
)

// encode returns text in an encoding.
func encode(t testing.TB, text, name string) string {
	t.Helper()
	e, _, err := EncodingByName(name)
	if err != nil {
		t.Fatal(err)
	}
	if e == nil {
		return text
	}
	b, err := e.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// decoded reads bytes as UTF-8 and tells the encoding that was found.
func decoded(r io.Reader, o Options) (string, string, error) {
	var met []string
	o.Met = func(name string, _ bool) { met = append(met, name) }
	b, err := io.ReadAll(newUTF8Reader(r, o))
	return string(b), strings.Join(met, " "), err
}

func TestEncodingsAreRecognised(t *testing.T) {
	ascii := strings.Repeat("Nothing but plain letters here.\n", 3*HeadSize/64)
	for _, c := range []struct{ text, encoding string }{
		{inGerman, "windows-1252"},
		{inFrench, "windows-1252"},
		{"caf\u00e9", "windows-1252"},
		{inGerman, "macintosh"},
		{strings.NewReplacer("„", "", "“", "", "–", "").Replace(inGerman), "cp850"},
		{inPolish, "windows-1250"},
		{inPolish, "iso-8859-2"},
		{inRussian, "windows-1251"},
		{inRussian, "koi8-r"},
		{inRussian, "cp866"},
		{inRussian, "iso-8859-5"},
		{inChinese, "gb18030"},
		{inTaiwan, "big5"},
		{inJapanese, "shift_jis"},
		{inJapanese, "euc-jp"},
		{inKorean, "euc-kr"},
		{inGerman, "utf-16le"},
		{strings.Repeat(inChinese, 20) + "a sign for a lost character: \uFFFD", "gb18030"},
		{inGerman + "\uFFFD", "utf-16le"},
		{inGerman, "utf-16be"},
	} {
		for name, text := range map[string]string{
			"short": c.text,
			"long":  strings.Repeat(c.text, 1+3*HeadSize/2/len(c.text)),
			"late":  ascii + c.text,
		} {
			if strings.HasPrefix(c.encoding, "utf") && name == "late" {
				continue
			}
			if c.encoding == "windows-1252" && strings.HasPrefix(c.text, "caf") && name == "long" {
				continue
			}
			raw := encode(t, text, c.encoding)
			got, found, err := decoded(strings.NewReader(raw), Options{})
			if got != text || found != c.encoding || err != nil {
				t.Errorf("%s, %s: found %s, %v: %.60q", c.encoding, name, found, err, got)
			}
			// It must not matter in which pieces the input comes.
			if again, _, _ := decoded(iotest.HalfReader(strings.NewReader(raw)), Options{}); again != got {
				t.Errorf("%s, %s: other pieces give another text", c.encoding, name)
			}
			// Said by an option it is the same.
			if got, _, err := decoded(strings.NewReader(raw), Options{Encoding: c.encoding}); got != text || err != nil {
				t.Errorf("%s given, %s: %v: %.60q", c.encoding, name, err, got)
			}
		}
	}
}

// TestUTF8StaysAsItIs: no text in UTF-8 is taken for anything else.
func TestUTF8StaysAsItIs(t *testing.T) {
	all := inGerman + inFrench + inPolish + inRussian + inChinese + inTaiwan + inJapanese + inKorean
	for _, text := range []string{
		"", "a", "é", all, strings.Repeat(all, 200), strings.Repeat("x", HeadSize-1) + "é", strings.Repeat("x", 2*HeadSize-1) + "é tail",
		inGerman + "a \xff damaged byte\n", "no text at all: \x01\x02\xfe\xff\xff\xfe", "\xe9 and NUL \x00",
	} {
		if got, found, err := decoded(strings.NewReader(text), Options{}); got != text || found != "" || err != nil {
			t.Errorf("%.40q became %.40q in %s, %v", text, got, found, err)
		}
	}
	if got, found, _ := decoded(strings.NewReader("caf\xe9"), Options{Repair: true}); got != "caf\xe9" || found != "" {
		t.Errorf("to be repaired: %q in %s", got, found)
	}
}

func TestByteOrderMarks(t *testing.T) {
	for name, raw := range map[string]string{
		"":         "\xef\xbb\xbfhé\n",
		"utf-16le": "\xff\xfeh\x00\xe9\x00\n\x00",
		"utf-16be": "\xfe\xff\x00h\x00\xe9\x00\n",
		"utf-32le": "\xff\xfe\x00\x00h\x00\x00\x00\xe9\x00\x00\x00\n\x00\x00\x00",
		"utf-32be": "\x00\x00\xfe\xff\x00\x00\x00h\x00\x00\x00\xe9\x00\x00\x00\n",
	} {
		got, found, err := decoded(strings.NewReader(raw), Options{})
		if strings.TrimPrefix(got, string(BOM)) != "hé\n" || found != name || err != nil {
			t.Errorf("%s: %q in %s, %v", name, got, found, err)
		}
	}
	// A mark is stronger than the option.
	if got, _, err := decoded(strings.NewReader("\xff\xfeh\x00"), Options{Encoding: "windows-1252"}); got != "h" || err != nil {
		t.Errorf("with a mark: %q, %v", got, err)
	}
}

func TestBrokenCharactersAreReplaced(t *testing.T) {
	if got, _, err := decoded(strings.NewReader("\xff\xfeh\x00\xe9"), Options{Repair: true}); got != "h\uFFFD" || err != nil {
		t.Errorf("repaired: %q, %v", got, err)
	}
}

// FuzzEncoding: whatever comes in, valid UTF-8 without marks and NUL comes out
// unchanged, other bytes come out as they are or as UTF-8, and never in another
// way when they arrive in other pieces.
func FuzzEncoding(f *testing.F) {
	for _, s := range []string{inGerman, "caf\xe9", "\xff\xfea\x00", "\xef\xbb\xbfa", "a\x00b\x00", encode(f, inRussian, "koi8-r"), encode(f, inJapanese, "shift_jis")} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, found, err := decoded(bytes.NewReader(data), Options{})
		if utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 && (got != string(data) || err != nil) {
			t.Fatalf("%q became %q in %s, %v", data, got, found, err)
		}
		if found != "" && err == nil && !utf8.ValidString(got) {
			t.Fatalf("%q became %q in %s", data, got, found)
		}
		if again, _, errAgain := decoded(iotest.OneByteReader(bytes.NewReader(data)), Options{}); again != got || (err == nil) != (errAgain == nil) {
			t.Fatalf("in pieces %q, %v; else %q, %v", again, errAgain, got, err)
		}
	})
}
