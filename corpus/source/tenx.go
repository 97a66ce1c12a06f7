package source

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
)

// openTenX opens the three files that 10x Genomics and its kin write: a matrix
// in Matrix Market format, the names of its features (the words) and the
// barcodes of its cells (the documents). The input is their directory or the
// matrix. Which side of the matrix the cells are on follows from the number of
// features.
func openTenX(path string, in *scanner, o *Options) (Source, error) {
	dir := path
	if in != nil {
		dir = filepath.Dir(path)
	}
	m := &matrix{in: in, o: o}
	if err := m.openTrio(dir); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

func (m *matrix) openTrio(dir string) error {
	features := findFile(filepath.Join(dir, "features.tsv"), filepath.Join(dir, "genes.tsv"))
	if features == "" {
		return missing(dir, "features.tsv or genes.tsv")
	}
	barcodes := findFile(filepath.Join(dir, "barcodes.tsv"))
	if barcodes == "" {
		return missing(dir, "barcodes.tsv")
	}
	var err error
	if m.in == nil {
		path := findFile(filepath.Join(dir, "matrix.mtx"))
		if path == "" {
			return missing(dir, "matrix.mtx")
		}
		if m.file, m.in, err = openScanner(path, m.o); err != nil {
			return err
		}
	}
	if m.vocab, err = readFeatures(features, m.o); err != nil {
		return err
	}
	if m.ids, err = openIDLines(barcodes, m.o); err != nil {
		return err
	}
	return m.header(features)
}

func missing(dir, name string) error {
	e := &Error{File: dir, Msg: "there is no " + name + " (nor .gz or .zst) in this directory"}
	return e.hint("matrix.mtx, features.tsv and barcodes.tsv must lie together")
}

// readFeatures reads the words: the second column, the name of the feature, or
// the only one. A name that was used before gets the feature's id appended.
func readFeatures(path string, o *Options) ([]string, error) {
	f, in, err := openScanner(path, o)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var words []string
	used := make(map[string]bool)
	for {
		line, err := in.next()
		if err == io.EOF {
			return words, nil
		}
		if err != nil {
			return nil, err
		}
		if line, err = checkText(line, in, 0, o); err != nil {
			return nil, err
		}
		id, rest, _ := bytes.Cut(line, []byte("\t"))
		name, _, _ := bytes.Cut(rest, []byte("\t"))
		if len(name) == 0 {
			name = id
		}
		word := string(name)
		if used[word] {
			word = fmt.Sprintf("%s_%s", name, id)
		}
		if used[word] || word == "" {
			return nil, in.errorf("the feature %s is empty or was already listed", quote(line)).hint("every feature needs an id of its own")
		}
		used[word] = true
		words = append(words, word)
	}
}

// idLines reads the names of documents from a file beside the matrix, one a
// line, as the documents are handed out.
type idLines struct {
	file *file
	in   *scanner
	o    *Options
}

func openIDLines(path string, o *Options) (*idLines, error) {
	f, in, err := openScanner(path, o)
	if err != nil {
		return nil, err
	}
	return &idLines{f, in, o}, nil
}

// next returns the name of the next of docs documents: the first column.
func (l *idLines) next(docs uint64) ([]byte, error) {
	line, err := l.in.next()
	if err == io.EOF {
		return nil, l.mismatch(docs)
	}
	if err != nil {
		return nil, err
	}
	id, _, _ := bytes.Cut(line, []byte("\t"))
	return checkText(id, l.in, 0, l.o)
}

// end returns io.EOF if no name is left, else an error.
func (l *idLines) end(docs uint64) error {
	if _, err := nextNonBlank(l.in); err != nil {
		return err
	}
	return l.mismatch(docs)
}

func (l *idLines) mismatch(docs uint64) error {
	e := &Error{File: l.in.name, Msg: fmt.Sprintf("the number of lines is not %d, the number of documents of the matrix", docs)}
	return e.hint("give the files of one and the same data set")
}

func (l *idLines) Close() error { return l.file.Close() }
