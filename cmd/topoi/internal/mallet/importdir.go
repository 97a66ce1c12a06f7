package mallet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/corpus/source"
)

// ImportDir is import-dir: one document a file.
type ImportDir struct {
	textOptions
	inputs               []string
	skipHeader, skipHTML bool
	grams                string
}

var dirRefusals = append(refusals{
	{"binary-features", "bool", nil, "topic models need the counts of words"},
	{"save-text-in-source", "bool", nil, "the beginning of every text is kept, not more"},
	{"string-pipe", "string", nil, "topoi runs no Java"},
	{"token-pipe", "string", nil, "topoi runs no Java"},
	{"fv-pipe", "string", nil, "topoi runs no Java"},
}, textRefusals...)

func (c *ImportDir) Flags(fs, refused *pflag.FlagSet) {
	fs.StringArrayVar(&c.inputs, "input", nil,
		"`directories` of text files, one document each; hidden files are left out (required)")
	c.flags(fs)
	fs.BoolVar(&c.skipHeader, "skip-header", false, "skip the text before the first blank line of a file")
	fs.BoolVar(&c.skipHTML, "skip-html", false, "skip the text between < and >")
	fs.StringVar(&c.grams, "gram-sizes", "1", "`lengths` of n-grams, such as 1,2 for words and pairs of words")
	dirRefusals.define(fs, refused)
}

func (c *ImportDir) Check(fs *pflag.FlagSet) error {
	faults := []error{needed(fs, "input"), c.check(), dirRefusals.check(fs)}
	for _, field := range strings.Split(c.grams, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || n < 1 {
			faults = append(faults, fmt.Errorf("--gram-sizes is %s: it must list lengths of 1 or more, such as 1,2",
				c.grams))
			break
		}
		c.runs = append(c.runs, n)
	}
	return errors.Join(faults...)
}

func (c *ImportDir) Run(ctx context.Context, _ *pflag.FlagSet, env Env) error {
	o, err := c.importOptions()
	if err != nil {
		return err
	}
	o.Source.Format, o.Source.Pattern = "text", "[^.]*"
	s := &dirSource{dirs: c.inputs, options: o.Source, header: c.skipHeader, html: c.skipHTML}
	if err := s.open(); err != nil {
		return err
	}
	return importSource(ctx, s, c.output, o, env)
}

// dirSource reads the files of directories one after the other. A document has the address of its file for a name and
// the name of its directory for a label.
type dirSource struct {
	*source.Reader
	dirs    []string // not yet opened
	options source.Options
	header  bool // leave out headers
	html    bool // leave out tags

	address string // of the open directory
	label   []byte
	id      []byte

	shown atomic.Pointer[source.Reader] // Reader, for other goroutines
}

// Progress tells how far the open directory is. It may be called from any goroutine.
func (s *dirSource) Progress() (read, total int64) { return s.shown.Load().Progress() }

// open opens the next directory.
func (s *dirSource) open() error {
	dir := s.dirs[0]
	s.dirs = s.dirs[1:]
	path, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	r, err := source.Open([]string{dir}, s.options)
	if err != nil {
		return err // the reader before stays, closed: it is still asked how far it is
	}
	s.Reader = r
	s.shown.Store(r)
	s.address, s.label = fileAddress(path, filepath.Separator), []byte(filepath.Base(path))
	return nil
}

func (s *dirSource) Next(doc *source.Document) error {
	err := s.Reader.Next(doc)
	for err == io.EOF && len(s.dirs) > 0 {
		if err = s.Reader.Close(); err == nil {
			if err = s.open(); err == nil {
				err = s.Reader.Next(doc)
			}
		}
	}
	if err != nil {
		return err
	}
	s.id = fmt.Appendf(s.id[:0], "%s/%s", s.address, escapePath(string(doc.ID)))
	doc.ID, doc.Label = s.id, s.label
	doc.Text = s.clean(doc.Text)
	return nil
}

var tag = regexp.MustCompile(`<[^>]*>`)

// clean leaves out of a text what the options say.
func (s *dirSource) clean(text []byte) []byte {
	if s.header {
		for _, blank := range []string{"\n\n", "\n\r\n"} {
			if _, body, ok := bytes.Cut(text, []byte(blank)); ok {
				text = body
				break
			}
		}
	}
	if s.html {
		text = tag.ReplaceAll(text, []byte(" "))
	}
	return text
}

// fileAddress returns a path as Java writes it: file:/home/me/texts, and file:/C:/texts where the separator is a
// backslash.
func fileAddress(path string, separator rune) string {
	path = strings.ReplaceAll(path, string(separator), "/")
	if !strings.HasPrefix(path, "/") { // C:/texts
		path = "/" + path
	}
	return "file:" + escapePath(path)
}

// escapePath escapes what may not stand in an address, but leaves letters of all languages.
func escapePath(path string) string {
	var b strings.Builder
	for _, r := range path {
		if r < utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsDigit(r) &&
			!strings.ContainsRune("/-_.!~*'():@&=+$,", r) {
			fmt.Fprintf(&b, "%%%02X", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
