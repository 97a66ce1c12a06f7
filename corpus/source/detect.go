package source

import (
	"bytes"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/corpus/source/internal/roles"
	"github.com/topoi-lda/topoi/internal/lists"
)

// detectFormat guesses the format of an input from its name and the first bytes of its content, decompressed: 64 KiB are
// enough, fewer only if the input is shorter. It returns a name of Formats; what looks like nothing in particular is
// "lines".
func detectFormat(name string, head []byte) string {
	if f := byMagic(head); f != "" {
		return f
	}
	// A file of this name with a broken body is a broken bag of words, not text.
	if strings.HasPrefix(filepath.Base(name), "docword.") {
		return "uci"
	}
	lines := input.HeadLines(head)
	ext := strings.ToLower(filepath.Ext(input.PlainName(name)))
	if f := byExtension[ext]; f != "" {
		return f
	}
	if ext == ".tsv" || ext == ".tab" {
		return tabbed(lines)
	}
	return byContent(lines)
}

// byExtension gives the formats that a name decides, without .gz and .zst.
var byExtension = map[string]string{
	".csv":      "csv",
	".jsonl":    "jsonl",
	".ndjson":   "jsonl",
	".json":     "jsonl",
	".parquet":  "parquet",
	".npz":      "npz",
	".npy":      "npy",
	".mtx":      "matrix-market",
	".mm":       "matrix-market",
	".svm":      "svmlight",
	".svmlight": "svmlight",
	".libsvm":   "svmlight",
	".ldac":     "lda-c",
	".lda-c":    "lda-c",
	".vw":       "vw",
}

// detect guesses the format of one of n inputs; head is nil for a directory.
func detect(path string, head []byte, n int) (string, error) {
	if head == nil {
		return detectDir(path), input.RefuseModel(path)
	}
	f := detectFormat(path, head)
	if f == "matrix-market" && isTenX(filepath.Dir(path)) && strings.HasPrefix(filepath.Base(path), "matrix.mtx") {
		f = "10x"
	}
	if f == "lines" && n > 1 && strings.EqualFold(filepath.Ext(input.PlainName(path)), ".txt") {
		f = "text"
	}
	if slices.Contains([]string{"lines", "tsv", "mallet", "vw", "svmlight"}, f) {
		return f, input.RefuseLines(path, head)
	}
	return f, nil
}

// detectDir guesses what a directory holds.
func detectDir(path string) string {
	switch {
	case isTenX(path) && input.FindFile(filepath.Join(path, "matrix.mtx")) != "":
		return "10x"
	case input.FindFile(filepath.Join(path, "corpus.tsv")) != "" &&
		input.FindFile(filepath.Join(path, "vocabulary.txt")) != "":
		return "octis"
	}
	return "text"
}

// isTenX tells whether a directory holds the names that belong to a matrix.
func isTenX(dir string) bool {
	return input.FindFile(filepath.Join(dir, "barcodes.tsv")) != "" &&
		input.FindFile(filepath.Join(dir, "features.tsv"), filepath.Join(dir, "genes.tsv")) != ""
}

// byMagic recognises formats that begin with a word of their own.
func byMagic(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte(input.ParquetMagic)):
		return "parquet"
	case input.IsNPZ(head):
		return "npz"
	case bytes.HasPrefix(head, []byte(input.ZipMagic)): // no other archive is read
		return "xlsx"
	case bytes.HasPrefix(head, []byte(input.NPYMagic)):
		return "npy"
	case len(head) > 14 && strings.EqualFold(string(head[:14]), "%%MatrixMarket"):
		return "matrix-market"
	case bytes.HasPrefix(head, stateBanner):
		return "mallet-state"
	}
	return ""
}

// byContent recognises formats by the shape of their first lines.
func byContent(lines [][]byte) string {
	switch {
	case len(lines) == 0:
		return "lines"
	case isUCI(lines):
		return "uci"
	case bytes.HasPrefix(bytes.TrimSpace(lines[0]), []byte("{")):
		return "jsonl"
	case all(lines, isLDAC):
		return "lda-c"
	case all(lines, isSVMLight):
		return "svmlight"
	case all(lines, isVW):
		return "vw"
	case len(lines) > 1 && allNumbers(lines[0]) && len(bytes.Fields(lines[0])) == 1 && !allNumbers(lines[1]):
		return "gibbslda"
	case minTabs(lines) > 0:
		return tabbed(lines)
	case len(lines) > 1 && isNameLine(lines[0]):
		return "csv"
	}
	return "lines"
}

// isNameLine tells whether a line holds names of columns, at least one of them known, with commas between them.
func isNameLine(line []byte) bool {
	fields := strings.Split(string(line), ",")
	listed := 0
	for _, f := range fields {
		if _, exact := roles.Best(f); exact {
			listed++
		}
	}
	prose := bytes.Contains(line, []byte(", ")) // one name among words proves nothing
	return len(fields) > 1 && (listed > 1 || !prose) && roles.HasHeader([][]string{fields})
}

// isUCI tells whether three lines hold one number each and the fourth, if there is one, three. A number there that is
// none of a bag of words, such as -1, is for the reader to refuse.
func isUCI(lines [][]byte) bool {
	if len(lines) < 3 {
		return false
	}
	if !all(lines[:3], func(l []byte) bool { return len(bytes.Fields(l)) == 1 && allNumbers(l) }) {
		return false
	}
	if len(lines) == 3 {
		return true
	}
	entry := bytes.Fields(lines[3])
	return len(entry) == 3 && all(entry, isReal)
}

func isReal(field []byte) bool {
	_, err := strconv.ParseFloat(string(field), 64)
	return err == nil
}

// allNumbers reports whether all words of a line are whole numbers.
func allNumbers(line []byte) bool {
	return all(bytes.Fields(line), func(f []byte) bool { return bytes.IndexFunc(f, input.NotDigit) < 0 })
}

func all(lines [][]byte, is func([]byte) bool) bool {
	return !slices.ContainsFunc(lines, func(l []byte) bool { return !is(l) })
}

// isLDAC tells whether a line begins with the number of the pairs on it.
func isLDAC(line []byte) bool {
	fields := bytes.Fields(line)
	n, ok := input.Digits(fields[0])
	return ok && n == uint64(len(fields)-1) && all(fields[1:], func(f []byte) bool {
		id, value, ok := input.CutPair(f)
		return ok && allNumbers(id) && allNumbers(value) && len(id) > 0 && len(value) > 0
	})
}

// isSVMLight tells whether a line is a target and at least one pair with a number for value.
func isSVMLight(line []byte) bool {
	line, _, _ = bytes.Cut(line, []byte("#"))
	fields := bytes.Fields(line)
	for i, f := range fields {
		key, value, ok := input.CutPair(f)
		if ok != (i > 0) {
			return false
		}
		if i > 0 && (len(key) == 0 || !isReal(value)) {
			return false
		}
	}
	return len(fields) > 1
}

// isVW tells whether a line has a bar with at most three words before it and a blank before the first word behind it.
func isVW(line []byte) bool {
	head, rest, ok := bytes.Cut(line, []byte("|"))
	return ok && len(bytes.Fields(head)) <= 3 && bytes.IndexByte(rest, ' ') >= 0 && bytes.IndexByte(rest, '|') < 0
}

// isOCTIS tells whether the second column of a line is a partition.
func isOCTIS(line []byte) bool {
	columns := strings.SplitN(string(line), "\t", 3)
	return len(columns) > 1 && slices.Contains([]string{"train", "test", "val", "validation", "dev"}, columns[1])
}

// minTabs returns the smallest number of tabs in a line.
func minTabs(lines [][]byte) int {
	least := 0
	for i, l := range lines {
		if n := bytes.Count(l, []byte("\t")); i == 0 || n < least {
			least = n
		}
	}
	return least
}

// tabbed tells the formats with tabs apart: a second column of partitions makes octis; a header, a number of columns
// other than three, or texts in another column than the third make tsv; else three columns make MALLET lines.
func tabbed(lines [][]byte) string {
	rows := lists.Of(lines, func(l []byte) []string { return strings.Split(string(l), "\t") })
	switch {
	case len(lines) > 0 && all(lines, isOCTIS):
		return "octis"
	case roles.HasHeader(rows) || minTabs(lines) != 2 || roles.FirstIsDate(rows) || roles.Longest(rows) != 2:
		return "tsv"
	}
	return "mallet"
}
