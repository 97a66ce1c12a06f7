package training

import "github.com/topoi-lda/topoi/internal/wholefile"

// WorkDir is the directory for the files of a run that keeps its tokens in files.
type WorkDir struct {
	Path      string         // "" if nobody named one, until Make
	temporary *wholefile.Dir // what Make made; nil if somebody named the directory
}

// Make makes a temporary directory if nobody named one.
func (w *WorkDir) Make() error {
	if w.Path != "" {
		return nil
	}
	dir, err := wholefile.TempDir("parts")
	if err != nil {
		return err
	}
	w.temporary, w.Path = dir, dir.Temporary
	return nil
}

// Temporary reports whether Close removes the directory.
func (w *WorkDir) Temporary() bool { return w.temporary != nil }

// Hand returns w and leaves it to the caller to close it.
func (w *WorkDir) Hand() WorkDir {
	given := *w
	w.temporary = nil
	return given
}

// Close removes the directory that Make made.
func (w *WorkDir) Close() {
	if w.temporary != nil {
		w.temporary.Abort()
		w.temporary = nil
	}
}
