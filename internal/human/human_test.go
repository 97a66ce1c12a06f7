package human

import (
	"testing"
	"time"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", -1000: "-1,000", 1234567: "1,234,567", -12: "-12",
	} {
		if got := Count(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got := Of(1, "topic") + ", " + Of(2000, "word") + ", " + Of(0, "document"); got != "1 topic, 2,000 words, 0 documents" {
		t.Error(got)
	}
}

func TestRateAndBytes(t *testing.T) {
	for x, want := range map[float64]string{0: "0.00", 999: "999", 1000: "1.00 k", 12_345_678: "12.3 M", 2.5e10: "25.0 G"} {
		if got := Rate(x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 bytes", 1500: "1.50 kB", 2_000_000: "2.00 MB", 345e9: "345 GB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%v: %q, want %q", n, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                        "0.0 s",
		400 * time.Millisecond:   "0.4 s",
		12 * time.Second:         "12 s",
		59600 * time.Millisecond: "1 min 00 s",
		185 * time.Second:        "3 min 05 s",
		7620 * time.Second:       "2 h 07 min",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "4096": 4096, "300MB": 300e6, "1.5 GB": 1.5e9, "2GiB": 2 << 30, "1k": 1000, "7 bytes": 7, "0.5kib": 512, "2tb": 2e12,
	} {
		if got, err := ParseBytes(text); got != want || err != nil {
			t.Errorf("%q: got %d, %v; want %d", text, got, err, want)
		}
	}
	for _, bad := range []string{"", "GB", "-1", "1XB", "1.2.3MB", "99999999999TB", "1e9", "5 0"} {
		if got, err := ParseBytes(bad); err == nil {
			t.Errorf("%q accepted as %d", bad, got)
		}
	}
	for _, n := range []int64{0, 999, 1500, 2_000_000, 3_250_000_000} {
		if got, err := ParseBytes(Bytes(n)); got != n || err != nil {
			t.Errorf("%d written as %q is read as %d, %v", n, Bytes(n), got, err)
		}
	}
}
