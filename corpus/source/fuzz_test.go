package source

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/corpus/source/internal/counts"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// allocated returns the bytes that the process has allocated so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// exhaust reads a source to its end and checks what must hold for any input:
// ids lie inside the vocabulary, text is UTF-8 without NUL, memory stays within
// a bound that depends on the size of the input alone. A header may promise
// any number of empty documents, so it stops after many.
func exhaust(t *testing.T, size int, open func() (Source, error)) {
	t.Helper()
	before := allocated()
	src, err := open()
	if err != nil {
		return
	}
	defer src.Close()
	words := -1
	if s, ok := src.(interface{ NumWords() int }); ok && s.NumWords() > 0 {
		words = s.NumWords()
	}
	largest := -1
	var doc Document
	for range 100_000 {
		doc = Document{}
		if err = src.Next(&doc); err != nil {
			break
		}
		if len(doc.Words) != len(doc.Counts) {
			t.Fatalf("%d words but %d counts", len(doc.Words), len(doc.Counts))
		}
		for _, w := range doc.Words {
			largest = max(largest, int(w))
		}
		for _, b := range append([][]byte{doc.ID, doc.Label, doc.Time, doc.Text}, doc.Tokens...) {
			if !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 {
				t.Fatalf("text %q was let through", b)
			}
		}
	}
	if err == io.EOF {
		vocab, err := src.Vocabulary()
		if err != nil {
			t.Fatal(err)
		}
		if vocab != nil {
			words = len(vocab)
		}
		if slices.Contains(vocab, "") {
			t.Fatalf("empty word in %q", vocab)
		}
	}
	if words >= 0 && largest >= words {
		t.Fatalf("word id %d of %d words", largest, words)
	}
	// 32 MiB covers buffers and 100,000 empty documents; beyond that a byte
	// of input may cost a slice header in several growing lists.
	if used, most := allocated()-before, uint64(32<<20+1000*size); used > most {
		t.Fatalf("%d bytes of input allocated %d bytes", size, used)
	}
}

// fuzzReader fuzzes a format that lives in one stream.
func fuzzReader(f *testing.F, format string, opts Options, seeds ...string) {
	f.Helper()
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	files, err := filepath.Glob("testdata/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		if b, err := os.ReadFile(name); err == nil {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		exhaust(t, len(data), func() (Source, error) {
			in := input.NewScanner("fuzz", bytes.NewReader(data))
			if _, err := in.Head(); err != nil {
				return nil, err
			}
			o := opts
			o.names = counts.NewNames()
			return formatByName(format).open("fuzz", in, &o)
		})
	})
}

func FuzzUCI(f *testing.F)  { fuzzReader(f, "uci", Options{}, "2\n3\n2\n1 1 1\n2 3 4") }
func FuzzLDAC(f *testing.F) { fuzzReader(f, "lda-c", Options{}, "2 0:1 7:2\n0\n") }
func FuzzSVMLight(f *testing.F) {
	fuzzReader(f, "svmlight", Options{Round: true}, "x qid:1 3:0.5 # c\n")
}
func FuzzMallet(f *testing.F) { fuzzReader(f, "mallet", Options{}, "a b c d\n", "a\tb\tc\n") }
func FuzzLines(f *testing.F)  { fuzzReader(f, "lines", Options{RepairUTF8: true}, "a\xffb\x00\n") }

func FuzzTSV(f *testing.F)          { fuzzReader(f, "tsv", Options{}, "id\ttext\na\t\"b\"\"\nc\"\n") }
func FuzzGibbsLDA(f *testing.F)     { fuzzReader(f, "gibbslda", Options{}, "2\na b\n\n") }
func FuzzYahoo(f *testing.F)        { fuzzReader(f, "yahoo", Options{}, "a b c d\n") }
func FuzzVW(f *testing.F)           { fuzzReader(f, "vw", Options{}, "1 'a|n x:2 y |m z\n") }
func FuzzMatrixMarket(f *testing.F) { fuzzReader(f, "matrix-market", Options{Round: true}) }
func FuzzState(f *testing.F)        { fuzzReader(f, "mallet-state", Options{}) }
func FuzzJSONLines(f *testing.F)    { fuzzReader(f, "jsonl", Options{}, `{"tokens":{"a":1e2}}`) }
func FuzzJSONLPaths(f *testing.F) {
	fuzzReader(f, "jsonl", Options{TextFields: []string{"a.b"}, IDField: "a.c"}, `{"a":{"b":"\u00e9"}}`)
}
func FuzzDelimited(f *testing.F) { fuzzReader(f, "csv", Options{}, "id;text\n1;\"a;\nb\"\n") }
func FuzzOCTIS(f *testing.F)     { fuzzReader(f, "octis", Options{}, "a b\ttrain\tx\n") }
func FuzzOCTISVocab(f *testing.F) {
	fuzzReader(f, "octis", Options{VocabPath: "testdata/vocab.pets.txt"}, "cat\n")
}
func FuzzTextFile(f *testing.F) { fuzzReader(f, "text", Options{}, "a\nb") }
func FuzzLDACVocabulary(f *testing.F) {
	fuzzReader(f, "lda-c", Options{VocabPath: "testdata/vocab.pets.txt"}, "1 3:1\n")
}

// FuzzTenX fuzzes the three files of a data set together.
func FuzzTenX(f *testing.F) {
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join("testdata", "tenx", name))
		if err != nil {
			f.Fatal(err)
		}
		return b
	}
	f.Add(read("matrix.mtx"), read("features.tsv"), read("barcodes.tsv"))
	f.Fuzz(func(t *testing.T, matrix, features, barcodes []byte) {
		dir := t.TempDir()
		for name, b := range map[string][]byte{"matrix.mtx": matrix, "features.tsv": features, "barcodes.tsv": barcodes} {
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		exhaust(t, len(matrix)+len(features)+len(barcodes), func() (Source, error) {
			return countsOpener(counts.OpenTenX)(dir, nil, &Options{})
		})
	})
}

// FuzzParquet checks that damaged files make errors, not panics. The memory
// that the Parquet library claims for a hostile page header is its own affair.
func FuzzParquet(f *testing.F) {
	f.Add(parquetBytes(f, parquetRows300()[:2]), 100, byte(7))
	f.Add(parquetBytes(f, parquetRows300()[:2]), 900, byte(0xff))
	path := filepath.Join(f.TempDir(), "fuzz.parquet") // each process of the fuzzer has its own
	f.Fuzz(func(t *testing.T, data []byte, at int, b byte) {
		if len(data) > 0 {
			data = bytes.Clone(data)
			data[uint(at)%uint(len(data))] ^= b
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		o := Options{}
		if at%2 != 0 {
			o.TokensField = "tokens"
		}
		readAll([]string{path}, o)
	})
}

// FuzzDetect opens any bytes as whatever they look like, compressed or not.
func FuzzDetect(f *testing.F) {
	f.Add([]byte(gzipped("a\tb\tc\n")), "x.gz")
	f.Add([]byte(zstandard("2\n3\n1\n1 1 1\n")), "x.zst")
	f.Add([]byte("id,text\n"), "x.csv")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		r, err := input.Decompress(bytes.NewReader(data))
		if err != nil {
			return
		}
		defer r.Close()
		in := input.NewScanner("fuzz", io.LimitReader(r, 1<<20))
		head, err := in.Head()
		if err != nil {
			return
		}
		format := detectFormat(name, head)
		if formatByName(format) == nil {
			t.Fatalf("detected %q, which is no format", format)
		}
		if format == "parquet" || format == "10x" || len(head) == 0 {
			return
		}
		exhaust(t, 1<<20, func() (Source, error) {
			return formatByName(format).open("fuzz", in, &Options{names: counts.NewNames()})
		})
	})
}

// FuzzCSV compares the records with those of encoding/csv wherever that
// accepts the input. It makes \n of \r\n inside quotes, so \r is left out.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b\n\"c\nd\",e\n", "a\n\n\"\"\"b\"\"\"\n", "\"a\",\n", ",\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.IndexByte(data, '\r') >= 0 || bytes.HasPrefix(data, input.BOM) {
			return
		}
		std := csv.NewReader(bytes.NewReader(data))
		std.FieldsPerRecord = -1
		want, err := std.ReadAll()
		if err != nil {
			return
		}
		c := csvReader{in: input.NewScanner("fuzz", bytes.NewReader(data)), delim: ',', quote: '"'}
		for i, w := range want {
			got, err := c.Record()
			if err != nil {
				t.Fatalf("record %d: %v, want %q", i, err, w)
			}
			if !slices.Equal(toStrings(got), w) {
				t.Fatalf("record %d: %q, want %q", i, got, w)
			}
		}
		if rest, err := c.Record(); err != io.EOF {
			t.Fatalf("after the last record: %q, %v", rest, err)
		}
	})
}

// FuzzJSON compares the parser with encoding/json: both accept the same
// objects and find the same strings.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		`{"text":"a\u00e9\ud83d\ude00\ud83d\n","x":[1,-0.5e+3,true,null,{"y":[]}]}`,
		`{"te\u0078t":"b"}`, `{"text":"a","text":"b"}`, `{"a":01}`, `{"text":3}`, `{"a":"\u12"}`, `{} {}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !utf8.Valid(data) || len(bytes.TrimSpace(data)) == 0 || bytes.TrimSpace(data)[0] != '{' {
			return
		}
		p := jsonParser{wants: []jsonWant{{path: []string{"text"}}}}
		err := p.object(data)
		var want map[string]json.RawMessage
		if wantErr := json.Unmarshal(data, &want); (err == nil) != (wantErr == nil) {
			t.Fatalf("error %v, want %v", err, wantErr)
		}
		if err != nil {
			return
		}
		got := p.wants[0].value
		if !bytes.Equal(got, want["text"]) {
			t.Fatalf("value %q, want %q", got, want["text"])
		}
		var s string
		if len(got) > 0 && got[0] == '"' && json.Unmarshal(got, &s) == nil {
			if u := unescape(nil, got[1:len(got)-1]); string(u) != s {
				t.Fatalf("string %q, want %q", u, s)
			}
		}
	})
}
