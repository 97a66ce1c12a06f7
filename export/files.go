package export

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

type file struct {
	name  string
	write func(j *job, w io.Writer) error // nil: it is the model, a directory
}

// writeFile writes one file whole or not at all, or writes to standard output. The extension .gz or .zst compresses it.
func writeFile(path, extension string, text bool, threads int, write func(io.Writer) error) error {
	if path == "-" {
		return buffered(human.Screen(os.Stdout), write)
	}
	if !text && (extension == ".gz" || extension == ".zst") {
		return fmt.Errorf("cannot write %s: this format is already compressed; choose a name without %s", path,
			extension)
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
		write := func(w io.Writer) error { return f.write(j, w) }
		if name := filepath.Join(temporary, f.name); f.write == nil {
			err = j.model.Save(name, topoi.SaveOptions{Run: j.model.Run()})
		} else {
			err = writeFile(name, "", true, j.threads(), write)
		}
		if err != nil {
			return err
		}
	}
	if err := claim.Verify(path); err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		return wholefile.Explain(path, err)
	}
	return wholefile.SyncDir(filepath.Dir(path))
}
