package export

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/topic"
	"github.com/topoi-lda/topoi/train"
)

// heldOutModel was trained on a part of 40 documents, of which two have no words.
func heldOutModel(t testing.TB) *topoi.Model {
	t.Helper()
	docs := make([][]uint32, 40)
	for d := range docs {
		for i := range 5 * (d % 20) {
			docs[d] = append(docs[d], uint32((d%3)*10+i%10))
		}
	}
	words := make([]string, 30)
	for w := range words {
		words[w] = string(rune('a' + w))
	}
	m, err := train.Run(t.Context(), corpus.FromIDs(words, docs), topoi.Options{Topics: 7, Iterations: 20, Holdout: 0.25})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// rows reads a CSV table.
func tableRows(t testing.TB, b []byte) (header []string, records [][]string) {
	t.Helper()
	all, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all[0], all[1:]
}

func float(t testing.TB, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Every document has every topic once, by falling share, and the shares add up to 1;
// Top gives exactly so many, and a threshold leaves every document its largest.
func TestSharesAreComplete(t *testing.T) {
	m := heldOutModel(t)
	docs, err := m.Docs()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		options Options
		each    int // rows of a document
	}{{Options{}, 7}, {Options{Top: 3}, 3}, {Options{Top: 100}, 7}, {Options{MinTheta: 1}, 1}} {
		_, records := tableRows(t, exported(t, m, "csv-doc-topics", test.options)[""])
		if len(records) != test.each*docs.NumDocs() {
			t.Fatalf("%+v: %d rows for %d documents", test.options, len(records), docs.NumDocs())
		}
		for d := range docs.NumDocs() {
			sum, topics := 0.0, map[string]bool{}
			for rank, r := range records[d*test.each : (d+1)*test.each] {
				sum += float(t, r[6])
				topics[r[5]] = true
				if r[0] != strconv.Itoa(docs.Number(d)) || r[4] != strconv.Itoa(rank) || r[8] != strconv.Itoa(len(docs.Doc(d))) {
					t.Fatalf("%+v, document %d: row %v", test.options, d, r)
				}
			}
			if len(topics) != test.each || test.each == 7 && math.Abs(sum-1) > 1e-6 {
				t.Errorf("%+v, document %d: %d topics, shares add up to %v", test.options, d, len(topics), sum)
			}
		}
	}
}

// The wide tables hold the numbers of the long one.
func TestWideAgreesWithLong(t *testing.T) {
	m := heldOutModel(t)
	_, long := tableRows(t, exported(t, m, "csv-doc-topics", Options{})[""])
	header, wide := tableRows(t, exported(t, m, "csv-doc-topics-wide", Options{})[""])
	theta := map[string]string{}
	for _, r := range long {
		theta[r[0]+" topic_"+r[5]] = r[6]
	}
	files := exported(t, m, "npy-doc-topics", Options{})
	array := parseNPY(t, files["theta.npy"])
	_, docs := tableRows(t, files["docs.csv"])
	if array.shape != "30, 7," || array.descr != "<f4" || len(docs) != 30 || len(wide) != 30 {
		t.Fatalf("%s of %s, %d and %d documents", array.shape, array.descr, len(docs), len(wide))
	}
	for d, r := range wide {
		if !slices.Equal(docs[d], r[:5]) {
			t.Errorf("document %d: %v beside the array, %v in the table", d, docs[d], r[:5])
		}
		for k := range 7 {
			bits := array.bytes[4*(7*d+k):]
			x := math.Float32frombits(uint32(bits[0]) | uint32(bits[1])<<8 | uint32(bits[2])<<16 | uint32(bits[3])<<24)
			want := theta[r[0]+" "+header[5+k]]
			if r[5+k] != want || float32(float(t, want)) != x {
				t.Errorf("document %d, %s: %s wide, %v in the array, %s long", d, header[5+k], r[5+k], x, want)
			}
		}
	}
}

// Documents that were held out come with the topics that Infer gives them, in the order
// of the corpus, and training documents as without them.
func TestHeldOutDocuments(t *testing.T) {
	m := heldOutModel(t)
	held, err := m.Heldout()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "inferred.csv")
	if err := Infer(t.Context(), m, held, "csv", path, topoi.InferOptions{}, Options{}); err != nil {
		t.Fatal(err)
	}
	inferred, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	heldout := exported(t, m, "csv-doc-topics", Options{Documents: "heldout"})[""]
	if !bytes.Equal(heldout, inferred) {
		t.Error("held-out documents have other topics than Infer gives them")
	}
	lines := func(b []byte) []string { return strings.SplitAfter(strings.TrimSuffix(string(b), "\n"), "\n")[1:] }
	want := append(lines(heldout), lines(exported(t, m, "csv-doc-topics", Options{})[""])...)
	for i, l := range want {
		want[i] = strings.TrimSuffix(l, "\n") + "\n"
	}
	number := func(l string) int { n, _ := strconv.Atoi(l[:strings.Index(l, ",")]); return n }
	slices.SortStableFunc(want, func(a, b string) int { return number(a) - number(b) })
	all := exported(t, m, "csv-doc-topics", Options{Documents: "all"})[""]
	if _, got, _ := strings.Cut(string(all), "\n"); got != strings.Join(want, "") {
		t.Errorf("all documents:\n%s\nwant\n%s", got, strings.Join(want, ""))
	}
	for _, f := range Formats() {
		if f.HeldOut {
			exported(t, m, f.Name, Options{Documents: "all"})
		} else if err := Write(t.Context(), m, f.Name, filepath.Join(t.TempDir(), "x"), Options{Documents: "all"}); err == nil || !strings.Contains(err.Error(), "not trained on") {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// A stream writes what Infer writes of all documents together.
func TestStreamAgreesWithInfer(t *testing.T) {
	m := heldOutModel(t)
	held, err := m.Heldout()
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"csv", "jsonl"} {
		path := filepath.Join(t.TempDir(), "inferred")
		if err := Infer(t.Context(), m, held, format, path, topoi.InferOptions{}, Options{Top: 2}); err != nil {
			t.Fatal(err)
		}
		want, _ := os.ReadFile(path)
		var got bytes.Buffer
		s, err := NewStream(m, format, &got, topoi.InferOptions{}, Options{Top: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, cut := range [][2]int{{0, 1}, {1, 5}, {5, held.NumDocs()}} {
			if err := s.Write(t.Context(), held.Docs(cut[0], cut[1])); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s: the stream wrote\n%s\nwant\n%s", format, &got, want)
		}
	}
	if _, err := NewStream(m, "parquet", nil, topoi.InferOptions{}, Options{}); err == nil {
		t.Error("a stream of Parquet was begun")
	}
}

// Names of topics are in all tables that have topics.
func TestTablesShowLabels(t *testing.T) {
	m := heldOutModel(t)
	if err := m.SetLabels(topic.Labels{Names: map[int]string{2: "energy, climate"}}); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"csv-topics", "csv-topic-words", "csv-doc-topics"} {
		header, records := tableRows(t, exported(t, m, f, Options{})[""])
		topic, label := slices.Index(header, "topic"), slices.Index(header, "topic_label")
		for _, r := range records {
			if (r[label] == "energy, climate") != (r[topic] == "2") || r[label] != "" && r[topic] != "2" {
				t.Fatalf("%s: %v", f, r)
			}
		}
	}
	for _, r := range readParquet[docTopicRow](t, m, "parquet-doc-topics", Options{}) {
		if (r.TopicLabel != nil) != (r.Topic == 2) {
			t.Fatalf("%+v", r)
		}
	}
	if b := exported(t, m, "json", Options{})[""]; !bytes.Contains(b, []byte(`"topic_label": "energy, climate"`)) {
		t.Errorf("json: %s", b)
	}
}

func TestCSVCells(t *testing.T) {
	for in, want := range map[string][2]string{ // plain, for Excel
		"": {"", ""}, "a": {"a", "a"}, "a,b": {`"a,b"`, `"a,b"`}, `"`: {`""""`, `""""`}, " a": {`" a"`, `" a"`}, "a\nb": {"\"a\nb\"", "\"a\nb\""},
		"=1": {"=1", "'=1"}, "+1": {"+1", "'+1"}, "-1": {"-1", "'-1"}, "@x": {"@x", "'@x"}, "=a,b": {`"=a,b"`, `"'=a,b"`}, "\tx": {"\"\tx\"", "'\tx"}, "＝1": {"＝1", "'＝1"}, `\.`: {`"\."`, `"\."`},
	} {
		for i, excel := range []bool{false, true} {
			var l line
			c := csvText{&l, excel, false}
			c.str(in)
			c.end()
			if string(l) != want[i]+"\n" {
				t.Errorf("%q, Excel %v: %q, want %q", in, excel, l, want[i])
			}
		}
	}
}

// What a worker or the output reports ends the work, whatever else is under way.
func TestInOrderEndsWithFaults(t *testing.T) {
	fault := errors.New("fault")
	for _, where := range []string{"pieces", "work", "drain"} {
		failing := func(place string, i int) error {
			if place == where && i == 20 {
				return fault
			}
			return nil
		}
		drained := 0
		err := inOrder(t.Context(), 3, func(put func(int) error) error {
			for i := range 100 {
				if err := errors.Join(failing("pieces", i), put(i)); err != nil {
					return err
				}
			}
			return nil
		}, func(_, i int) (int, error) { return i, failing("work", i) }, func(i int) error {
			if i != drained {
				t.Errorf("piece %d came as number %d", i, drained)
			}
			drained++
			return failing("drain", i)
		})
		if !errors.Is(err, fault) || drained < 20 || drained > 21 {
			t.Errorf("%s: %v after %d pieces", where, err, drained)
		}
	}
}
