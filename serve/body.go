package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
)

// mediaType returns the media type of a body without parameters.
func mediaType(r *http.Request) (string, error) {
	given := r.Header.Get("Content-Type")
	kind, extra, err := mime.ParseMediaType(given)
	known := []string{"", "utf-8", "UTF-8", "utf8", "us-ascii", "US-ASCII"}
	if err != nil || !slices.Contains(known, extra["charset"]) {
		return "", unsupported("the Content-Type is %s: it must be application/json, application/x-ndjson or text/plain, "+
			"in UTF-8", shown(given))
	}
	return kind, nil
}

func unsupported(format string, args ...any) *problem {
	return newProblem(http.StatusUnsupportedMediaType, "unsupported_media_type", format, args...)
}

// body is the body of a request, decompressed and limited in size.
type body struct {
	in   io.Reader
	left int64 // bytes that may still be read
	most int64
	size int64 // size given in the header; 0 or less if unknown
}

// openBody returns the body of a request, limited to most bytes.
func openBody(r *http.Request, most int64) (*body, error) {
	b := &body{in: r.Body, left: most, most: most}
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
		if r.ContentLength > most {
			return nil, b.exceeded()
		}
		b.size = r.ContentLength
	case "gzip":
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, bodyFault(err)
		}
		b.in = z
	default:
		return nil, unsupported("the Content-Encoding is %s: it must be gzip, or none", shown(encoding))
	}
	return b, nil
}

func (b *body) exceeded() error {
	return tooLarge("the body has more than %d bytes, which is the limit", b.most)
}

func (b *body) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.in.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, b.exceeded()
	}
	if err != nil && err != io.EOF {
		err = bodyFault(err)
	}
	return n, err
}

// bodyFault returns what is wrong with a body that cannot be read.
func bodyFault(err error) error {
	if _, ok := errors.AsType[*problem](err); ok {
		return err
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return newProblem(http.StatusRequestTimeout, "too_slow", "the body did not arrive in time")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return badRequest("the body is incomplete")
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return badRequest("the body is not valid gzip")
	}
	return badRequest("the body cannot be read: %v", err)
}

// readAll reads a body into memory within the budget and before the answer is due. release returns the
// memory to the budget.
func (s *Server) readAll(ctx context.Context, a *answer, in *body) (data []byte, release func(), err error) {
	held := int64(0)
	release = func() { s.buffered.Release(held) }
	if deadline, ok := ctx.Deadline(); ok {
		_ = a.control.SetReadDeadline(deadline.Add(-s.limits.Time / 50)) // leaves time to report it
		defer func() {
			if err == nil {
				_ = a.control.SetReadDeadline(time.Time{})
			}
		}()
	}
	step := int64(64 << 10)
	if in.size > 0 {
		step = min(step, in.size+1) // one more, to see the end
	}
	for {
		if !s.buffered.TryAcquire(step) {
			return nil, release, busy(s.queue.retryAfter())
		}
		held += step
		n := len(data)
		data = append(data, make([]byte, step)...)
		m, err := io.ReadFull(in, data[n:])
		if data = data[:n+m]; err == io.EOF || err == io.ErrUnexpectedEOF {
			return data, release, nil
		} else if err != nil {
			return nil, release, err
		}
		step = held // double the size
	}
}

// parseBody reads the documents in a JSON body and the options beside them.
func (s *Server) parseBody(data []byte, p *params, known []param) ([]document, error) {
	if at := invalidUTF8(data); at >= 0 {
		return nil, badRequest("byte %d of the body is not UTF-8", at+1)
	}
	top := map[string]json.RawMessage{}
	twice := ""
	keep := func(name, value []byte) {
		if _, again := top[string(name)]; again {
			twice = string(name)
		}
		top[string(name)] = value
	}
	if !json.Valid(data) || !each(data, '{', keep) {
		return nil, notObject(data)
	}
	if twice != "" {
		return nil, repeated(twice)
	}
	raw, given := top["documents"]
	delete(top, "documents")
	for name, value := range top {
		if err := p.fromJSON(name, value, known, s.limits); err != nil {
			return nil, err
		}
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	if !given {
		return nil, badRequest(`"documents" is missing: a body looks like {"documents": ["a text", {"tokens": ["a", "word"]}]}`)
	}
	var list [][]byte
	if !each(raw, '[', func(_, value []byte) { list = append(list, value) }) {
		return nil, badRequest(`"documents" is %s: it must be an array`, shown(string(raw)))
	}
	if len(list) > s.limits.Docs {
		return nil, tooLarge("there are %d documents: at most %d are allowed, except as lines of application/x-ndjson",
			len(list), s.limits.Docs)
	}
	docs := make([]document, len(list))
	for i, one := range list {
		var err error
		if docs[i], err = documentOf(one, s.limits); err != nil {
			return nil, problemOf(err).about(i)
		}
	}
	return docs, nil
}

// repeated returns the fault of a name that an object has twice: readers differ in which of the values they take.
func repeated(name string) error { return badRequest("%s appears twice in an object", shown(name)) }

// distinctNames returns the fault of an object, in valid JSON, that has a name twice, in any case. It also looks at the
// objects, and arrays of objects, of the members that are named, and so on to the given depth.
func distinctNames(data []byte, depth int, below ...string) (err error) {
	seen := map[string]bool{}
	each(data, '{', func(name, value []byte) {
		key := strings.ToLower(string(name))
		if seen[key] && err == nil {
			err = repeated(string(name))
		}
		seen[key] = true
		if err != nil || depth == 0 || !slices.Contains(below, key) {
			return
		}
		err = distinctNames(value, depth-1, below...)
		each(value, '[', func(_, element []byte) {
			if err == nil {
				err = distinctNames(element, depth-1, below...)
			}
		})
	})
	return err
}

// notObject returns why a body is not a JSON object.
func notObject(data []byte) error {
	err := json.Unmarshal(data, new(json.RawMessage))
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		line := 1 + bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
		return badRequest("the body is not valid JSON: line %d, byte %d: %v", line, syntax.Offset, err)
	}
	return badRequest(`the body must be a JSON object that looks like {"documents": ["a text"]}`)
}

// invalidUTF8 returns the first position where data is not UTF-8, or -1.
func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// requestDocs reads the documents of a request that is answered as a whole. The caller must always call
// release, which returns their memory.
func (s *Server) requestDocs(ctx context.Context, a *answer, r *http.Request, p *params, known []param,
) (docs []document, release func(), err error) {
	release = func() {}
	kind, err := mediaType(r)
	if err != nil {
		return nil, release, err
	}
	if kind != "application/json" && kind != "text/plain" {
		return nil, release, unsupported("the Content-Type is %s: it must be application/json, "+
			"or text/plain for one document", shown(kind))
	}
	in, err := openBody(r, s.limits.Body)
	if err != nil {
		return nil, release, err
	}
	data, release, err := s.readAll(ctx, a, in)
	if err != nil {
		return nil, release, err
	}
	if kind == "application/json" {
		docs, err = s.parseBody(data, p, known)
		return docs, release, err
	}
	if at := invalidUTF8(data); at >= 0 {
		return nil, release, badRequest("byte %d of the text is not UTF-8", at+1)
	}
	return []document{{text: data}}, release, nil
}
