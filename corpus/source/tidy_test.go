package source

import "testing"

// The spellings of one label are one label.
func TestTidy(t *testing.T) {
	for in, want := range map[string]string{
		"DIE LINKE": "DIE LINKE", "DIE  LINKE": "DIE LINKE", " DIE LINKE": "DIE LINKE", "DIE\nLINKE": "DIE LINKE", "DIE LINKE\r\n": "DIE LINKE",
		"DIE\u00a0LINKE": "DIE LINKE", "Bu\u0308ndnis  90": "Bündnis 90", "Grüne": "Grüne", "": "", " \n": "", "a\tb": "a b", "日本\u3000語": "日本 語",
	} {
		if got := string(tidy([]byte(in))); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// Other quotation marks hold delimiters, line ends and themselves doubled.
func TestQuote(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"a.csv": "id,text\n1,'a, ''b''\nand c'\n2,d\n"})
	r, err := Open([]string{"a.csv"}, Options{Quote: "'"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var doc Document
	if err := r.Next(&doc); err != nil || string(doc.Text) != "a, 'b'\nand c" {
		t.Errorf("%q, %v", doc.Text, err)
	}
	if err := (&Options{Quote: "''"}).Validate(); err == nil {
		t.Error("two marks were accepted")
	}
}
