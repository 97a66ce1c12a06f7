package serve

import (
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// drawJSON returns a value of JSON, with all kinds of space around its pieces.
func drawJSON(t *rapid.T, depth int) string {
	space := func() string { return rapid.SampledFrom([]string{"", "", " ", "\n\t\r "}).Draw(t, "space") }
	text := func() string {
		s := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"a", `q"uo\te`, "[{", "\x00\n", "K"})).Draw(t, "s")
		b, _ := json.Marshal(s)
		return string(b)
	}
	value := ""
	switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
	case kind == 0 || depth == 0 && kind > 2:
		value = text()
	case kind == 1:
		value = rapid.SampledFrom([]string{"null", "true", "false", "0", "-1.5e3", `"\/\b\f\ud83d\ude00\t"`}).Draw(t, "literal")
	case kind == 2:
		value = "[" + space() + "]"
	case kind == 3:
		value = "{" + space() + "}"
	default:
		pieces := ""
		for i := range rapid.IntRange(1, 4).Draw(t, "n") {
			if i > 0 {
				pieces += ","
			}
			if kind == 4 {
				pieces += space() + text() + space() + ":"
			}
			pieces += drawJSON(t, depth-1)
		}
		value = map[int]string{4: "{" + pieces + "}", 5: "[" + pieces + "]"}[kind]
	}
	return space() + value + space()
}

// Values are cut as package json cuts them.
func TestSplitting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(drawJSON(t, 3))
		if !json.Valid(data) {
			t.Fatalf("%q is no JSON", data)
		}
		members, isObject := map[string]json.RawMessage{}, false
		isObject = each(data, '{', func(name, value []byte) { members[string(name)] = value })
		var wantMembers map[string]json.RawMessage
		if err := json.Unmarshal(data, &wantMembers); isObject != (err == nil && wantMembers != nil) || isObject && !reflect.DeepEqual(members, wantMembers) {
			t.Fatalf("%q: %q and %q", data, members, wantMembers)
		}
		var list [][]byte
		isArray := each(data, '[', func(_, value []byte) { list = append(list, value) })
		var wantList []json.RawMessage
		if err := json.Unmarshal(data, &wantList); isArray != (err == nil && wantList != nil) || len(list) != len(wantList) {
			t.Fatalf("%q: %q and %q", data, list, wantList)
		}
		for i, one := range list {
			if string(one) != string(wantList[i]) {
				t.Fatalf("%q: %q and %q", data, list, wantList)
			}
			var want string
			if one[0] == '"' && (json.Unmarshal(one, &want) != nil || string(unquoted(one)) != want) {
				t.Fatalf("%q is %q", one, unquoted(one))
			}
		}
	})
}
