// Package lake generates the data of bench/lake.sh.
package lake

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/topoi-lda/topoi/internal/objects"
	"github.com/topoi-lda/topoi/internal/remote"
)

// page is a row: a text of 80 words, and the page from which it would have been taken, which nobody reads here.
type page struct {
	ID    string `parquet:"id"`
	Lang  string `parquet:"lang,dict"`
	Text  string `parquet:"text,snappy"`
	Page  []byte `parquet:"page"`
	Score int64  `parquet:"score"`
}

const (
	pageBytes = 14 << 10
	fileRows  = 4096 // about 60 MB
	days      = 8
	topics    = 50
	words     = 30000
)

// TestGenerate writes LAKE_BYTES bytes of Parquet files below LAKE_TO, a folder or a prefix of a store, in folders
// day=2026-11-01/ and so on. The texts have topics: three quarters of a text's words come from two of fifty lists.
func TestGenerate(t *testing.T) {
	to := os.Getenv("LAKE_TO")
	size, err := strconv.ParseInt(os.Getenv("LAKE_BYTES"), 10, 64)
	if to == "" || err != nil {
		t.Skip("LAKE_TO and LAKE_BYTES say where to write how much")
	}
	rows := max(1, size/(pageBytes+600))
	files := int((rows + fileRows - 1) / fileRows)
	var group sync.WaitGroup
	slots := make(chan struct{}, max(4, runtime.NumCPU()))
	faults := make([]error, files)
	for f := range files {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			name := fmt.Sprintf("day=2026-11-%02d/part-%04d.parquet", 1+f*days/files, f)
			faults[f] = write(t, strings.TrimSuffix(to, "/")+"/"+name, f, int(min(fileRows, rows-int64(f)*fileRows)))
		})
	}
	group.Wait()
	if err := errors.Join(faults...); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %d rows", files, rows)
}

// write writes one file. Its content depends on its number alone.
func write(t *testing.T, path string, file, rows int) error {
	local := path
	if objects.Is(path) {
		local = filepath.Join(t.TempDir(), fmt.Sprint(file))
	}
	if err := os.MkdirAll(filepath.Dir(local), 0o777); err != nil {
		return err
	}
	f, err := os.Create(local)
	if err != nil {
		return err
	}
	defer f.Close()
	random := rand.New(rand.NewPCG(7, uint64(file)))
	noise := rand.NewChaCha8([32]byte{byte(file), byte(file >> 8)})
	w := parquet.NewGenericWriter[page](f, parquet.MaxRowsPerRowGroup(1024))
	row := page{Page: make([]byte, pageBytes)}
	for i := range rows {
		_, _ = noise.Read(row.Page)
		row.ID, row.Score = fmt.Sprintf("p%05d-%04d", file, i), int64(i)
		row.Lang, row.Text = []string{"en", "de", "fr"}[random.IntN(3)], text(random)
		if _, err := w.Write([]page{row}); err != nil {
			return err
		}
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil || local == path {
		return err
	}
	return errors.Join(remote.Store(local, path, ""), os.Remove(local))
}

// text draws the words of a text: their frequencies fall like Zipf's, and topics choose which words are frequent.
func text(random *rand.Rand) string {
	var b strings.Builder
	two := [2]int{random.IntN(topics), random.IntN(topics)}
	for range 80 {
		x := random.Float64()
		word := int(float64(words) * x * x * x)
		if random.IntN(4) > 0 {
			word = (word*topics + two[random.IntN(2)]) % words
		}
		fmt.Fprintf(&b, "w%sx ", strings.Map(func(r rune) rune { return r - '0' + 'a' }, strconv.Itoa(word)))
	}
	return b.String()
}
