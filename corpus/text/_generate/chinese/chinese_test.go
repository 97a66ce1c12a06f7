// Package chinese compares ../../chinese.dict, the words by which Chinese is cut, with the
// dictionaries of the segmenter gse, or writes it: the most frequent words of simplified
// Chinese, and of traditional Chinese those that differ.
//
// The segmenter itself is not used: with its dictionaries it adds more than ten
// megabytes to a program, the file made here less than half of one. "go generate
// ./corpus/text" writes the file.
package chinese

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	module = "github.com/go-ego/gse@v0.80.3"
	output = "../../chinese.dict"

	simplifiedWords  = 100_000
	traditionalWords = 50_000
	maxLength        = 8 // characters
)

// The characters that a word may have: the first block of Han.
const firstChar, lastChar = '\u4E00', '\u9FFF'

var update = flag.Bool("update", false, "write the file instead of comparing with it")

func TestChinese(t *testing.T) {
	dir, err := download()
	if err == nil {
		err = generate(filepath.Join(dir, "data", "dict", "zh"), !*update)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// download returns the directory of the module in the Go tool's cache.
func download() (string, error) {
	out, err := exec.Command("go", "mod", "download", "-json", module).Output()
	if err != nil {
		return "", fmt.Errorf("go mod download %s: %w", module, err)
	}
	var answer struct{ Dir string }
	return answer.Dir, json.Unmarshal(out, &answer)
}

func generate(dir string, check bool) error {
	words, err := read(filepath.Join(dir, "s_1.txt"), simplifiedWords, nil)
	if err != nil {
		return err
	}
	if words, err = read(filepath.Join(dir, "t_1.txt"), traditionalWords, words); err != nil {
		return err
	}
	plain := encode(words)
	if check {
		return compare(plain)
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return err
	}
	_, err = w.Write(plain)
	if err := errors.Join(err, w.Close()); err != nil {
		return err
	}
	fmt.Printf("%d words, %d bytes\n", len(words), packed.Len())
	return os.WriteFile(output, packed.Bytes(), 0o666)
}

// compare checks the file without its compression, which another version of Go
// may do differently.
func compare(plain []byte) error {
	packed, err := os.ReadFile(output)
	if err != nil {
		return err
	}
	got, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil || !bytes.Equal(got, plain) {
		return errors.New("chinese.dict is not up to date: run go generate ./corpus/text")
	}
	return nil
}

// word is a word with its cost, 8 log2(tokens / occurrences).
type word struct {
	text string
	cost byte
}

// read adds to words the most frequent ones of a dictionary that it does not
// have, and all its single characters. A line has a word, its occurrences and its part of speech.
func read(path string, most int, words []word) ([]word, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	counts := map[string]float64{}
	total := 0.0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 || !eligible(fields[0]) {
			continue
		}
		n, err := strconv.ParseFloat(fields[1], 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		counts[fields[0]] = max(counts[fields[0]], n, 1)
		total += n
	}
	for _, w := range words {
		delete(counts, w.text)
	}
	list := make([]string, 0, len(counts))
	for text := range counts {
		list = append(list, text)
	}
	single := func(s string) int { return min(len([]rune(s)), 2) }
	slices.SortFunc(list, func(x, y string) int {
		return cmp.Or(cmp.Compare(single(x), single(y)), cmp.Compare(counts[y], counts[x]), cmp.Compare(x, y))
	})
	for _, text := range list[:min(most, len(list))] {
		cost := math.Round(8 * math.Log2(total/counts[text]))
		words = append(words, word{text, byte(min(max(cost, 1), 255))})
	}
	return words, nil
}

func eligible(text string) bool {
	n := 0
	for _, r := range text {
		if r < firstChar || r > lastChar {
			return false
		}
		n++
	}
	return n > 0 && n <= maxLength
}

// encode writes the number of words in four bytes, then the words in the order of their
// characters, then their costs. A word is one byte, the number of characters that it shares with the
// beginning of the one before (high half) and the number of those that follow (low half), and
// these, two bytes each, counted from the first of the block. Numbers are big-endian.
func encode(words []word) []byte {
	slices.SortFunc(words, func(x, y word) int { return cmp.Compare(x.text, y.text) })
	out := binary.BigEndian.AppendUint32(nil, uint32(len(words)))
	var last []rune
	for _, w := range words {
		chars := []rune(w.text)
		n := 0
		for n < len(last) && n < len(chars) && last[n] == chars[n] {
			n++
		}
		out = append(out, byte(n<<4|len(chars)-n))
		for _, r := range chars[n:] {
			out = binary.BigEndian.AppendUint16(out, uint16(r-firstChar))
		}
		last = chars
	}
	for _, w := range words {
		out = append(out, w.cost)
	}
	return out
}
