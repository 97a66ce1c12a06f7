package text

import (
	"encoding/json"
	"strings"
	"testing"
)

// Options of corpora and models made before options had a version cut text as
// they did then.
func TestStoredOptionsKeepTheirMeaning(t *testing.T) {
	const text = "<b>The</b> die of x@example.org: 中国经济 주식은"
	for stored, want := range map[string]string{
		`{}`:                               "die example.org 中国 国经 经济 주식 식은",
		`{"languages":["de"]}`:             "the of example.org 中国 国经 经济 주식 식은",
		`{"stem":true}`:                    "die example.org 中国 国经 经济 주식 식은",
		`{"cjk":"words"}`:                  "die example.org 中国经济 주식은",
		`{"version":2}`:                    "die 中国 经济 주식 식은",
		`{"version":3,"languages":["de"]}`: "the of 中国 经济 주식 식은",
		`{"version":4,"languages":["de"]}`: "the of 中国 经济 주식",
		`{"version":2,"languages":["none"],"keep_markup":true}`: "the die of example.org 中国 经济 주식 식은",
	} {
		var o Options
		if err := json.Unmarshal([]byte(stored), &o); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(tokens(mustNew(t, o), text), " "); got != want {
			t.Errorf("%s: %q, want %q", stored, got, want)
		}
	}
	err := json.Unmarshal([]byte(`{"version":5}`), new(Options))
	if err == nil || !strings.Contains(err.Error(), "use a newer program") {
		t.Errorf("options of a later version: %v", err)
	}
}
