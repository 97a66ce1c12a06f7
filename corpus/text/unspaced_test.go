package text

import (
	"slices"
	"testing"
)

// Text in scripts that write no spaces is told by its script, and loses no English stop words. Some words of it in an
// English text change nothing.
func TestUnspacedScripts(t *testing.T) {
	for want, doc := range map[string]string{
		"Thai":    "แมวนอนอยู่บนเสื่อและสุนัขวิ่งในสวน the market",
		"Lao":     "ແມວນອນຢູ່ເທິງເສື່ອ",
		"Khmer":   "ឆ្មាដេកលើកន្ទេល",
		"Burmese": "ကြောင်သည်ဖျာပေါ်မှာအိပ်သည်",
	} {
		d := Detect(slices.Values([][]byte{[]byte(doc), []byte(doc)}))
		if d.Unspaced != want || !slices.Equal(d.Languages, []string{"none"}) {
			t.Errorf("%s: %+v", want, d)
		}
	}
	english := "the cat sat on the mat and the dog ran in the garden while it was raining on all of us แมว"
	if d := Detect(slices.Values([][]byte{[]byte(english)})); d.Unspaced != "" || slices.Contains(d.Languages, "none") {
		t.Errorf("%+v", d)
	}
}
