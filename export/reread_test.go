package export

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/parquet-go/parquet-go"
	"github.com/topoi-lda/topoi"
)

// TestStateRereads reads a compressed MALLET state token for token and finds the
// model's documents, topics, counts and priors in it.
func TestStateRereads(t *testing.T) {
	m := goldenModel(t)
	path := filepath.Join(t.TempDir(), "state.gz")
	if err := Write(t.Context(), m, "mallet-state", path, Options{}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	expect := func(want string) {
		t.Helper()
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("%q, want %q", lines.Text(), want)
		}
	}
	expect("#doc source pos typeindex type topic")
	alpha := "#alpha : "
	for _, a := range m.Alpha() {
		alpha += fmt.Sprint(a) + " "
	}
	expect(alpha)
	expect("#beta : " + fmt.Sprint(m.Beta()))

	docs, err := m.Docs()
	if err != nil {
		t.Fatal(err)
	}
	rows := make([][]uint32, m.NumWords())
	for w := range rows {
		rows[w] = make([]uint32, m.NumTopics())
	}
	token := 0
	for lines.Scan() {
		fields := strings.Split(lines.Text(), " ")
		if len(fields) != 6 {
			t.Fatalf("line %q", lines.Text())
		}
		var number [6]int
		for _, i := range []int{0, 2, 3, 5} {
			if number[i], err = strconv.Atoi(fields[i]); err != nil {
				t.Fatal(err)
			}
		}
		d, pos, w, k := number[0], number[2], number[3], number[5]
		if int(docs.Offsets()[d])+pos != token || int(docs.Doc(d)[pos]) != w || docs.ID(d) != fields[1] || m.Words().At(w) != fields[4] || int(m.Topic(token)) != k {
			t.Fatalf("token %d is %q", token, lines.Text())
		}
		rows[w][k]++
		token++
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if token != docs.NumTokens() {
		t.Errorf("%d tokens, want %d", token, docs.NumTokens())
	}
	for w, row := range rows {
		for _, e := range m.Row(w) {
			if row[e.Topic] != e.Count {
				t.Errorf("word %d, topic %d: %d, want %d", w, e.Topic, row[e.Topic], e.Count)
			}
			row[e.Topic] = 0
		}
		if slices.Max(row) != 0 {
			t.Errorf("word %d has counts that the model has not: %v", w, row)
		}
	}
}

func TestFieldsHoldNoWhiteSpace(t *testing.T) {
	for in, want := range map[string]string{"new york": "new_york", "a\tb\nc": "a_b_c", "": "_", "ok": "ok", "no\u00a0break": "no_break", "bad\xff": "bad\xff"} {
		var l line
		if l.field([]byte(in)); string(l) != want {
			t.Errorf("%q became %q, want %q", in, l, want)
		}
	}
}

// readParquet reads all rows and the metadata of a table.
func readParquet[T any](t *testing.T, m *topoi.Model, format string, o Options) []T {
	t.Helper()
	b := exported(t, m, format, o)[""]
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if id, _ := f.Lookup("model_id"); id != m.Fingerprint() {
		t.Errorf("%s: model_id is %q", format, id)
	}
	rows, err := parquet.Read[T](bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestParquetAgreesWithCSV compares the two forms of the same tables.
func TestParquetAgreesWithCSV(t *testing.T) {
	m := goldenModel(t)
	records := func(format string) [][]string {
		list, err := csv.NewReader(bytes.NewReader(exported(t, m, format, Options{})[""])).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return list[1:]
	}
	words := records("csv-topic-words")
	for i, r := range readParquet[topicWordRow](t, m, "parquet-topic-words", Options{}) {
		got := strings.TrimSuffix(fmt.Sprintln(r.Topic, r.Rank, r.TermID, r.Term, r.Count, r.Phi), "\n")
		if want := strings.Join(append(words[i][:1:1], words[i][2:7]...), " "); got != want {
			t.Errorf("row %d: %s, want %s", i, got, want)
		}
	}
	docs := records("csv-doc-topics")
	rows := readParquet[docTopicRow](t, m, "parquet-doc-topics", Options{})
	for i, r := range rows {
		got := []string{
			strconv.Itoa(int(r.Doc)), r.ID, *r.Label, *r.Time, strconv.Itoa(int(r.Rank)), strconv.Itoa(int(r.Topic)), docs[i][6],
			strconv.Itoa(int(r.Tokens)), strconv.Itoa(int(r.DocTokens)), "",
		}
		if theta, err := strconv.ParseFloat(docs[i][6], 32); err != nil || float32(theta) != r.Theta || !slices.Equal(got, docs[i]) {
			t.Errorf("row %d: %v, want %v", i, r, docs[i])
		}
	}
	if len(rows) != len(docs) {
		t.Errorf("%d rows, want %d", len(rows), len(docs))
	}
	topics := records("csv-topics")
	for k, r := range readParquet[topicRow](t, m, "parquet-topics", Options{}) {
		if strconv.Itoa(int(r.Tokens)) != topics[k][3] || strings.Fields(topics[k][10])[0] != r.TopTerms[0].Term || r.TopicLabel != nil || fmt.Sprint(*r.NPMI) != topics[k][6] {
			t.Errorf("topic %d: %+v, want %v", k, r, topics[k])
		}
	}
}

func TestParquetListsAssignmentsAndVocab(t *testing.T) {
	m := goldenModel(t)
	docs, err := m.Docs()
	if err != nil {
		t.Fatal(err)
	}
	lists := readParquet[docRow](t, m, "parquet-doc-topics-list", Options{Top: 2})
	long := readParquet[docTopicRow](t, m, "parquet-doc-topics", Options{Top: 2})
	for d, row := range lists {
		if row.ID != docs.ID(d) || int(row.Doc) != d || len(row.Topics) != len(row.Thetas) || len(row.Topics) != 2 {
			t.Errorf("document %d: %+v", d, row)
		}
		for i := range row.Topics {
			if long[0].Topic != row.Topics[i] || long[0].Theta != row.Thetas[i] || int(long[0].Doc) != d {
				t.Errorf("document %d: %+v, want %+v", d, row, long[0])
			}
			long = long[1:]
		}
	}
	if len(lists) != docs.NumDocs() || len(long) != 0 {
		t.Errorf("%d documents, %d topics left over", len(lists), len(long))
	}
	tokens := readParquet[assignmentRow](t, m, "parquet-assignments", Options{})
	for i, row := range tokens {
		if uint32(row.Topic) != m.Topic(i) || uint32(row.TermID) != docs.Tokens()[i] || uint64(row.Pos)+docs.Offsets()[row.Doc] != uint64(i) {
			t.Errorf("token %d: %+v", i, row)
		}
	}
	if len(tokens) != docs.NumTokens() {
		t.Errorf("%d tokens", len(tokens))
	}
	cf := int64(0)
	for w, row := range readParquet[vocabRow](t, m, "parquet-vocab", Options{}) {
		cf += row.CF
		if int(row.TermID) != w || row.Term != m.Words().At(w) || row.DF < 1 || row.DF > row.CF {
			t.Errorf("word %d: %+v", w, row)
		}
	}
	if cf != int64(docs.NumTokens()) {
		t.Errorf("the words add up to %d tokens", cf)
	}
}

func TestThresholdAndTop(t *testing.T) {
	m := goldenModel(t)
	for _, o := range []Options{{MinTheta: 0.3}, {Top: 1}, {MinTheta: 0.99}, {MinTheta: 0.26, Top: 2}} {
		lines := strings.Split(string(exported(t, m, "mallet-doc-topics-threshold", o)[""]), "\n")
		dense := strings.Split(string(exported(t, m, "mallet-doc-topics", Options{})[""]), "\n")
		for d, l := range lines[1 : len(lines)-1] {
			var want []float64
			for _, s := range strings.Split(dense[d], "\t")[2:] {
				if p, _ := strconv.ParseFloat(s, 64); p >= o.MinTheta {
					want = append(want, p)
				}
			}
			slices.Sort(want)
			slices.Reverse(want)
			if o.Top > 0 {
				want = want[:min(o.Top, len(want))]
			}
			var got []float64
			for i, s := range strings.Split(strings.TrimSuffix(l, "\t"), "\t") {
				if i >= 2 && i%2 == 1 {
					p, _ := strconv.ParseFloat(s, 64)
					got = append(got, p)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%+v, document %d: %v, want %v", o, d, got, want)
			}
		}
	}
}
