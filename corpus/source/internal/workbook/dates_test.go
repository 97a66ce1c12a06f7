package workbook

import "testing"

// TestDates has the numbers that openpyxl stores for these dates.
func TestDates(t *testing.T) {
	for _, c := range []struct {
		days     float64
		from1904 bool
		want     string
	}{
		{1, false, "1900-01-01"},
		{59, false, "1900-02-28"},
		{61, false, "1900-03-01"},
		{45351, false, "2024-02-29"},
		{45351.999988425923, false, "2024-02-29T23:59:59"},
		{45351.9999999, false, "2024-03-01T00:00:00"},
		{0.5, false, "12:00:00"},
		{0, true, "1904-01-01"},
		{43889, true, "2024-02-29"},
		{2958465, false, "9999-12-31"},
		{2958466, false, ""},
		{-1, false, ""},
	} {
		if got := string(isoDate(c.days, c.from1904)); got != c.want {
			t.Errorf("%v days (1904: %v) are %s, want %s", c.days, c.from1904, got, c.want)
		}
	}
	for code, want := range map[string]bool{
		"yyyy-mm-dd": true, "h:mm": true, "[$-407]d. mmmm yyyy": true, `0.00 "days"`: false, "#,##0_d": false, `\d0`: false, "General": false,
		"[Red]0": false, `"Monday`: false, "0;d": false, "@": false,
	} {
		if isDateFormat(code) != want {
			t.Errorf("format %q: a date is %v, want %v", code, !want, want)
		}
	}
}
