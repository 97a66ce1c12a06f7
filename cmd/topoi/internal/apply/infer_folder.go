package apply

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/export"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/objects"
	"github.com/topoi-lda/topoi/internal/progress"
	"github.com/topoi-lda/topoi/internal/remote"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// doneFile is the record in a folder of results. Readers of data sets skip names that begin with _.
const doneFile = "_topoi.json"

// saveEvery is how often the record is written meanwhile, for runs that are killed.
const saveEvery = 5 * time.Second

// result is the record of a file of results.
type result struct {
	From    string `json:"from"`    // what it was made from: input, model and options
	Version string `json:"version"` // its size and time, or size and ETag, when it had been written
	SHA256  string `json:"sha256"`  // of its bytes
}

// folder writes the topics of every input file to a file of its own below the output.
type folder struct {
	*inferrer
	model     *topoi.Model
	made      string // what results are made by: the model and the options
	temporary string // a file for what travels to or from a store
	done      map[string]result
	reporter  progress.Reporter
}

// files writes the topics of all input files. With --incremental it skips those that were made before from the
// same file by the same model, and are as they were then. The folder belongs to this process until it is done: two
// models that write there at once would leave files of one under the record of the other.
func (i *inferrer) files(ctx context.Context, m *topoi.Model, inputs []string, r progress.Reporter) error {
	if !objects.Is(i.output) {
		held, owned, err := claim.Hold(ctx, claim.In(i.output))
		if err != nil {
			return err
		}
		defer owned.Release()
		ctx = held
	}
	list, err := i.list(inputs)
	if err != nil {
		return err
	}
	made, err := wholefile.TempDir("infer")
	if err != nil {
		return err
	}
	defer made.Abort()
	f := &folder{inferrer: i, model: m, temporary: filepath.Join(made.Temporary, "out"), reporter: r}
	if f.made, err = i.determining(m); err != nil {
		return err
	}
	recorded := f.read()
	if recorded && !i.incremental && !i.overwrite {
		return fmt.Errorf("%s holds topics already: "+
			"add --incremental to skip those that are up to date, or --overwrite", i.output)
	}
	skipped, err := f.writeAll(ctx, list)
	if err != nil {
		return err
	}
	if !i.quiet {
		r.Say(fmt.Sprintf("wrote %s below %s; %s had not changed", human.Of(len(list)-skipped, "file"), i.output,
			human.Of(skipped, "file")))
	}
	return nil
}

// inputFile is a file of which topics are inferred.
type inputFile struct {
	path   string
	result string // the path below the output of its topics
}

// list returns the input files. It refuses two that would be written to the same file.
func (i *inferrer) list(inputs []string) ([]inputFile, error) {
	paths, names, err := i.inputs.Options.Source.Files(inputs)
	if err != nil {
		return nil, err
	}
	var list []inputFile
	from := map[string]string{}
	for at, name := range names {
		f := inputFile{path: paths[at], result: i.resultName(name)}
		if other, twice := from[f.result]; twice {
			return nil, fmt.Errorf("the topics of %s and %s would both be written to %s: "+
				"write those of one of them to another folder", other, f.path, i.output+f.result)
		}
		from[f.result] = f.path
		list = append(list, f)
	}
	return list, nil
}

// resultName returns the path below the output of the topics of a file with this name.
func (i *inferrer) resultName(name string) string {
	return strings.TrimSuffix(name, path.Ext(name)) + "." + strings.TrimSuffix(i.as, "-wide")
}

// determining returns a text that changes with the model, the names of its topics, and all options that change
// results.
func (i *inferrer) determining(m *topoi.Model) (string, error) {
	labels, err := m.Labels()
	if err != nil {
		return "", err
	}
	reading := i.inputs.Options.Source
	reading.Threads, reading.TempDir = 0, ""
	text, err := json.Marshal([]any{reading, labels})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return fmt.Sprintln(m.Fingerprint(), i.as,
		i.options.Top, i.options.MinTheta, i.options.Decimal, i.options.Excel,
		i.how.Iterations, i.how.BurnIn, i.how.Seed, hex.EncodeToString(sum[:8])), nil
}

// writeAll writes what is not up to date, and returns how many files were.
func (f *folder) writeAll(ctx context.Context, list []inputFile) (skipped int, err error) {
	saved := time.Now()
	defer func() { err = errors.Join(err, f.write()) }()
	for at, file := range list {
		from, err := version(file.path)
		if err != nil {
			return skipped, err
		}
		from += " " + f.made
		name := file.result
		if f.incremental && f.upToDate(name, from) {
			skipped++
			continue
		}
		sum, err := f.file(ctx, file.path, f.output+name)
		if err != nil {
			return skipped, err
		}
		to, err := version(f.output + name)
		if err != nil {
			return skipped, err
		}
		f.done[name] = result{From: from, Version: to, SHA256: sum}
		if time.Since(saved) > saveEvery {
			if err := f.write(); err != nil {
				return skipped, err
			}
			saved = time.Now()
		}
		f.reporter.Phase(topoi.PhaseInfo{
			Name: "inferring topics of files",
			Done: int64(at + 1), Total: int64(len(list)),
		})
	}
	return skipped, nil
}

// upToDate reports whether the results that lie there were made from what the record should have, and are as
// they were written.
func (f *folder) upToDate(name, from string) bool {
	was, known := f.done[name]
	if !known || was.From != from {
		return false
	}
	if now, err := version(f.output + name); err != nil || now != was.Version {
		return false
	}
	if !f.verify {
		return true
	}
	local := f.output + name
	if objects.Is(local) {
		if remote.Fetch(local, f.temporary) != nil {
			return false
		}
		local = f.temporary
	}
	sum, err := checksum(local)
	return err == nil && sum == was.SHA256
}

// file writes the topics of one file, and returns the checksum of what it wrote.
func (f *folder) file(ctx context.Context, from, to string) (sum string, err error) {
	docs, _, err := f.inputs.OpenFor(ctx, f.model, []string{from}, f.reporter, true)
	if err != nil {
		return "", err
	}
	defer docs.Close()
	write := to
	if objects.Is(to) {
		write = f.temporary
	} else if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return "", err
	}
	if err := export.Infer(ctx, f.model, docs, f.as, write, f.how, f.options); err != nil {
		return "", err
	}
	if sum, err = checksum(write); err != nil || write == to {
		return sum, err
	}
	return sum, remote.Store(write, to, "")
}

// checksum returns the SHA-256 of a file, as text.
func checksum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// version returns a text that changes when the content of a file does: size and ETag, or size and time.
func version(path string) (string, error) {
	if objects.Is(path) {
		info, err := remote.Stat(path)
		return fmt.Sprint(info.Size, info.ETag), err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano()), nil
}

// read reads the record of earlier runs, and reports whether there is one. One that cannot be read, or is of
// another version, makes nothing up to date. For a store, one list of all objects saves a request for each of
// them later.
func (f *folder) read() (found bool) {
	file := f.output + doneFile
	f.done = map[string]result{}
	if objects.Is(file) {
		_, err := remote.List(f.output)
		if err == nil {
			err = remote.Fetch(file, f.temporary)
		}
		if err != nil {
			return !errors.Is(err, fs.ErrNotExist)
		}
		file = f.temporary
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	if json.Unmarshal(text, &f.done) != nil || f.done == nil {
		f.done = map[string]result{}
	}
	return true
}

// write writes the record.
func (f *folder) write() error {
	text, err := json.MarshalIndent(f.done, "", " ")
	if err != nil || len(f.done) == 0 {
		return err
	}
	if !objects.Is(f.output) {
		return wholefile.Put(f.output+doneFile, text)
	}
	if err := os.WriteFile(f.temporary, text, 0o600); err != nil {
		return err
	}
	return remote.Store(f.temporary, f.output+doneFile, "")
}
