package counts

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// OpenTenX opens the three files that 10x Genomics and its kin write: a matrix in Matrix Market format, the names of
// its features (the words) and the barcodes of its cells (the documents). The input is their directory or the matrix.
// Which side of the matrix the cells are on follows from the number of features.
func OpenTenX(path string, in *input.Scanner, o *Options) (Reader, error) {
	dir := path
	if in != nil {
		dir = filepath.Dir(path)
	}
	m := &matrix{in: in, cells: cells{o: o}}
	if err := m.openTrio(dir); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

func (m *matrix) openTrio(dir string) error {
	features := input.FindFile(filepath.Join(dir, "features.tsv"), filepath.Join(dir, "genes.tsv"))
	if features == "" {
		return missing(dir, "features.tsv or genes.tsv")
	}
	barcodes := input.FindFile(filepath.Join(dir, "barcodes.tsv"))
	if barcodes == "" {
		return missing(dir, "barcodes.tsv")
	}
	var err error
	if m.in == nil {
		path := input.FindFile(filepath.Join(dir, "matrix.mtx"))
		if path == "" {
			return missing(dir, "matrix.mtx")
		}
		if m.file, m.in, err = input.OpenScanner(path, m.o.Text); err != nil {
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
	e := &input.Error{File: dir, Msg: "there is no " + name + " (nor .gz or .zst) in this directory"}
	return e.WithHint("matrix.mtx, features.tsv and barcodes.tsv must be in one directory")
}

// readFeatures reads the words: the second column, the name of the feature, or
// the only one. A name that was used before gets the feature's id appended.
func readFeatures(path string, o *Options) ([]string, error) {
	f, in, err := input.OpenScanner(path, o.Text)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var words []string
	used := make(map[string]bool)
	for {
		line, err := in.Checked(in.Next())
		if err == io.EOF {
			return words, nil
		}
		if err != nil {
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
			return nil, in.Errorf("the feature %s is empty or was already listed",
				input.Quote(line)).WithHint("every feature needs an id of its own")
		}
		used[word] = true
		words = append(words, word)
	}
}
