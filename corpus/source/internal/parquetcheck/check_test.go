package parquetcheck

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

type row struct {
	ID     int64    `parquet:"id,delta"`
	Text   string   `parquet:"text,dict"`
	Long   string   `parquet:"long,delta"`
	Tokens []string `parquet:"tokens,list"`
	Label  *string  `parquet:"label,optional,zstd"`
}

// sound returns a file as the library writes it.
func sound(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b, parquet.PageBufferSize(512), parquet.MaxRowsPerRowGroup(40))
	for i := range 100 {
		r := row{ID: int64(i), Text: fmt.Sprint("text ", i%7), Long: fmt.Sprint("a long text ", i), Tokens: strings.Fields("a b c d")[:i%5]}
		if i%3 == 0 {
			r.Label = &r.Text
		}
		if _, err := w.Write([]row{r}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// checkAll checks a file as its reader does, and reads it with the library if it passes.
func checkAll(data []byte) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r) // the reader recovers from these
		}
	}()
	r, size := bytes.NewReader(data), int64(len(data))
	if err := Footer(r, size); err != nil {
		return err
	}
	f, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	for g, group := range f.RowGroups() {
		for i, leaf := range leaves(f.Root()) {
			m := &f.Metadata().RowGroups[g].Columns[i].MetaData
			at := m.DataPageOffset
			if m.DictionaryPageOffset != 0 {
				at = m.DictionaryPageOffset
			}
			if err := Pages(r, size, Chunk{at, m.TotalCompressedSize, m.Codec, leaf.MaxRepetitionLevel(), leaf.MaxDefinitionLevel()}); err != nil {
				return err
			}
			if err := readAll(group.ColumnChunks()[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func leaves(c *parquet.Column) []*parquet.Column {
	if c.Leaf() {
		return []*parquet.Column{c}
	}
	var list []*parquet.Column
	for _, inner := range c.Columns() {
		list = append(list, leaves(inner)...)
	}
	return list
}

func readAll(chunk parquet.ColumnChunk) error {
	pages := chunk.Pages()
	defer pages.Close()
	var buf [64]parquet.Value
	for {
		p, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		for values, err := p.Values(), error(nil); err == nil; {
			var n int
			n, err = values.ReadValues(buf[:])
			if n == 0 && err == nil {
				break
			}
		}
	}
}

func TestSoundFilePasses(t *testing.T) {
	if err := checkAll(sound(t)); err != nil {
		t.Fatal(err)
	}
}

// footer makes a file of nothing but a footer.
func footer(b string) string {
	return magic + b + string(binary.LittleEndian.AppendUint32(nil, uint32(len(b)))) + magic
}

// nested returns a footer of columns in columns.
func nested(depth int) string {
	column := "\x48\x01a\x15\x02\x00" // a name, and one column in it
	return footer("\x15\x04\x19\xfc" + string(binary.AppendUvarint(nil, uint64(depth))) + strings.Repeat(column, depth) + "\x00")
}

func TestHostileFooters(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"a list of 2^31 columns":   {magic + "\x15\x04\x19\xfc\xff\xff\xff\xff\x07\x09\x00\x00\x00" + magic, "a list claims 2147483647 entries"},
		"structures in structures": {footer(strings.Repeat("\x1c", 10<<20)), "nested more than 64 deep"},
		"columns in columns":       {nested(100_000), "columns are nested more than 64 deep"},
		"a footer beyond the file": {magic + "\xff\xff\xff\xff" + magic, "claims 4294967295 bytes"},
		"a text beyond the footer": {footer("\x18\xff\xff\xff\x7f"), "ends too early"},
		"an encrypted footer":      {magic + "\x00\x00\x00\x00PARE", "it is encrypted"},
		"nothing":                  {"", "does not end as one does"},
	} {
		if err := Footer(strings.NewReader(c.file), int64(len(c.file))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestHostilePages(t *testing.T) {
	p := page{values: 10, stored: 20, encoding: int64(format.RLEDictionary)}
	long := append([]byte{1}, binary.AppendUvarint(nil, 1<<31<<1)...)
	if err := p.checkValues(append(long, 1)); err == nil || !strings.Contains(err.Error(), "has runs of") {
		t.Errorf("a run of 2^31 indices: %v", err)
	}
	p.encoding = int64(format.DeltaByteArray)
	if err := p.checkValues([]byte("\x80\x01\x04\xff\xff\xff\xff\x0f\x00")); err == nil || !strings.Contains(err.Error(), "in blocks of") {
		t.Errorf("2^32 differences: %v", err)
	}
	p.values = 1 << 20
	prefixes := append([]byte("\x80\x01\x04\x80\x80\x40"), binary.AppendVarint(nil, 1<<20)...) // all begin with 2^20 bytes of the one before
	if err := p.checkValues(append(prefixes, make([]byte, 5<<13)...)); err == nil || !strings.Contains(err.Error(), "claims to hold") {
		t.Errorf("texts that repeat a megabyte: %v", err)
	}
	z, _ := zstd.NewWriter(nil)
	if _, err := unpack(format.Zstd, nil, z.EncodeAll(make([]byte, 10<<20), nil), 1000); err == nil || !strings.Contains(err.Error(), "holds more") {
		t.Errorf("10 MB in a page of 1000 bytes: %v", err)
	}
	if _, err := unpack(format.Snappy, nil, binary.AppendUvarint(nil, 1<<40), 1000); err == nil || !strings.Contains(err.Error(), "claims 1000 bytes") {
		t.Errorf("2^40 bytes in a page of 1000: %v", err)
	}
	for _, p := range []page{{size: 1 << 30, stored: 10}, {stored: 100}, {stored: -1}, {values: 1 << 30}, {stored: 5, repBytes: 9}} {
		if p.check(50) == nil {
			t.Errorf("%+v passes", p)
		}
	}
}

// site is a whole number in a structure.
type site struct{ begin, end int }

func sites(b []byte, offset int) []site {
	var list []site
	w := walker{b: b}
	w.see = func(path []int, v int64) {
		if n := len(binary.AppendVarint(nil, v)); len(path) > 0 && w.at >= n && bytes.Equal(b[w.at-n:w.at], binary.AppendVarint(nil, v)) {
			list = append(list, site{offset + w.at - n, offset + w.at})
		}
	}
	if w.structure(); w.err != nil {
		return nil
	}
	return list
}

// FuzzNumbers puts other numbers into the footer and the page headers of a sound file. Whatever passes the
// checks must be read by the library, or refused by it, within bounds.
func FuzzNumbers(f *testing.F) {
	whole := sound(f)
	length := int(binary.LittleEndian.Uint32(whole[len(whole)-8:]))
	begin := len(whole) - 8 - length
	inFooter := sites(whole[begin:len(whole)-8], begin)
	var inPages []site
	for at := range whole[:begin] { // anything that reads as a page header
		var p page
		if n, err := walk(whole[at:begin], p.see); err == nil && n > 10 && p.stored > 0 {
			inPages = append(inPages, sites(whole[at:at+n], at)...)
		}
	}
	for i := range inFooter {
		for _, v := range []int64{-1, 0, 1, 1 << 20, 1<<31 - 1, 1<<63 - 1} {
			f.Add(uint16(i), v, false)
		}
	}
	for i := range inPages {
		f.Add(uint16(i), int64(i), true)
	}
	f.Fuzz(func(t *testing.T, at uint16, value int64, inPage bool) {
		file := bytes.Clone(whole)
		if inPage {
			s := inPages[int(at)%len(inPages)]
			if v := binary.AppendVarint(nil, value); len(v) == s.end-s.begin {
				copy(file[s.begin:], v)
			} else {
				file[s.begin] = byte(value) // another length would move what follows
			}
		} else {
			s := inFooter[int(at)%len(inFooter)]
			file = append(append(file[:s.begin:s.begin], binary.AppendVarint(nil, value)...), whole[s.end:len(whole)-8]...)
			file = append(binary.LittleEndian.AppendUint32(file, uint32(len(file)-begin)), magic...)
		}
		before := allocated()
		err := checkAll(file)
		if used := allocated() - before; used > 400<<20 {
			t.Fatalf("%d bytes of memory for a file of %d (%v)", used, len(file), err)
		}
	})
}

func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// Headers that are longer than what is looked at first are read whole.
func TestLongPageHeader(t *testing.T) {
	text := strings.Repeat("x", headerSize)
	header := "\x15\x00\x15\x02\x15\x00\x2c\x15\x00\x15\x00\x5c\x18" + string(binary.AppendUvarint(nil, uint64(len(text)))) + text + "\x00\x00\x00"
	_, n, err := readHeader(strings.NewReader(header), 0, int64(len(header)))
	if err != nil || n != int64(len(header)) {
		t.Fatalf("%d of %d bytes, %v", n, len(header), err)
	}
	if _, _, err := readHeader(strings.NewReader(header[:100]), 0, 100); !errors.Is(err, errShort) {
		t.Fatal(err)
	}
}
