package training

import (
	"slices"
	"strings"
	"testing"
)

// Numbers of topics are lists, ranges, or both.
func TestParseTopics(t *testing.T) {
	for text, want := range map[string][]int{
		"10": {10}, "10,20,50": {10, 20, 50}, "50, 20,20": {20, 50}, "10..40:10": {10, 20, 30, 40}, "10..35:10": {10, 20, 30},
		"3..5": {3, 4, 5}, "5,10..30:10,100": {5, 10, 20, 30, 100}, "1..1000": nil,
	} {
		got, err := parseTopics(text)
		if want == nil {
			want = got
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"": "not a number of topics", "ten": "not a number", "10,": "not a number", "10:2": "not a number", "1..2:x": "not a number",
		"0": "at least one", "-5": "at least one", "5..3": "ends before", "1..9:0": "steps of 0", "1..1000000": "at most 1000",
	} {
		if _, err := parseTopics(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
