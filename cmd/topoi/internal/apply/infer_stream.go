package apply

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reading"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/export"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/remote"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/progress"
)

// streamBatch is the most documents that are inferred together when they have come together.
const streamBatch = 256

// stream returns standard input and the format of its documents if they are to be answered one by one: JSON lines or
// lines of text from a pipe or a person, to standard output. Else it returns nil, and standard input is as it was.
func (i *inferrer) stream(inputs []string) (io.Reader, string) {
	if len(inputs) != 1 || inputs[0] != "-" || i.output != "-" || !slices.Contains([]string{"", "csv", "jsonl"}, i.askedAs) {
		return nil, ""
	}
	if f := i.inputs.Command.Flags().Lookup("encoding"); f != nil && f.Changed {
		return nil, "" // a stream is UTF-8
	}
	format := i.inputs.Options.Source.Format
	switch {
	case slices.Contains(source.StreamFormats(), format):
		return os.Stdin, format
	case format != "auto":
		return nil, ""
	case term.IsTerminal(int(os.Stdin.Fd())):
		return os.Stdin, "lines"
	}
	in := bufio.NewReader(os.Stdin)
	if first, _ := in.Peek(1); len(first) == 1 && first[0] == '{' {
		return in, "jsonl"
	}
	i.putBack(in)
	return nil, ""
}

// putBack makes what is left of in standard input again.
func (i *inferrer) putBack(in *bufio.Reader) {
	r, w, err := os.Pipe()
	if err != nil {
		return // nothing can be read then, which the reader will say
	}
	os.Stdin = r
	go func() {
		_, _ = io.Copy(w, in)
		w.Close()
	}()
}

// arrived is a document from standard input, or the reason why there are no more.
type arrived struct {
	doc corpus.Encoded
	err error
}

// answer writes the topics of documents as they come.
func (i *inferrer) answer(ctx context.Context, m *topoi.Model, in io.Reader, format string, r progress.Reporter) error {
	if i.askedAs == "" {
		i.as = "jsonl"
	}
	options, err := m.ImportOptions()
	if err != nil {
		return err
	}
	encoder, err := corpus.NewEncoder(options)
	if err != nil {
		return err
	}
	out, err := export.NewStream(m, i.as, i.Stdout, i.how, i.options)
	if err != nil {
		return err
	}
	options.Source = i.inputs.Options.Source
	options.Source.Format = format
	coming := make(chan arrived, streamBatch)
	go receive(in, options.Source, encoder, coming)
	report := &corpus.Report{Format: format}
	for last := error(nil); last == nil; {
		var docs []corpus.Encoded
		docs, last = gather(ctx, coming)
		if len(docs) > 0 {
			if err := out.Write(ctx, encoder.Corpus(int(report.Docs), docs)); err != nil {
				return err
			}
		}
		for _, d := range docs {
			report.Docs, report.Tokens, report.UnknownTokens = report.Docs+1, report.Tokens+int64(len(d.Words)), report.UnknownTokens+int64(d.Unknown)
		}
		err = last
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	if !i.quiet {
		r.Say(fmt.Sprintf("read as %s: %s, %s that the model knows, %s that it does not know", format,
			human.Of(report.Docs, "document"), human.Of(report.Tokens, "token"), human.Count(report.UnknownTokens)))
	}
	i.tell(report, r)
	return nil
}

// receive sends every document, then the error that ends them.
func receive(in io.Reader, options source.Options, encoder *corpus.Encoder, coming chan<- arrived) {
	src, err := source.OpenStream("standard input", in, options)
	for err == nil {
		var doc source.Document
		if err = src.Next(&doc); err != nil {
			break
		}
		var encoded corpus.Encoded
		if encoded, err = encoder.Encode(&doc, src); err == nil {
			coming <- arrived{doc: encoded}
		}
	}
	coming <- arrived{err: err}
}

// gather waits for a document and takes along those that are there already.
func gather(ctx context.Context, coming <-chan arrived) (docs []corpus.Encoded, err error) {
	select {
	case a := <-coming:
		if a.err != nil {
			return nil, a.err
		}
		docs = append(docs, a.doc)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	for len(docs) < streamBatch {
		select {
		case a := <-coming:
			if a.err != nil {
				return docs, a.err
			}
			docs = append(docs, a.doc)
		default:
			return docs, nil
		}
	}
	return docs, nil
}

// inferrer is one run of topoi infer.
type inferrer struct {
	*cli.App
	inputs           reading.Flags
	how              topoi.InferOptions
	options          export.Options
	output           string
	as               string // the output's format
	askedAs          string // what the command line says of it
	quiet, overwrite bool

	incremental bool
}

// tell says what was written, and warns when the model knows little of the input.
func (i *inferrer) tell(report *corpus.Report, r progress.Reporter) {
	if all := report.Tokens + report.UnknownTokens; all > 0 && 2*report.UnknownTokens > all {
		r.Say(fmt.Sprintf("warning: the model does not know %d %% of the words; was it trained on texts of this kind and language?", 100*report.UnknownTokens/all))
	}
	if !i.quiet && i.output != "-" {
		r.Say(fmt.Sprintf("wrote %s: the topics of %s", i.output, human.Of(report.Docs, "document")))
	}
}

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
