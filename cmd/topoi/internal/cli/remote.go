package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	_ "github.com/topoi-lda/topoi/corpus/source/all" // all commands read every format and from every store
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/objects"
	"github.com/topoi-lda/topoi/internal/remote"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// Streams is the annotation of commands that read remote documents themselves, or with the value Ranges parts of a
// remote corpus. Others get copies.
const (
	Streams = "streams"
	Ranges  = "ranges"
)

// elsewhere holds the local copies of the remote paths on a command line.
type elsewhere struct {
	dir    *wholefile.Dir // holds the copies; nil without any
	copies int
	local  []string // pairs: the local path of a copy or an output, then its remote path
	output string   // the file to upload to the path to when the command has succeeded; "" for none
	to     string
}

// bring replaces the remote paths on a command line by local ones. It copies models, corpora and other files to read,
// and chooses a local file for the output. finish uploads the output if the command succeeded, and removes the copies.
func (a *App) bring(c *cobra.Command, args []string) (local []string, finish func(error) error, err error) {
	e := &elsewhere{}
	streams, ranges := c.Annotations[Streams] != "", c.Annotations[Streams] == Ranges
	local = slices.Clone(args)
	for i, arg := range args {
		switch {
		case err != nil || !objects.Is(arg) || ranges || streams && isInput(arg):
		case c.Name() == "name" || c.Annotations[MovedKey] == "topoi name":
			err = fmt.Errorf("topoi name writes into the directory of the model: fetch %s, name the topics of the copy and put it back",
				arg)
		default:
			local[i], err = e.fetch(arg)
		}
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		list, several := f.Value.(pflag.SliceValue)
		switch value := f.Value.String(); {
		case err != nil, f.Name == "store", f.Name == "cors-origin", ranges && f.Name == "corpus": // no files
		case several && slices.ContainsFunc(list.GetSlice(), objects.Is):
			copies := list.GetSlice()
			for i, path := range copies {
				if objects.Is(path) && err == nil {
					copies[i], err = e.fetch(path)
				}
			}
			err = errors.Join(err, list.Replace(copies))
		case !objects.Is(value):
		case f.Name == "output" && !(streams && strings.HasSuffix(value, "/")):
			err = e.write(c, f, value)
		case f.Name == "checkpoint":
			err = fmt.Errorf("--%s must be on a disk of this machine, or on one that machines share: %s is neither",
				f.Name, value)
		case f.Name != "output":
			if value, err = e.fetch(value); err == nil {
				err = f.Value.Set(value)
			}
		}
	})
	if e.dir != nil {
		a.Stdout, a.Stderr = e.speak(a.Stdout), e.speak(a.Stderr)
	}
	if err != nil {
		return nil, nil, e.finish(err)
	}
	return local, e.finish, nil
}

// isInput reports whether a remote path is one of documents, rather than of a model or a corpus file.
func isInput(path string) bool {
	if folder, err := remote.IsFolder(path); strings.Contains(path, "*") || err != nil || !folder {
		return !strings.HasSuffix(path, ".topoi")
	}
	_, err := remote.Stat(strings.TrimSuffix(path, "/") + "/" + modelfile.Manifest)
	return err != nil
}

// place returns a local path for a copy. It has the base name of the remote path, because formats follow from names.
func (e *elsewhere) place(from string) (string, error) {
	if e.dir == nil {
		made, err := wholefile.TempDir("remote")
		if err != nil {
			return "", err
		}
		e.dir = made
	}
	from = strings.TrimSuffix(objects.Name(from), "/")
	e.copies++
	local := filepath.Join(e.dir.Temporary, strconv.Itoa(e.copies), path.Base(from))
	e.local = append(e.local, local, from)
	return local, nil
}

func (e *elsewhere) fetch(from string) (string, error) {
	local, err := e.place(from)
	if err == nil {
		err = remote.Fetch(from, local)
	}
	return local, err
}

// write lets the command write its output to a local file, which finish uploads.
func (e *elsewhere) write(c *cobra.Command, f *pflag.Flag, to string) (err error) {
	if overwrite := c.Flags().Lookup("overwrite"); overwrite != nil && overwrite.Value.String() != "true" {
		for _, there := range []string{to, strings.TrimSuffix(to, "/") + "/" + modelfile.Manifest} {
			if _, err := remote.Stat(there); err == nil {
				return fmt.Errorf("%s already exists: choose another name, or add --overwrite to replace it", to)
			}
		}
	}
	if e.output, err = e.place(to); err != nil {
		return err
	}
	e.to = to
	return errors.Join(os.MkdirAll(filepath.Dir(e.output), 0o700), f.Value.Set(e.output))
}

func (e *elsewhere) finish(err error) error {
	if err == nil && e.output != "" {
		err = remote.Store(e.output, e.to, modelfile.Manifest)
	}
	if e.dir != nil {
		e.dir.Abort()
	}
	return err
}

// speak returns a writer that replaces local names by the remote ones, so that messages name what the user wrote.
func (e *elsewhere) speak(w io.Writer) io.Writer {
	names := strings.NewReplacer(e.local...)
	return writer(func(p []byte) (int, error) {
		_, err := io.WriteString(w, names.Replace(string(p)))
		return len(p), err
	})
}

type writer func(p []byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }
