// Package checksums verifies files whose formats contain checksums of their content: gzip, zstd, npz and Parquet.
package checksums

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

// checked is a kind of file that contains checksums of its content.
type checked struct {
	name       string
	magic      string
	extensions []string
	verify     func(f *os.File, size int64) error
}

var checkedKinds = []checked{
	{"gzip", "\x1f\x8b", []string{".gz"}, verifyGzip},
	{"zstd", "\x28\xb5\x2f\xfd", []string{".zst"}, verifyZstd},
	{"zip", "PK\x03\x04", []string{".npz", ".zip"}, verifyZip},
	{"parquet", "PAR1", []string{".parquet"}, verifyParquet},
}

// errNoChecksum is wrapped by the error of Verify about files without a checksum.
var errNoChecksum = errors.New("it has no checksum to compare")

// Verify reads a compressed file (gzip, zstd, npz, parquet) and compares it with its checksums. what describes the file
// in words.
func Verify(path string) (what string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("cannot read %s: %w", path, errors.Unwrap(err))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	head := make([]byte, 8)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return "", fmt.Errorf("cannot read %s: %w", path, errors.Unwrap(err))
	}
	extension := strings.ToLower(filepath.Ext(path))
	for _, kind := range checkedKinds {
		if !bytes.HasPrefix(head[:n], []byte(kind.magic)) && !slices.Contains(kind.extensions, extension) {
			continue
		}
		if err := kind.verify(f, info.Size()); err != nil {
			return "", fmt.Errorf("%s: damaged %s file: %w; export or copy it again", path, kind.name, err)
		}
		return "a " + kind.name + " file", nil
	}
	return "", fmt.Errorf("%s: %w", path, errNoChecksum)
}

func verifyGzip(f *os.File, _ int64) error {
	z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<18))
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, z)
	return err
}

func verifyZstd(f *os.File, _ int64) error {
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		return err
	}
	defer z.Close()
	_, err = io.Copy(io.Discard, z)
	return err
}

func verifyZip(f *os.File, size int64) error {
	archive, err := zip.NewReader(f, size)
	if err != nil {
		return err
	}
	for _, member := range archive.File {
		r, err := member.Open()
		if err == nil {
			_, err = io.Copy(io.Discard, r)
			err = errors.Join(err, r.Close())
		}
		if err != nil {
			return fmt.Errorf("%s: %w", member.Name, err)
		}
	}
	return nil
}

// verifyParquet reads all pages, which checks their checksums.
func verifyParquet(f *os.File, size int64) error {
	file, err := parquet.OpenFile(f, size)
	if err != nil {
		return err
	}
	rows := int64(0)
	for _, group := range file.RowGroups() {
		rows += group.NumRows()
		for _, column := range group.ColumnChunks() {
			if err := readPages(column); err != nil {
				return err
			}
		}
	}
	if rows != file.NumRows() {
		return fmt.Errorf("it has %d rows, not %d", rows, file.NumRows())
	}
	return nil
}

func readPages(column parquet.ColumnChunk) (err error) {
	pages := column.Pages()
	defer func() { err = errors.Join(err, pages.Close()) }()
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		parquet.Release(page)
	}
}

// Has reports whether a file name has an extension that Verify supports.
func Has(path string) bool {
	extension := strings.ToLower(filepath.Ext(path))
	return slices.ContainsFunc(checkedKinds,
		func(kind checked) bool { return slices.Contains(kind.extensions, extension) })
}
