package human

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

var hostile = []struct{ text, line string }{
	{"plain wörd 中国 👍🏽", "plain wörd 中国 👍🏽"},
	{"\x1b[31mred\x1b[0m", `\u001b[31mred\u001b[0m`},
	{"\x1b]0;title\x07", `\u001b]0;title\u0007`},
	{"over\rwritten\b", `over\u000dwritten\u0008`},
	{"two\nlines\tand a tab", `two\u000alines\u0009and a tab`},
	{"\u009b31m C1", `\u009b31m C1`},
	{"bad \x9b31m byte", "bad \uFFFD31m byte"},
	{"\u202Egnp.exe", `\u202egnp.exe`},
	{"\u2066x\u2069 \u2028 \x7f\x00", `\u2066x\u2069 \u2028 \u007f\u0000`},
	{"a real \uFFFD stays", "a real \uFFFD stays"},
	{"\u200fדו\u200d", "\u200fדו\u200d"},
}

func TestLine(t *testing.T) {
	for _, c := range hostile {
		if got := Line(c.text); got != c.line {
			t.Errorf("%q: %q, want %q", c.text, got, c.line)
		}
	}
	if got := Lines("a\x1b\n\tb\xff"); got != "a\\u001b\n\tb\uFFFD" {
		t.Errorf("lines: %q", got)
	}
}

// However text is cut into writes, the same comes out, as Lines has it.
func TestWriter(t *testing.T) {
	var all strings.Builder
	for _, c := range hostile {
		all.WriteString(c.text)
	}
	for size := 1; size < 7; size++ {
		var out bytes.Buffer
		w := NewWriter(&out)
		if _, err := io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{strings.NewReader(all.String())}, make([]byte, size)); err != nil {
			t.Fatal(err)
		}
		if got, want := out.String(), Lines(all.String()); got != want {
			t.Errorf("pieces of %d bytes: %q, want %q", size, got, want)
		}
	}
}

// JSON means the same behind the writer.
func TestJSON(t *testing.T) {
	for _, c := range hostile {
		var out bytes.Buffer
		if err := json.NewEncoder(NewWriter(&out)).Encode(c.text); err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal(out.Bytes(), &back); err != nil || back != strings.ToValidUTF8(c.text, "\uFFFD") {
			t.Errorf("%q came back as %q, %v", c.text, back, err)
		}
	}
}

func FuzzLine(f *testing.F) {
	for _, c := range hostile {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Line(s)
		for _, r := range got {
			if !Safe(r, utf8.RuneLen(r)) {
				t.Fatalf("%q leaves %q", s, r)
			}
		}
		if !utf8.ValidString(got) || Line(got) != got {
			t.Fatalf("%q: %q is not settled", s, got)
		}
	})
}
