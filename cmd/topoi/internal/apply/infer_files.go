package apply

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/export"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/remote"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/progress"
)

// doneFile is the record, in a folder of results, of what each was made from. Readers of data sets skip names with _.
const doneFile = "_topoi.json"

// saveEvery is how often the record is written meanwhile, for runs that are killed.
const saveEvery = 5 * time.Second

// files writes the topics of every input file to a file of its own below the output, a folder, and skips those that
// were made before from the same file by the same model.
func (i *inferrer) files(ctx context.Context, m *topoi.Model, inputs []string, r progress.Reporter) (err error) {
	list, err := source.Expand(inputs, i.inputs.Options.Source)
	if err != nil {
		return err
	}
	made, err := wholefile.TempDir("infer")
	if err != nil {
		return err
	}
	defer made.Abort()
	temporary, skipped := filepath.Join(made.Temporary, "out"), 0
	done, saved := i.readDone(temporary), time.Now()
	if len(done) > 0 && !i.incremental && !i.overwrite {
		return fmt.Errorf("%s holds topics already: add --incremental to skip those that are up to date, or --overwrite", i.output)
	}
	defer func() { err = errors.Join(err, i.writeDone(temporary, done)) }()
	for at, f := range list {
		from, err := version(f.Path)
		if err != nil {
			return err
		}
		from = fmt.Sprintln(from, m.Fingerprint(), i.as, i.options.Top, i.options.MinTheta, i.options.Decimal, i.options.Excel, i.how.Iterations, i.how.BurnIn, i.how.Seed, i.inputs.Options.Source.Where)
		name := strings.TrimSuffix(f.Name, path.Ext(f.Name)) + "." + strings.TrimSuffix(i.as, "-wide")
		if _, missing := version(i.output + name); i.incremental && done[name] == from && missing == nil {
			skipped++
			continue
		}
		if err := i.file(ctx, m, f.Path, i.output+name, temporary, r); err != nil {
			return err
		}
		done[name] = from
		if time.Since(saved) > saveEvery {
			if err := i.writeDone(temporary, done); err != nil {
				return err
			}
			saved = time.Now()
		}
		r.Phase(topoi.PhaseInfo{Name: "inferring topics of files", Done: int64(at + 1), Total: int64(len(list))})
	}
	if !i.quiet {
		r.Say(fmt.Sprintf("wrote %s below %s; %s had not changed", human.Of(len(list)-skipped, "file"), i.output, human.Of(skipped, "file")))
	}
	return nil
}

// file writes the topics of one file.
func (i *inferrer) file(ctx context.Context, m *topoi.Model, from, to, temporary string, r progress.Reporter) error {
	docs, _, err := i.inputs.OpenFor(ctx, m, []string{from}, r, true)
	if err != nil {
		return err
	}
	defer docs.Close()
	write := to
	if remote.Is(to) {
		write = temporary
	} else if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	err = export.Infer(ctx, m, docs, i.as, write, i.how, i.options)
	if err != nil || write == to {
		return err
	}
	return remote.Store(temporary, to, "")
}

// version returns a text that changes when the content of a file does: size and ETag, or size and time.
func version(path string) (string, error) {
	if remote.Is(path) {
		info, err := remote.Stat(path)
		return fmt.Sprint(info.Size, info.ETag), err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano()), nil
}

// readDone reads the record of earlier runs. It is empty if there is none, or if it cannot be read. For a store, one
// list of all objects saves a request for each of them later.
func (i *inferrer) readDone(temporary string) map[string]string {
	file, done := i.output+doneFile, map[string]string{}
	if remote.Is(file) {
		if _, err := remote.List(i.output); err != nil || remote.Fetch(file, temporary) != nil {
			return done
		}
		file = temporary
	}
	if text, err := os.ReadFile(file); err == nil {
		_ = json.Unmarshal(text, &done)
	}
	return done
}

func (i *inferrer) writeDone(temporary string, done map[string]string) error {
	text, err := json.MarshalIndent(done, "", " ")
	if err != nil || len(done) == 0 {
		return err
	}
	if !remote.Is(i.output) {
		return wholefile.Put(i.output+doneFile, text)
	}
	return errors.Join(os.WriteFile(temporary, text, 0o600), remote.Store(temporary, i.output+doneFile, ""))
}
