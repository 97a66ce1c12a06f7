// Package stopwords compares ../stopwords.txt with the lists of bleve's analysis
// packages, or writes it: one line per language, its code and then its words in byte order.
//
// It is a module of its own because importing those packages would pull a
// search engine (bbolt, roaring bitmaps, geometry, JSON) into every program
// that uses the text pipeline: 2.2 MB of binary for 50 kB of words. "go generate ./corpus/text"
// writes the file.
package stopwords

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/ar"
	"github.com/blevesearch/bleve/v2/analysis/lang/bg"
	"github.com/blevesearch/bleve/v2/analysis/lang/ca"
	"github.com/blevesearch/bleve/v2/analysis/lang/ckb"
	"github.com/blevesearch/bleve/v2/analysis/lang/cs"
	"github.com/blevesearch/bleve/v2/analysis/lang/da"
	"github.com/blevesearch/bleve/v2/analysis/lang/de"
	"github.com/blevesearch/bleve/v2/analysis/lang/el"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/analysis/lang/es"
	"github.com/blevesearch/bleve/v2/analysis/lang/eu"
	"github.com/blevesearch/bleve/v2/analysis/lang/fa"
	"github.com/blevesearch/bleve/v2/analysis/lang/fi"
	"github.com/blevesearch/bleve/v2/analysis/lang/fr"
	"github.com/blevesearch/bleve/v2/analysis/lang/ga"
	"github.com/blevesearch/bleve/v2/analysis/lang/gl"
	"github.com/blevesearch/bleve/v2/analysis/lang/hi"
	"github.com/blevesearch/bleve/v2/analysis/lang/hr"
	"github.com/blevesearch/bleve/v2/analysis/lang/hu"
	"github.com/blevesearch/bleve/v2/analysis/lang/hy"
	"github.com/blevesearch/bleve/v2/analysis/lang/id"
	"github.com/blevesearch/bleve/v2/analysis/lang/it"
	"github.com/blevesearch/bleve/v2/analysis/lang/nl"
	"github.com/blevesearch/bleve/v2/analysis/lang/no"
	"github.com/blevesearch/bleve/v2/analysis/lang/pl"
	"github.com/blevesearch/bleve/v2/analysis/lang/pt"
	"github.com/blevesearch/bleve/v2/analysis/lang/ro"
	"github.com/blevesearch/bleve/v2/analysis/lang/ru"
	"github.com/blevesearch/bleve/v2/analysis/lang/sv"
	"github.com/blevesearch/bleve/v2/analysis/lang/tr"
)

// lists holds every stop list of the library, in the order of the codes.
var lists = []struct {
	code string
	raw  []byte // one word per line, comments after | or #
}{
	{"ar", ar.ArabicStopWords},
	{"bg", bg.BulgarianStopWords},
	{"ca", ca.CatalanStopWords},
	{"ckb", ckb.SoraniStopWords},
	{"cs", cs.CzechStopWords},
	{"da", da.DanishStopWords},
	{"de", de.GermanStopWords},
	{"el", el.GreekStopWords},
	{"en", en.EnglishStopWords},
	{"es", es.SpanishStopWords},
	{"eu", eu.BasqueStopWords},
	{"fa", fa.PersianStopWords},
	{"fi", fi.FinnishStopWords},
	{"fr", fr.FrenchStopWords},
	{"ga", ga.IrishStopWords},
	{"gl", gl.GalicianStopWords},
	{"hi", hi.HindiStopWords},
	{"hr", hr.CroatianStopWords},
	{"hu", hu.HungarianStopWords},
	{"hy", hy.ArmenianStopWords},
	{"id", id.IndonesianStopWords},
	{"it", it.ItalianStopWords},
	{"nl", nl.DutchStopWords},
	{"no", no.NorwegianStopWords},
	{"pl", pl.PolishStopWords},
	{"pt", pt.PortugueseStopWords},
	{"ro", ro.RomanianStopWords},
	{"ru", ru.RussianStopWords},
	{"sv", sv.SwedishStopWords},
	{"tr", tr.TurkishStopWords},
}

var update = flag.Bool("update", false, "write the file instead of comparing with it")

func TestStopWords(t *testing.T) {
	var out bytes.Buffer
	out.WriteString("# Written by _generate from bleve's analysis packages; see NOTICE for their origin.\n")
	for _, list := range lists {
		words, err := parse(list.raw)
		if err != nil {
			t.Fatalf("%s: %v", list.code, err)
		}
		fmt.Fprintf(&out, "%s %s\n", list.code, strings.Join(respell(list.code, words), " "))
	}
	if err := finish(out.Bytes(), !*update); err != nil {
		t.Fatal(err)
	}
}

// finish writes the file, or says whether it is as it should be.
func finish(want []byte, check bool) error {
	const path = "../stopwords.txt"
	if !check {
		return os.WriteFile(path, want, 0o644)
	}
	have, err := os.ReadFile(path)
	if err == nil && !bytes.Equal(have, want) {
		err = errors.New("corpus/text/stopwords.txt is stale: run go generate ./corpus/text")
	}
	return err
}

// parse returns the words of one list in byte order.
func parse(raw []byte) ([]string, error) {
	set := analysis.NewTokenMap()
	if err := set.LoadBytes(raw); err != nil {
		return nil, err
	}
	var words []string
	for word := range set {
		words = append(words, strings.Fields(word)...)
	}
	slices.Sort(words)
	return slices.Compact(words), nil
}

// respell turns words into the letters that people write today. Two lists
// need it: the Persian one is meant for text whose yeh and kaf have been made
// Arabic, the Romanian one has s and t with a cedilla and gets the forms with a
// comma in addition.
func respell(code string, words []string) []string {
	switch code {
	case "fa":
		modern := strings.NewReplacer("ي", "ی", "ك", "ک")
		for i, w := range words {
			words[i] = modern.Replace(w)
		}
	case "ro":
		modern := strings.NewReplacer("ş", "ș", "ţ", "ț")
		for _, w := range words {
			words = append(words, modern.Replace(w))
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}
