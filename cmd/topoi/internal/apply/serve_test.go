package apply

import (
	"strings"
	"testing"
)

// A model's name and path are told apart with the separators of every system.
func TestCutModel(t *testing.T) {
	for _, c := range []struct {
		arg        string
		separator  rune
		name, path string
	}{
		{"news.model", '/', "news", "news.model"},
		{"mail=archive/mail.model", '/', "mail", "archive/mail.model"},
		{"runs/a=b/news.model", '/', "news", "runs/a=b/news.model"},
		{`mail=C:\archive\mail.model`, '\\', "mail", `C:\archive\mail.model`},
		{`runs/a=b/news.model`, '\\', "news", "runs/a=b/news.model"},
	} {
		if name, path := cutModel(c.arg, c.separator); name != c.name || path != c.path {
			t.Errorf("%s: %s at %s, want %s at %s", c.arg, name, path, c.name, c.path)
		}
	}
	if _, path := cutModel(`runs\a=b\news.model`, '\\'); path != `runs\a=b\news.model` {
		t.Errorf("cut at %s", path)
	}
}

// The name of a socket that some systems refuse is refused on all, with a sentence.
func TestLongSockets(t *testing.T) {
	if err := checkAddress("--listen", "unix:/"+strings.Repeat("x", 102)); err != nil {
		t.Error(err)
	}
	if err := checkAddress("--listen", "unix:/"+strings.Repeat("x", 103)); err == nil || !strings.Contains(err.Error(), "choose a shorter one") {
		t.Error(err)
	}
}
