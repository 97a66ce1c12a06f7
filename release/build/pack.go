package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// packed is a file of an archive.
type packed struct {
	path string // where it is
	name string // what it is called in the archive
	mode fs.FileMode
}

// pack writes an archive path.tar.gz, or path.zip, of a directory of the same name. The bytes depend
// on names, modes and contents alone, and on the time given.
func pack(path string, zipped bool, files []packed, when time.Time) error {
	extension, write := ".tar.gz", packTar
	if zipped {
		extension, write = ".zip", packZip
	}
	f, err := os.Create(path + extension)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := write(f, filepath.Base(path), files, when); err != nil {
		return err
	}
	return f.Close()
}

func packTar(w io.Writer, dir string, files []packed, when time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		data, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		h := &tar.Header{Name: dir + "/" + f.name, Mode: int64(f.mode), Size: int64(len(data)), ModTime: when, Format: tar.FormatUSTAR}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(data); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

func packZip(w io.Writer, dir string, files []packed, when time.Time) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		data, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		h := &zip.FileHeader{Name: dir + "/" + f.name, Method: zip.Deflate, Modified: when}
		h.SetMode(f.mode)
		into, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := into.Write(data); err != nil {
			return err
		}
	}
	return z.Close()
}
