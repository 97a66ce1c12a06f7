package input

import "testing"

// The spellings of one label are one label.
func TestTidy(t *testing.T) {
	for in, want := range map[string]string{
		"DIE LINKE": "DIE LINKE", "DIE  LINKE": "DIE LINKE", " DIE LINKE": "DIE LINKE", "DIE\nLINKE": "DIE LINKE", "DIE LINKE\r\n": "DIE LINKE",
		"DIE\u00a0LINKE": "DIE LINKE", "Bu\u0308ndnis  90": "Bündnis 90", "Grüne": "Grüne", "": "", " \n": "", "a\tb": "a b", "日本\u3000語": "日本 語",
	} {
		if got := string(Tidy([]byte(in))); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}
