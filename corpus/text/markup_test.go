package text

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// stripped are texts with the words that are left of them.
var stripped = []struct{ name, text, want string }{
	{"tags", `<p class="x">Red <b>apples</b></p><br/>green`, "red apples green"},
	{"inside a word", "<b>T</b>itle H<sub>2</sub>O", "title h2o"},
	{"attributes with brackets", `<img alt="a > b" src='x'>seen`, "seen"},
	{"comments", "before<!-- hidden > text -->after", "before after"},
	{"declarations", `<?xml version="1.0"?><!DOCTYPE html>text`, "text"},
	{"CDATA is text", "<![CDATA[kept]]>", "kept"},
	{"scripts and styles", "<script>var hidden = '</p>';</script>seen<STYLE>p{color:red}</style >too", "seen too"},
	{"tags of XML", `<jats:p>one</jats:p><sec id="3">two</sec>`, "one two"},
	{"entities", "caf&eacute; AT&amp;T fish&nbsp;chips &#233;t&#xE9; &unknown;", "café at t fish chips été unknown"},
	{"escaped tags", "&lt;p&gt;deep&amp;nbsp;down&lt;/p&gt; &amp;amp;lt;b&amp;amp;gt;er", "deep down er"},
	{"escaped by number", "&#60;i&#62;x&#38;nbsp;yy", "x yy"},
	{"no tags", "if a < b and c > d, or x <y and z> w, i <3 you", "if a b and c d or x y and z w i 3 you"},
	{"half a tag", "open <a href='x' and no end", "open a href x and no end"},
	{"half a comment", "open <!-- and no end", "open and no end"},
	{"half a script", "<script>and no end", "and no end"},
	{"urls", "see https://example.com/a?b=c#d, (http://x.org) ftp://y.z/ or www.example.org/page.", "see or"},
	{"url in Chinese", "详情http://t.cn/abc查看", "详情 查看"},
	{"url in quotes", `<http://a.b/c> "http://a.b" x`, "x"},
	{"no url", "://x a:b node.js example.com 12:30", "x a b node.js example.com 12 30"},
	{"addresses of mail", "write to joe.smith+x@mail.example.org or mailto:a@b.co.", "write to or"},
	{"links without a scheme", "see pic.twitter.com/a1B2, bit.ly/x?y=1 and/or e.g./i.e. 12.5/3 vol.II/IV", "see and or e.g i.e 12.5 3 vol.ii iv"},
	{"posts", "RT @name_1: #topic is #NewTopic", "rt topic is newtopic"},
	{"no address", "meet @ noon, @handle, 3@5, a@b", "meet noon 3 5 a b"},
	{"uuencode", `M4$L#!!0` + "`" + `(,!V?AKDL':76L$! MAX>'AX>'AX>'AX>'AX end`, "end"},
	{"base64", "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12 seen", "seen"},
	{"long words", "state-of-the-art/whatever internationalisation antidisestablishmentarianism", "state of the art whatever internationalisation antidisestablishmentarianism"},
	{"addresses side by side", "a@b.c@d.e f@g.h", "d.e"},
}

func TestMarkup(t *testing.T) {
	plain := Options{Languages: []string{"none"}, MinLength: 1, KeepNumbers: true}
	p := mustNew(t, plain)
	for _, c := range stripped {
		if got := strings.Join(tokens(p, c.text), " "); got != c.want {
			t.Errorf("%s: %q: got %q, want %q", c.name, c.text, got, c.want)
		}
	}
	plain.KeepMarkup = true
	if got := strings.Join(tokens(mustNew(t, plain), "<p>a&amp;b x@y.z http://c"), " "); got != "p a amp b x y.z http c" {
		t.Errorf("kept markup became %q", got)
	}
}

// Text without markup is not even copied.
func TestNoMarkup(t *testing.T) {
	p := mustNew(t, Options{})
	s := []byte(prose)
	if out := p.stripper.strip(s); &out[0] != &s[0] || len(out) != len(s) {
		t.Error("text without markup was changed")
	}
}

// Text that is made to be slow: brackets, quotes and comments without end,
// entities inside entities. The bound is many times what it takes.
func TestHostileMarkup(t *testing.T) {
	p := mustNew(t, Options{})
	for _, piece := range []string{"<", "<a ", `<a b="`, "<!--", "<script>", "</", "&#38;", "&amp;", "://", "@a.", "a@b.c", "www.", "<a b='", "http://", "<?a"} {
		begin := time.Now()
		p.stripper.strip(bytes.Repeat([]byte(piece), 1<<18/len(piece)))
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("%q over and over took %v", piece, took)
		}
	}
}

func FuzzMarkup(f *testing.F) {
	for _, c := range stripped {
		f.Add([]byte(c.text))
	}
	p, plain := mustNew(f, Options{Languages: []string{"none"}}), mustNew(f, Options{Languages: []string{"none"}, KeepMarkup: true})
	f.Fuzz(func(t *testing.T, s []byte) {
		kept := bytes.Clone(s)
		out := bytes.Clone(p.stripper.strip(s))
		if !bytes.Equal(s, kept) {
			t.Fatal("the input was changed")
		}
		if utf8.Valid(s) && !utf8.Valid(out) {
			t.Fatalf("%q became %q, which is not UTF-8", s, out)
		}
		if len(out) > 2*len(s) {
			t.Fatalf("%d bytes became %d", len(s), len(out))
		}
		if !bytes.ContainsAny(s, "<&@:/") && !bytes.Contains(s, []byte("www.")) && !bytes.Equal(s, out) {
			t.Fatalf("%q became %q", s, out)
		}
		if got, want := len(p.Tokens(nil, s)), len(plain.Tokens(nil, out)); got > want {
			t.Fatalf("%d tokens, but %d of the text without markup", got, want)
		}
	})
}
