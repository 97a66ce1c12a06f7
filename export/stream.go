package export

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// Stream writes the topics of documents that come a few at a time, as soon as they are known. It is for
// pipes and connections. Its output is the same as that of [Infer] for the same documents.
type Stream struct {
	j    *job
	out  *bufio.Writer
	text func(l *line, v *docView)
	view *docView
	line line
}

// NewStream returns a stream that writes to w in the format csv or jsonl.
func NewStream(m *topoi.Model, format string, w io.Writer, how topoi.InferOptions, o Options) (*Stream, error) {
	j, err := newInference(context.Background(), m, nil, how, o)
	if err != nil {
		return nil, err
	}
	s := &Stream{j: j, out: bufio.NewWriterSize(w, 1<<16), view: j.newView()}
	switch format {
	case "csv":
		s.text = j.csvDocRows
		return s, j.csvHeader(s.out, docTopicsHeader)
	case "jsonl":
		s.text = j.jsonLine
		return s, nil
	}
	return nil, fmt.Errorf("%s cannot be written document by document: a stream is csv or jsonl", format)
}

// Write finds the topics of docs and writes them before it returns. Documents have the numbers of
// [corpus.Corpus.Number].
func (s *Stream) Write(ctx context.Context, docs *corpus.Corpus) error {
	err := s.j.model.Infer(ctx, docs, s.j.how, func(d *topoi.DocTopics) error {
		s.j.show(s.view, docItem{docs: docs, doc: d.Doc, inferred: d})
		s.line = s.line[:0]
		s.text(&s.line, s.view)
		_, err := s.out.Write(s.line)
		return err
	})
	if err != nil {
		return err
	}
	return s.out.Flush()
}

// writeFile writes one file whole or not at all, or writes to standard output. The extension .gz or .zst
// compresses it.
func writeFile(path, extension string, text bool, threads int, write func(io.Writer) error) error {
	if path == "-" {
		return buffered(human.Screen(os.Stdout), write)
	}
	if !text && (extension == ".gz" || extension == ".zst") {
		return fmt.Errorf("cannot write %s: this format is already compressed; choose a name without %s", path, extension)
	}
	return wholefile.Write(path, func(w io.Writer) error { return compressed(w, extension, threads, write) })
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 1<<18)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}

// writeDirectory writes all files into a new directory, whole or not at all.
func writeDirectory(j *job, files []file, path string) error {
	if path == "-" {
		return errors.New("this format is a directory of several files: give the name of a directory instead of -")
	}
	path = filepath.Clean(path)
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("cannot write %s: %w; choose another name or remove it", path, fs.ErrExist)
	}
	made, err := wholefile.MakeDir(path)
	if err != nil {
		return err
	}
	defer made.Abort() // nothing is left after the rename
	temporary := made.Temporary
	for _, f := range files {
		err := writeFile(filepath.Join(temporary, f.name), "", true, j.threads(),
			func(w io.Writer) error { return f.write(j, w) })
		if err != nil {
			return err
		}
	}
	if err := os.Rename(temporary, path); err != nil {
		return wholefile.Explain(path, err)
	}
	return wholefile.SyncDir(filepath.Dir(path))
}

// Lines makes the jsonl lines that [Infer] and [Stream] write, from topics that were inferred elsewhere. It
// is for servers. It belongs to one goroutine and takes 8 bytes a topic.
type Lines struct {
	j    *job
	view *docView
}

// Head is what a line contains about a document beside its topics.
type Head struct {
	Doc             int    // its number
	ID, Label, Time string // as in the input; an empty ID becomes the number
}

// NewLines returns the lines for a model's documents. It reads the model's labels.
func NewLines(m *topoi.Model) (*Lines, error) {
	j := &job{modelJob: modelJob{model: m}}
	var err error
	if j.labels, err = m.Labels(); err != nil {
		return nil, err
	}
	return &Lines{j: j, view: j.newView()}, nil
}

// Clone returns lines for another goroutine. It does not sort the model's priors again.
func (l *Lines) Clone() *Lines {
	j := *l.j
	return &Lines{j: &j, view: j.newView()}
}

// Append appends the line of a document. It uses Options.Top and Options.MinTheta of o, and ignores other
// options and d.Doc.
func (l *Lines) Append(dst []byte, head Head, d *topoi.DocTopics, o Options) []byte {
	l.j.options = o
	v := l.view
	v.doc, v.id, v.label, v.time, v.tokens = head.Doc, cmp.Or(head.ID, strconv.Itoa(head.Doc)), &head.Label, &head.Time,
		d.Tokens
	v.take(d)
	out := line(dst)
	l.j.jsonLine(&out, v)
	return out
}

// line builds lines of text without allocating.
type line []byte

func (l *line) str(s string) { *l = append(*l, s...) }
func (l *line) byte(c byte)  { *l = append(*l, c) }

// int and uint write a number, and what stands after it.
func (l *line) int(i int, after ...byte) { *l = append(strconv.AppendInt(*l, int64(i), 10), after...) }

func (l *line) uint(i uint32, after ...byte) {
	*l = append(strconv.AppendUint(*l, uint64(i), 10), after...)
}

// float writes the shortest number that is read back as x, and what stands after it.
func (l *line) float(x float64, after ...byte) {
	*l = append(strconv.AppendFloat(*l, x, 'g', -1, 64), after...)
}

// field writes a word or an id into a format that separates fields by white space, and what stands after
// it. White space and characters that could control a terminal become underscores, and so does an empty field.
func (l *line) field(s []byte, after ...byte) {
	if len(s) == 0 {
		l.byte('_')
	}
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		if unicode.IsSpace(r) || steers(s[0], r) {
			l.byte('_')
		} else {
			*l = append(*l, s[:n]...)
		}
		s = s[n:]
	}
	*l = append(*l, after...)
}

// steers reports whether a character, the first byte of which is c, could control a terminal. Other bytes
// that are not UTF-8 stay, because users may search for the word.
func steers(c byte, r rune) bool {
	if r == utf8.RuneError {
		return c < 0xA0
	}
	return !human.Safe(r, utf8.RuneLen(r))
}
