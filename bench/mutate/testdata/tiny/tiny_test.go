package tiny

import "testing"

func TestTiny(t *testing.T) {
	if Clamp(5, 0, 9) != 5 || Clamp(-1, 0, 9) != 0 || Clamp(10, 0, 9) != 9 {
		t.Error("clamp")
	}
	if n, _ := Half(8); n != 4 {
		t.Error("half")
	}
	if n, _ := Half(3); n != 0 { // the error is not looked at
		t.Error("half of an odd number")
	}
	if Count([]string{"a", "b"}) != 2 {
		t.Error("count")
	}
}
