package apply

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"golang.org/x/term"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reading"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/export"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/progress"
	"github.com/topoi-lda/topoi/internal/stdin"
)

// streamBatch is the most documents that are inferred together when they have come together.
const streamBatch = 256

// stream returns standard input and the format of its documents if they are to be answered one by one: JSON lines or
// lines of text from a pipe or a person, to standard output. Else it returns nil, and standard input is as it was.
func (i *inferrer) stream(inputs []string) (io.Reader, string) {
	if len(inputs) != 1 || inputs[0] != "-" || i.output != "-" ||
		!slices.Contains([]string{"", "csv", "jsonl"}, i.askedAs) {
		return nil, ""
	}
	if f := i.inputs.Command.Flags().Lookup("encoding"); f != nil && f.Changed {
		return nil, "" // a stream is UTF-8
	}
	format := i.inputs.Options.Source.Format
	switch {
	case format == "lines" || format == "jsonl":
		return stdin.Reader(), format
	case format != "auto":
		return nil, ""
	case term.IsTerminal(int(os.Stdin.Fd())):
		return stdin.Reader(), "lines"
	}
	in := bufio.NewReader(stdin.Reader())
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
			report.Docs, report.Tokens, report.UnknownTokens = report.Docs+1, report.Tokens+int64(len(d.Words)),
				report.UnknownTokens+int64(d.Unknown)
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
	verify      bool // compare what is there with its checksums
}

// tell prints what was written, and warns when the model knows little of the input.
func (i *inferrer) tell(report *corpus.Report, r progress.Reporter) {
	if all := report.Tokens + report.UnknownTokens; all > 0 && 2*report.UnknownTokens > all {
		r.Say(fmt.Sprintf("warning: the model does not know %d %% of the words; was it trained on texts of this kind and language?", 100*report.UnknownTokens/all))
	}
	if !i.quiet && i.output != "-" {
		r.Say(fmt.Sprintf("wrote %s: the topics of %s", i.output, human.Of(report.Docs, "document")))
	}
}
