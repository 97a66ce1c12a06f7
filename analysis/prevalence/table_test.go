package prevalence

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/topoi-lda/topoi/internal/dates"
	_ "github.com/topoi-lda/topoi/internal/rows/parquetrows"
)

func written(t *testing.T, r *Result, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	err := r.Write(&b, format, func(k int) string { return []string{"<b>energy & co", ""}[k%2] })
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// All tables hold the numbers of the result.
func TestTablesAgree(t *testing.T) {
	m := draw(6, 3, 80, byThree)
	r := compute(t, m, Options{By: labelAndTime, Replicates: 40})
	records, err := csv.NewReader(bytes.NewReader(written(t, r, "csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parquet.Read[Row](bytes.NewReader(written(t, r, "parquet")), int64(len(written(t, r, "parquet"))))
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(written(t, r, "json"), &d); err != nil {
		t.Fatal(err)
	}
	if len(records) != 1+12*3 || len(rows) != 12*3 || len(d.Shares) != 12*3 || d.Interval != 0.95 || d.Bins != dates.ByYear {
		t.Fatalf("%d records, %d rows, %+v", len(records), len(rows), d)
	}
	if got := strings.Join(records[0], ","); got != "label,time,start,topic,topic_label,share,low,high,tokens,total,docs" {
		t.Errorf("columns %s", got)
	}
	for i, row := range rows {
		s := r.Shares[i/3][i%3]
		record := records[i+1]
		share, _ := strconv.ParseFloat(record[5], 64)
		if *row.Share != s.Share || share != s.Share || *d.Shares[i].Share != s.Share || *row.Low != s.Low || *d.Shares[i].High != s.High ||
			record[0] != r.Cells[i/3].Label || *row.Time != record[1] || int(row.Topic) != i%3 || record[4] != []string{"<b>energy & co", ""}[i%3%2] {
			t.Errorf("row %d: %v, %+v, want %+v", i, record, row, s)
		}
	}
}

func TestTableOfDifferences(t *testing.T) {
	m := draw(7, 2, 80, byThree)
	r := compute(t, m, Options{By: labelAndTime, Labels: []string{"<script>", "a"}, Difference: true, Replicates: 40})
	records, err := csv.NewReader(bytes.NewReader(written(t, r, "csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(records[0], ","); got != "label,versus,time,start,topic,topic_label,share,share_versus,difference,low,high" || len(records) != 1+4*2 {
		t.Errorf("columns %s, %d records", got, len(records))
	}
	for i, record := range records[1:] {
		number := func(column int) float64 {
			x, err := strconv.ParseFloat(record[column], 64)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		if record[0] != "<script>" || record[1] != "a" || math.Abs(number(6)-number(7)-number(8)) > 1e-15 || number(9) > number(10) {
			t.Errorf("record %d: %v", i, record)
		}
	}
	if _, err := parquet.Read[DifferenceRow](bytes.NewReader(written(t, r, "parquet")), int64(len(written(t, r, "parquet")))); err != nil {
		t.Error(err)
	}
}

// Charts are well-formed whatever labels hold, and nothing in them is markup.
func TestChartsAreSafe(t *testing.T) {
	hostile := func(d int) (label, time string) {
		return []string{"<script>alert(1)</script>", "a\x1b[31m\x00\u202e", strings.Repeat("long ", 100)}[d%3], []string{"1990", "1991", "1993"}[d%3]
	}
	m := draw(8, 3, 60, hostile)
	labels := []string{"<script>alert(1)</script>", "a\x1b[31m\x00\u202e"}
	for name, o := range map[string]Options{
		"label": {}, "time": {By: byTime}, "both": {By: labelAndTime},
		"difference": {Labels: labels, Difference: true}, "difference over time": {By: labelAndTime, Labels: labels, Difference: true},
		"no interval": {By: byTime, Interval: -1},
	} {
		o.Replicates = 20
		b := written(t, compute(t, m, o), "svg")
		if bytes.Contains(b, []byte("<script")) || bytes.Contains(b, []byte("\x1b")) || bytes.Contains(b, []byte("NaN")) {
			t.Errorf("%s: markup, control characters or no numbers in %s", name, b)
		}
		for d := xml.NewDecoder(bytes.NewReader(b)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	if err := compute(t, m, Options{Replicates: 4}).Write(io.Discard, "svgg", nil); err == nil || !strings.Contains(err.Error(), `did you mean "svg"?`) {
		t.Errorf("error %v", err)
	}
}
