package sealed

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

type content struct {
	Name   string             `json:"name"`
	Values map[string]float64 `json:"values"`
	List   []int              `json:"list"`
}

// Whatever bit is flipped, the content is the same or is refused.
func TestEveryFlipIsSeen(t *testing.T) {
	want := content{"x <y> & \"z\"}", map[string]float64{"heldout": -7.25, "npmi": 0.1}, []int{1, 2, 3}}
	b, err := Marshal(want, "\t")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), "<y> &") || !strings.HasSuffix(string(b), "}\n") {
		t.Errorf("%s", b)
	}
	refused := 0
	for i := range 8 * len(b) {
		flipped := bytes.Clone(b)
		flipped[i/8] ^= 1 << (i % 8)
		var got content
		if _, err := Unmarshal(flipped, &got); err != nil {
			refused++
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("silent: %s", flipped)
		}
	}
	if refused < 4*len(b) {
		t.Errorf("%d of %d flips were refused", refused, 8*len(b))
	}
}

func TestForms(t *testing.T) {
	b, err := Marshal(struct{}{}, "")
	if err != nil || !json.Valid(b) {
		t.Errorf("%s: %v", b, err)
	}
	var got content
	if sealed, err := Unmarshal([]byte(`{"name": "old"}`), &got); sealed || err != nil || got.Name != "old" {
		t.Errorf("without a checksum: %v, %v", sealed, err)
	}
	for _, text := range []string{`{"checksum": 7}`, `{"name": "a", "checksum": "00"}`} {
		if sealed, err := Unmarshal([]byte(text), &got); !sealed || !errors.Is(err, ErrAltered) {
			t.Errorf("%s: %v, %v", text, sealed, err)
		}
	}
	for _, text := range []string{`[]`, `{"name": 3}`, `{`} {
		if _, err := Unmarshal([]byte(text), &got); err == nil || errors.Is(err, ErrAltered) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := Marshal(func() {}, ""); err == nil {
		t.Error("a function was written")
	}
}
