package linked

import "testing"

func TestPart(t *testing.T) {
	var p Part[string]
	if value, ok := p.Get(); ok {
		t.Errorf("a part that nobody registered is %q", value)
	}
	p.Register("reader")
	if value, ok := p.Get(); !ok || value != "reader" {
		t.Errorf("the part is %q, %t", value, ok)
	}
	defer func() {
		if recover() == nil {
			t.Error("a second registration does not panic")
		}
	}()
	p.Register("another")
}
