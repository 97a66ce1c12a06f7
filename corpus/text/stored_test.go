package text

import (
	"encoding/json"
	"strings"
	"testing"
)

// Options of corpora and models made before options had a version cut text as
// they did then.
func TestStoredOptionsKeepTheirMeaning(t *testing.T) {
	const text = "<b>The</b> die of x@example.org: 中国经济"
	for stored, want := range map[string]string{
		`{}`:                               "die example.org 中国 国经 经济",
		`{"languages":["de"]}`:             "the of example.org 中国 国经 经济",
		`{"stem":true}`:                    "die example.org 中国 国经 经济",
		`{"cjk":"words"}`:                  "die example.org 中国经济",
		`{"version":2}`:                    "die 中国 经济",
		`{"version":3,"languages":["de"]}`: "the of 中国 经济",
		`{"version":2,"languages":["none"],"keep_markup":true}`: "the die of example.org 中国 经济",
	} {
		var o Options
		if err := json.Unmarshal([]byte(stored), &o); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(tokens(mustNew(t, o), text), " "); got != want {
			t.Errorf("%s: %q, want %q", stored, got, want)
		}
	}
	err := json.Unmarshal([]byte(`{"version":4}`), new(Options))
	if err == nil || !strings.Contains(err.Error(), "use a newer program") {
		t.Errorf("options of a later version: %v", err)
	}
}
