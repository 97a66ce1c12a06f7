package explore

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"io/fs"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

//go:embed page/page.html page/style.css page/*.js
var pageFiles embed.FS

// parts are the texts of a page that no model changes.
type parts struct {
	before, after string // of the data
	fault         error
}

// modelParts, servedParts and comparisonParts join the modules of the kinds of pages once.
// A page of a server may ask that server; files ask nobody.
var (
	modelParts      = sync.OnceValue(func() parts { return assemble(pageFiles, "main.js", "") })
	servedParts     = sync.OnceValue(func() parts { return assemble(pageFiles, "main.js", "; connect-src 'self'") })
	comparisonParts = sync.OnceValue(func() parts { return assemble(pageFiles, "comparison.js", "") })
)

// assemble makes the page around the data of a main module. The policy forbids everything
// but the one script and the one style sheet, which it names by their hashes, and what is
// allowed beside them.
func assemble(files fs.FS, main, allowed string) parts {
	modules, err := fs.Sub(files, "page")
	if err != nil {
		return parts{fault: err}
	}
	script, err := bundle(modules, main)
	if err != nil {
		return parts{fault: err}
	}
	style, err := fs.ReadFile(modules, "style.css")
	if err != nil {
		return parts{fault: err}
	}
	frame, err := fs.ReadFile(modules, "page.html")
	if err != nil {
		return parts{fault: err}
	}
	policy := fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'", hash(script), hash(string(style))) + allowed
	page := strings.NewReplacer("{{.Policy}}", policy, "{{.Style}}", string(style), "{{.Script}}", script).Replace(string(frame))
	before, after, _ := strings.Cut(page, "{{.Data}}")
	return parts{before: before, after: after}
}

// hash names a text as a Content-Security-Policy does.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// write writes a page with the given data.
func (p parts) write(w io.Writer, title string, data []byte) error {
	if p.fault != nil {
		return p.fault
	}
	if _, err := io.WriteString(w, strings.Replace(p.before, "{{.Title}}", html.EscapeString(title), 1)); err != nil {
		return err
	}
	encoder := base64.NewEncoder(base64.StdEncoding, w)
	z := gzip.NewWriter(encoder)
	if _, err := z.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	if err := encoder.Close(); err != nil {
		return err
	}
	_, err := io.WriteString(w, p.after)
	return err
}
