// Package webpage makes pages of one file: data, code and style in one document that needs no network and no other
// file, under a Content-Security-Policy that lets nothing run but its own script.
//
// A page is a main module and those that it imports: its own, which a package embeds in a directory called page, and
// the ones of this package, which all pages share. They are joined into one script (see below). The data is a pack
// (see Pack), compressed by gzip and written as base64.
package webpage

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"

	"github.com/topoi-lda/topoi/internal/mapfile"
)

//go:embed page/page.html page/style.css page/*.js
var shared embed.FS

// Frame is the text of a page that no data changes.
type Frame struct {
	before, after string // of the data
	fault         error
}

// overlay has the files of the first that has them.
type overlay []fs.FS

func (o overlay) Open(name string) (fs.File, error) {
	for _, files := range o {
		f, err := files.Open(name)
		if !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Assemble makes the frame of a main module, in the directory page of files. The policy forbids everything but the one
// script and the one style sheet, which it names by their hashes, and what is allowed beside them, as a policy says it.
func Assemble(files fs.FS, main string, allowed ...string) Frame {
	own, errOwn := fs.Sub(files, "page")
	common, errCommon := fs.Sub(shared, "page")
	if err := cmp.Or(errOwn, errCommon); err != nil {
		return Frame{fault: err}
	}
	modules := overlay{own, common}
	script, errScript := bundle(modules, main)
	style, errStyle := fs.ReadFile(modules, "style.css")
	frame, errFrame := fs.ReadFile(modules, "page.html")
	if err := cmp.Or(errScript, errStyle, errFrame); err != nil {
		return Frame{fault: err}
	}
	policy := fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'",
		hash(script), hash(string(style)))
	policy = strings.Join(append([]string{policy}, allowed...), "; ")
	page := strings.NewReplacer("{{.Policy}}", policy, "{{.Style}}", string(style), "{{.Script}}",
		script).Replace(string(frame))
	before, after, _ := strings.Cut(page, "{{.Data}}")
	return Frame{before: before, after: after}
}

// hash names a text as a Content-Security-Policy does.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// Write writes a page with the given data.
func (f Frame) Write(w io.Writer, title string, data []byte) error {
	if f.fault != nil {
		return f.fault
	}
	if _, err := io.WriteString(w, strings.Replace(f.before, "{{.Title}}", html.EscapeString(title), 1)); err != nil {
		return err
	}
	encoder := base64.NewEncoder(base64.StdEncoding, w)
	z := gzip.NewWriter(encoder)
	_, err := z.Write(data)
	if err := cmp.Or(err, z.Close(), encoder.Close()); err != nil {
		return err
	}
	_, err = io.WriteString(w, f.after)
	return err
}

// bundle joins the ES modules that main needs into one script. Every module becomes a function that is called once
// and returns what the module exports, so that names of different modules never meet. It knows the one form of import
// and the one form of export that package webpage uses:
//
//	import { a, b } from "./other.js";
//	export function a() …, export class A …, export const a = …
//
// and names the line of anything else.
func bundle(files fs.FS, main string) (string, error) {
	b := bundler{files: files, state: map[string]int{}}
	if err := b.visit(main); err != nil {
		return "", err
	}
	return "\"use strict\";\n" + b.out.String(), nil
}

type bundler struct {
	files fs.FS
	state map[string]int // by name of the module: one of the following
	out   strings.Builder
}

const (
	unseen = iota
	open   // its imports are being joined
	joined
)

var (
	importForm = regexp.MustCompile(`(?m)^import \{([^}]*)\} from "\./([\w.-]+\.js)";\n`)
	exportForm = regexp.MustCompile(`(?m)^export (?:async )?(?:function\*?|class|const) (\w+)`)
	otherForm  = regexp.MustCompile(`(?m)^(import|export)\b.*$`)
	nameForm   = regexp.MustCompile(`^\w+$`)
)

// visit joins a module after those that it imports.
func (b *bundler) visit(name string) error {
	switch b.state[name] {
	case joined:
		return nil
	case open:
		return fmt.Errorf("module %s imports itself through others", name)
	}
	b.state[name] = open
	source, err := fs.ReadFile(b.files, name)
	if err != nil {
		return err
	}
	code := string(source)
	for _, m := range importForm.FindAllStringSubmatch(code, -1) {
		if err := b.visit(path.Join(path.Dir(name), m[2])); err != nil {
			return err
		}
	}
	body, err := module(name, code)
	if err != nil {
		return err
	}
	b.out.WriteString(body)
	b.state[name] = joined
	return nil
}

// module turns a module into an assignment of its exports to a variable of its own.
func module(name, code string) (string, error) {
	var fault error
	code = importForm.ReplaceAllStringFunc(code, func(s string) string {
		m := importForm.FindStringSubmatch(s)
		for _, imported := range strings.Split(strings.TrimSuffix(strings.TrimSpace(m[1]), ","), ",") {
			if !nameForm.MatchString(strings.TrimSpace(imported)) {
				fault = fmt.Errorf("module %s: cannot import %q: only plain names", name, imported)
			}
		}
		return fmt.Sprintf("const {%s} = %s;\n", m[1], variable(path.Join(path.Dir(name), m[2])))
	})
	if fault != nil {
		return "", fault
	}
	var names []string
	code = exportForm.ReplaceAllStringFunc(code, func(s string) string {
		names = append(names, exportForm.FindStringSubmatch(s)[1])
		return strings.TrimPrefix(s, "export ")
	})
	if line := otherForm.FindString(code); line != "" {
		return "", fmt.Errorf("module %s: cannot join %q", name, line)
	}
	slices.Sort(names)
	return fmt.Sprintf("const %s = (() => {\n%s\nreturn {%s};\n})();\n", variable(name), code,
		strings.Join(names, ", ")), nil
}

// variable returns the name that holds the exports of a module.
func variable(name string) string {
	return "module_" + strings.NewReplacer(".js", "", "/", "_", "-", "_", ".", "_").Replace(name)
}

// Pack gathers the data of a page: a JSON object and named arrays. Its bytes are
//
//	u32 length of the directory, little-endian
//	the directory: JSON {"info": …, "arrays": {name: {"type", "offset", "bytes", "length"}}}
//	zero bytes up to a multiple of 8
//	the arrays, little-endian, each at a multiple of 8 after that point
//
// Types are f64, f32, u16 (as they lie in memory), varint (unsigned LEB128) and text
// (lengths in UTF-16 units as varint, then all strings as one UTF-8 text).
type Pack struct {
	// Info is the JSON object.
	Info any

	arrays map[string]Place
	body   bytes.Buffer
}

// Place is where one array lies.
type Place struct {
	Type   string `json:"type"`
	Offset int    `json:"offset"`          // in the body
	Bytes  int    `json:"bytes"`           // its size
	Length int    `json:"length"`          // its elements
	Split  int    `json:"split,omitempty"` // text: size of the lengths before the strings
}

// NewPack returns an empty one.
func NewPack() *Pack { return &Pack{arrays: map[string]Place{}} }

// add appends the bytes of an array.
func (p *Pack) add(name, kind string, length, split int, b []byte) {
	for p.body.Len()%8 != 0 {
		p.body.WriteByte(0)
	}
	p.arrays[name] = Place{Type: kind, Offset: p.body.Len(), Bytes: len(b), Length: length, Split: split}
	p.body.Write(b)
}

// F64 adds numbers.
func (p *Pack) F64(name string, values []float64) {
	p.add(name, "f64", len(values), 0, mapfile.Bytes(oneNaN(values, math.NaN())))
}

// F32 adds numbers of half the precision.
func (p *Pack) F32(name string, values []float32) {
	p.add(name, "f32", len(values), 0, mapfile.Bytes(oneNaN(values, math.Float32frombits(0x7fc00000))))
}

// oneNaN gives every number that is none the same bits. Processors disagree about them: 0/0 has a sign on amd64 and
// none on arm64, and a page has the same bytes on both.
func oneNaN[T float32 | float64](values []T, nan T) []T {
	isNaN := func(x T) bool { return x != x }
	if !slices.ContainsFunc(values, isNaN) {
		return values
	}
	values = slices.Clone(values)
	for i, x := range values {
		if isNaN(x) {
			values[i] = nan
		}
	}
	return values
}

// U16 adds numbers below 65,536.
func (p *Pack) U16(name string, values []uint16) {
	p.add(name, "u16", len(values), 0, mapfile.Bytes(values))
}

// Varint adds numbers of any integer type that are not negative and below 2³².
func Varint[T ~int | ~uint32 | ~uint64](p *Pack, name string, values []T) {
	b := make([]byte, 0, 2*len(values))
	for _, v := range values {
		b = binary.AppendUvarint(b, uint64(v))
	}
	p.add(name, "varint", len(values), 0, b)
}

// Text adds strings. Bytes that are not UTF-8 become U+FFFD.
func (p *Pack) Text(name string, values []string) {
	var lengths, all []byte
	for _, s := range values {
		if !utf8.ValidString(s) {
			s = strings.ToValidUTF8(s, "\uFFFD")
		}
		lengths = binary.AppendUvarint(lengths, uint64(UTF16Len(s)))
		all = append(all, s...)
	}
	p.add(name, "text", len(values), len(lengths), append(lengths, all...))
}

// UTF16Len returns the length that a browser gives a string.
func UTF16Len(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// Bytes returns the whole pack.
func (p *Pack) Bytes() ([]byte, error) {
	directory, err := json.Marshal(map[string]any{"info": p.Info, "arrays": p.arrays})
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, len(directory)+16+p.body.Len())
	b = binary.LittleEndian.AppendUint32(b, uint32(len(directory)))
	b = append(b, directory...)
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return append(b, p.body.Bytes()...), nil
}
