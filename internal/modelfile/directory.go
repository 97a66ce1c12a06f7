package modelfile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/labelsfile"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/topic"
)

// Errors about a model's directory wrap one of these.
var (
	ErrNotModel = errors.New("not a topoi model")
	ErrVersion  = errors.New("unknown version of the model")
	ErrDamaged  = errors.New("damaged model")
)

const (
	Format   = "topoi model"
	Manifest = "manifest.json"
	Run      = "run.json" // facts about the run

	version     = 1 // changes when an old reader could misread the directory
	sampled     = 2 // the version of models whose held-out documents are a sample
	guided      = 3 // the version of models with pseudo-counts
	maxManifest = 1 << 28
)

// Version returns the version of the format that a model needs.
func Version(heldoutSample, pseudo bool) int {
	switch {
	case pseudo:
		return guided
	case heldoutSample:
		return sampled
	}
	return version
}

// ReadManifest reads the manifest of the model in dir into v. It checks that it is one, its version and its checksum.
func ReadManifest(dir string, v any) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no model at %s: %w", dir, fs.ErrNotExist)
	case err != nil:
		return fmt.Errorf("cannot open the model: %w", err)
	case !info.IsDir():
		return fmt.Errorf("%s: %w: this is a file, and a model is a directory", dir, ErrNotModel)
	}
	path := filepath.Join(dir, Manifest)
	if info, err := os.Stat(path); err == nil && info.Size() > maxManifest {
		return fmt.Errorf("%s: %w: its %s has %d bytes", dir, ErrNotModel, Manifest, info.Size())
	}
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot open the model: %w", err)
	}
	if err := decodeRead(b, err, v); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	return nil
}

// ReadManifestFS is ReadManifest for a model whose files are in the root of fsys.
func ReadManifestFS(fsys fs.FS, v any) error {
	if info, err := fs.Stat(fsys, Manifest); err == nil && info.Size() > maxManifest {
		return fmt.Errorf("%w: its %s has %d bytes", ErrNotModel, Manifest, info.Size())
	}
	b, err := fs.ReadFile(fsys, Manifest)
	return decodeRead(b, err, v)
}

// decodeRead decodes what reading the manifest returned.
func decodeRead(b []byte, err error, v any) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: the directory has no %s", ErrNotModel, Manifest)
	}
	if err != nil {
		return fmt.Errorf("cannot open the model: %w", err)
	}
	return Decode(b, v)
}

// Decode is ReadManifest for the content of the file. Its errors lack the directory's name.
func Decode(b []byte, v any) error {
	var head struct {
		Format   string `json:"format"`
		Version  int    `json:"format_version"`
		Checksum string `json:"checksum"`
	}
	err := json.Unmarshal(b, v)
	if err == nil {
		err = json.Unmarshal(b, &head)
	}
	switch {
	case err != nil && bytes.Contains(b, []byte(`"`+Format+`"`)):
		return fmt.Errorf("%w: %s is not valid JSON (%w); copy the model again", ErrDamaged, Manifest, err)
	case err != nil || head.Format != Format:
		return fmt.Errorf("%w: its %s does not describe a model", ErrNotModel, Manifest)
	case head.Version < version || head.Version > guided:
		return fmt.Errorf("%w: it has version %d, and this program reads versions %d to %d; "+
			"use a newer program or train again", ErrVersion, head.Version, version, guided)
	case !isSealed(b, head.Checksum):
		return fmt.Errorf("%w: the checksum of %s does not match; copy the model again", ErrDamaged, Manifest)
	}
	return nil
}

// CheckTarget returns an error if a model must not be put at dir.
func CheckTarget(dir string, overwrite bool) error {
	_, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return wholefile.Explain(dir, err)
	}
	if err := ReadManifest(dir, new(any)); errors.Is(err, ErrNotModel) {
		return fmt.Errorf("cannot write the model: %s exists and is not a topoi model; choose another name", dir)
	}
	if !overwrite {
		return fmt.Errorf("cannot write the model: %s: %w; choose another name or allow overwriting", dir, fs.ErrExist)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return wholefile.Explain(dir, err)
	}
	for _, e := range entries {
		if e.Name() == labelsfile.Mark {
			continue // the labels themselves decide
		}
		if e.Name() == labelsfile.Name {
			if l, err := labelsfile.Read(filepath.Join(dir, e.Name())); err == nil && l.FromTraining {
				continue
			}
			return fmt.Errorf("cannot replace the model %s: its %s holds the names of topics of the model that is there now; move that file first", dir, labelsfile.Name)
		}
		if !slices.Contains(Names, e.Name()) && e.Name() != Manifest && e.Name() != Run && e.Name() != Documents {
			return fmt.Errorf("cannot replace the model %s: the directory also holds %s, which is not part of the model; move it first", dir, e.Name())
		}
	}
	return nil
}

// PutInPlace renames the finished directory to dir, and removes the model that CheckTarget found there.
func PutInPlace(temporary, dir string) error {
	if err := claim.Verify(dir); err != nil {
		return err
	}
	err := os.Rename(temporary, dir)
	if _, statErr := os.Lstat(dir); err != nil && statErr == nil {
		if err = wholefile.Exchange(temporary, dir); err == nil {
			err = os.RemoveAll(temporary)
		}
	}
	if err != nil {
		return wholefile.Explain(dir, err)
	}
	return wholefile.SyncDir(filepath.Dir(dir))
}

// WriteAll writes the arrays and the documents into an empty directory, and completes the descriptions.
// Arrays are copied from files or, without these, taken from c. It writes them in parallel, because disks are
// faster with several files.
func WriteAll(dir string, arrays []Array, from *Files, c *Content, documents *corpus.Corpus) error {
	faults := make([]error, len(arrays)+1)
	parallel.Each(len(faults), func(i int) {
		if i == len(arrays) {
			faults[i] = documents.SaveLinked(filepath.Join(dir, Documents))
			return
		}
		a := &arrays[i]
		path := filepath.Join(dir, a.Name)
		if from != nil {
			faults[i] = from.Copy(path, a.Name)
		} else {
			faults[i] = a.Write(path, func(put func([]byte) error) error { return c.EachChunk(a.Name, put) })
		}
	})
	return cmp.Or(faults...)
}

// Files are the arrays in a directory.
type Files struct {
	Dir    string
	FS     fs.FS // has the arrays in its root, if there is no Dir
	Arrays []Array
	Bytes  uint64          // size of all maps
	mapped []*mapfile.File // in the order of Arrays
}

// Map maps the arrays of a model with the given numbers of topics, tokens and pseudo-counts, and makes the
// cheap checks.
func (s *Files) Map(k, tokens int, pseudo uint64) (*Content, error) {
	data := make(map[string][]byte)
	for i, spec := range Specs(k, pseudo > 0) {
		b, err := s.mapArray(s.Arrays[i])
		if err != nil {
			return nil, err
		}
		data[spec.Name] = b
	}
	c := &Content{
		Alpha:    mapfile.View[float64](data[Alpha]),
		Totals:   mapfile.View[uint64](data[Totals]),
		Ends:     mapfile.View[uint64](data[RowEnds]),
		Entries:  counts.ViewEntries(data[Rows]),
		Topics:   topics.View(data[topicsArray(k).Name], k),
		Pipeline: data[Pipeline],
	}
	var err error
	if c.Words, err = corpus.StringsOver(mapfile.View[uint64](data[WordEnds]), data[Words]); err != nil {
		return nil, fmt.Errorf("%s does not fit %s", WordEnds, Words)
	}
	if err := c.checkSizes(uint64(tokens) + pseudo); err != nil || pseudo == 0 {
		return c, err
	}
	return c, c.readPseudo(mapfile.View[uint64](data[PseudoEnds]), counts.ViewEntries(data[Pseudo]), pseudo)
}

// mapArray maps one array file and returns its bytes.
func (s *Files) mapArray(info Array) ([]byte, error) {
	f, err := s.open(info.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the file %s is missing", info.Name)
	}
	if err != nil {
		return nil, err
	}
	s.mapped = append(s.mapped, f)
	have, size := uint64(len(f.Data)), elementBytes[info.Type]
	if have%size != 0 || have/size != info.Length {
		return nil, fmt.Errorf("the file %s has %d bytes, not %d elements of %d bytes", info.Name, have, info.Length,
			size)
	}
	s.Bytes += have
	return f.Data, nil
}

// open maps a file of the directory, or reads one of FS.
func (s *Files) open(name string) (*mapfile.File, error) {
	if s.FS == nil {
		return mapfile.Open(filepath.Join(s.Dir, name))
	}
	f, err := s.FS.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data := mapfile.Aligned(int(info.Size()))
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fmt.Errorf("the file %s cannot be read: %w", name, err)
	}
	return mapfile.InMemory(data), nil
}

// Verify compares the checksum of every array with its content and checks that the arrays agree.
func (s *Files) Verify(c *Content) error {
	wrong := make([]bool, len(s.mapped))
	var group guard.Group
	for i, f := range s.mapped {
		group.Go(func() { wrong[i] = checksumOf(f.Data) != s.Arrays[i].Checksum })
	}
	group.Wait()
	if i := slices.Index(wrong, true); i >= 0 {
		return fmt.Errorf("the checksum of %s does not match", s.Arrays[i].Name)
	}
	return c.Check()
}

// Copy copies the file of an array to path without reading it into memory.
func (s *Files) Copy(path, name string) error {
	from, err := os.Open(filepath.Join(s.Dir, name))
	if err != nil {
		return err
	}
	defer from.Close()
	return writeSynced(path, func(w *os.File) error {
		_, err := io.Copy(w, from)
		return err
	})
}

// Close releases the memory maps.
func (s *Files) Close() error {
	return errors.Join(lists.Of(s.mapped, func(f *mapfile.File) error { return f.Close() })...)
}

// Streamed is a state that is read piece by piece.
type Streamed interface {
	AppendRow(dst []topic.Count, w int) []topic.Count
	EachTopics(f func(begin int, z []uint32) error) error
	Err() error
}

// Stream writes the arrays of c into Dir. Rows and topics come from from.
func (s *Files) Stream(c *Content, from Streamed) error {
	c.Ends = make([]uint64, c.Words.Len())
	for _, name := range []string{Rows, ""} { // rows first, since their ends are known only then
		for i := range s.Arrays {
			a := &s.Arrays[i]
			if a.Checksum != "" || name != "" && a.Name != name {
				continue
			}
			path := filepath.Join(s.Dir, a.Name)
			if err := a.Write(path, func(put func([]byte) error) error {
				return c.streamArray(a.Name, from,
					put)
			}); err != nil {
				return wholefile.Explain(path, err)
			}
		}
	}
	return nil
}

// streamArray calls put with the bytes of an array.
func (c *Content) streamArray(name string, from Streamed, put func([]byte) error) error {
	switch name {
	case Rows:
		return c.eachRow(from, put)
	case Topics, TopicsWide:
		return from.EachTopics(func(_ int, z []uint32) error {
			return topics.List{Wide: z}.EachChunk(len(c.Totals),
				put)
		})
	}
	return c.EachChunk(name, put)
}

// eachRow calls f with the bytes of all rows, some at a time, and sets c.Ends.
func (c *Content) eachRow(from Streamed, f func([]byte) error) error {
	var rows []topic.Count
	end := uint64(0)
	for w := range c.Ends {
		before := len(rows)
		rows = from.AppendRow(rows, w)
		end += uint64(len(rows) - before)
		c.Ends[w] = end
		if len(rows) >= 1<<16 || w == len(c.Ends)-1 {
			if err := f(counts.BytesOf(rows)); err != nil {
				return err
			}
			rows = rows[:0]
		}
	}
	return from.Err()
}
