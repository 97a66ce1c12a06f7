package source

import "testing"

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
