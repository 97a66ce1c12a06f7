package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// house is the tree as its tests see it.
type house struct {
	files   *token.FileSet
	parsed  map[string]*ast.File // Go files by path
	names   map[string]bool      // identifiers of Go, and words of other sources
	owners  map[string]bool      // packages and types of this tree
	paths   map[string]bool      // files and directories, and all ends of their paths
	pages   []string             // Markdown
	skipped *regexp.Regexp
}

// readHouse reads all sources below the root, once for all tests.
var readHouse = sync.OnceValues(func() (*house, error) {
	h := &house{
		files: token.NewFileSet(), parsed: map[string]*ast.File{}, names: map[string]bool{}, owners: map[string]bool{},
		paths: map[string]bool{}, skipped: regexp.MustCompile(`(^|/)(\.git|node_modules|dist)$`),
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		for end := path; ; {
			h.paths[end] = true
			_, rest, more := strings.Cut(end, "/")
			if !more {
				break
			}
			end = rest
		}
		switch {
		case d.IsDir() && h.skipped.MatchString(path):
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		return h.read(path)
	})
	return h, err
})

// newHouse returns the tree.
func newHouse(t *testing.T) *house {
	t.Helper()
	goToRoot(t)
	h, err := readHouse()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

var word = regexp.MustCompile(`[A-Za-z_]\w*`)

// read takes a file in.
func (h *house) read(name string) error {
	switch path.Ext(name) {
	case ".md":
		h.pages = append(h.pages, name)
		return nil
	case ".go":
		if strings.Contains(name, "testdata/") {
			return nil
		}
	case ".cu", ".h", ".s", ".js", ".mjs", ".py", ".R", ".yaml", ".yml", ".lua", ".json", ".css", ".html", ".sh":
		text, err := os.ReadFile(name)
		for _, w := range word.FindAllString(string(text), -1) {
			h.names[w] = true
		}
		return err
	default:
		return nil
	}
	file, err := parser.ParseFile(h.files, name, nil, parser.ParseComments)
	if err != nil {
		return err
	}
	h.parsed[name] = file
	h.owners[file.Name.Name] = true
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
			for _, s := range d.Specs {
				h.owners[s.(*ast.TypeSpec).Name.Name] = true
			}
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile(name, -1, len(text)), text, nil, 0)
	for {
		_, tok, literal := s.Scan()
		switch tok {
		case token.EOF:
			return nil
		case token.IDENT:
			h.names[literal] = true
		case token.STRING:
			for _, w := range word.FindAllString(literal, -1) {
				h.names[w] = true
			}
		}
	}
}

// What the house holds to. Generated files are not counted.
const (
	mostPackage  = 5000 // lines without tests
	mostFile     = 400  // lines
	mostFunction = 75   // lines
	mostMethods  = 30   // of a type
	mostFields   = 15   // of a run, the type that everything could be put into
	mostLine     = 120  // characters
	mostLong     = 0.25 // % of lines that may have more: tables of words and struct tags
)

// Packages, files, functions and types keep to their sizes.
func TestSizes(t *testing.T) {
	h := newHouse(t)
	sizes := map[string][2]int{} // by what: its size, and the most
	add := func(what string, n, most int) { sizes[what] = [2]int{sizes[what][0] + n, most} }
	long, all := 0, 0
	for name, file := range h.parsed {
		if strings.HasSuffix(name, "_test.go") || ast.IsGenerated(file) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		add(packageOf(name), len(lines), mostPackage)
		add(name, len(lines), mostFile)
		all += len(lines)
		for _, line := range lines {
			if len([]rune(line)) > mostLine {
				long++
			}
		}
		h.measure(name, file, add)
	}
	for what, size := range sizes {
		if size[0] > size[1] {
			t.Errorf("%s has %d, and %d is the most: cut it", what, size[0], size[1])
		}
	}
	if share := 100 * float64(long) / float64(all); share > mostLong {
		t.Errorf("%.2f %% of lines have more than %d characters, and %.1f %% is the most", share, mostLine, mostLong)
	}
}

// packageOf is the directory of a file.
func packageOf(name string) string {
	if dir := path.Dir(name); dir != "." {
		return dir
	}
	return "topoi"
}

// measure adds the functions of a file, and the methods of its types.
func (h *house) measure(name string, file *ast.File, add func(what string, n, most int)) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			h.measureFields(packageOf(name), d.(*ast.GenDecl), add)
			continue
		}
		receiver := ""
		if f.Recv != nil {
			receiver = "." + typeName(f.Recv.List[0].Type)
			add(packageOf(name)+receiver, 1, mostMethods)
		}
		lines := h.files.Position(f.End()).Line - h.files.Position(f.Pos()).Line + 1
		if f.Name.Name != "init" { // of which a file may have several
			add(fmt.Sprintf("%s%s.%s", name, receiver, f.Name), lines, mostFunction)
		}
	}
}

// measureFields adds the fields of a run.
func (h *house) measureFields(pkg string, d *ast.GenDecl, add func(what string, n, most int)) {
	for _, s := range d.Specs {
		if s, ok := s.(*ast.TypeSpec); ok && pkg == "topoi" && s.Name.Name == "run" {
			add("fields of topoi.run", s.Type.(*ast.StructType).Fields.NumFields(), mostFields)
		}
	}
}

// typeName is the name of a receiver's type.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

var (
	// camel is a word that can only be an identifier.
	camel = regexp.MustCompile(`\b[a-z][a-z0-9]*[A-Z]\w*\b`)

	// dotted is a name of a package or a type, and one in it.
	dotted = regexp.MustCompile(`\b([A-Za-z]\w*)\.([A-Z]\w*)\b`)

	// sourceFile is a file of sources.
	sourceFile = regexp.MustCompile(`[\w*{][\w./*{},-]*\.(go|cu|h|s|sh|mjs|py)\b`)
)

// Comments name identifiers and files that there are.
func TestCommentsNameWhatThereIs(t *testing.T) {
	h := newHouse(t)
	for _, file := range h.parsed {
		for _, group := range file.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//go:") {
					continue
				}
				h.checkNames(t, h.files.Position(c.Pos()).String(), c.Text)
			}
		}
	}
}

// checkNames checks the names in a comment.
func (h *house) checkNames(t *testing.T, at, text string) {
	for _, name := range camel.FindAllString(text, -1) {
		if len(name) > 4 && !h.names[name] && !notGo[name] { // shorter ones are formulas
			t.Errorf("%s: there is no %s", at, name)
		}
	}
	for _, pair := range dotted.FindAllStringSubmatch(text, -1) {
		if h.owners[pair[1]] && !h.names[pair[2]] && !notGo[pair[0]] {
			t.Errorf("%s: there is no %s", at, pair[0])
		}
	}
	for _, name := range sourceFile.FindAllString(text, -1) {
		if strings.ContainsAny(name, "*{,") || strings.Contains(name, "NAME") || notGo[name] {
			continue
		}
		if !h.paths[path.Clean(strings.TrimPrefix(name, "./"))] {
			t.Errorf("%s: there is no file %s", at, name)
		}
	}
}

// notGo are words in comments that look like identifiers, or files, of this tree and are others'.
var notGo = map[string]bool{
	"cuda.h": true, "go_asm.h": true, "name.cu": true, "module.cu": true, "x.cu": true, "x.go": true, "x_device.go": true,
	"load.py": true, "u.s": true, "go.h": true, "kernels_avx512_amd64.s": true, // examples, and files of others
	"estimateEffect": true, "labelTopics": true, "topicCorr": true, // functions of the R package stm
	"clubSandwich": true, "vcovCR": true, // a package of R, and a function of it
	"devTIME": true, "sharesS": true, "fatesS": true, "wordsS": true, "timeSharesC": true, "timeLowC": true,
	"timeHighC": true, "docBinsC": true, "columnNumbersC": true, "columnSizesC": true, "columnLevelsC": true,
	"columnSharesC": true, "columnLowC": true, "columnHighC": true, // names that are put together
}

var backticked = regexp.MustCompile("`([^`\n]+)`")

// Pages name files and directories of sources that there are.
func TestPagesNameWhatThereIs(t *testing.T) {
	h := newHouse(t)
	directory := regexp.MustCompile(`^(internal|cmd|bench|corpus|explore|cluster|docs|deploy|release|python|r)/[\w./-]+$`)
	for _, page := range h.pages {
		if page == "CHANGELOG.md" {
			continue
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, quoted := range backticked.FindAllStringSubmatch(string(text), -1) {
			name := quoted[1]
			if strings.Contains(name, "NAME") || notGo[name] || strings.ContainsAny(name, " *{<$") {
				continue
			}
			if source := sourceFile.FindString(name); source != name && !directory.MatchString(name) {
				continue
			}
			if !h.paths[path.Clean(name)] {
				t.Errorf("%s: there is no %s", page, name)
			}
		}
	}
}
