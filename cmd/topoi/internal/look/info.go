package look

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strings"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/option"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/training"
)

// AddInfo adds topoi info.
func AddInfo(a *cli.App) {
	c := cli.Describe("info")
	var asJSON, verify, hash bool
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.BoolVar(&hash, "fingerprint", false, "print the fingerprint alone")
		fs.BoolVar(&asJSON, "json", false, "write JSON")
		fs.BoolVar(&verify, "verify", false, "read everything and compare checksums")
	})
	check := func(args []string) error {
		return errors.Join(
			cli.NeedInputs(args, "the corpus file or model", "topoi info news.model"),
			human.FaultIf(hash && asJSON, "--fingerprint and --json cannot be combined: --json shows the fingerprint too"),
		)
	}
	run := func(_ context.Context, args []string) error {
		if hash {
			return fingerprints(a, args, verify)
		}
		var faults []error
		for i, path := range args {
			if i > 0 && !asJSON {
				fmt.Fprintln(a.Stdout)
			}
			faults = append(faults, describe(a, path, asJSON, verify))
		}
		return errors.Join(faults...)
	}
	a.Add(c, check, run)
}

// describe writes what is known of the corpus file or model at path.
func describe(a *cli.App, path string, asJSON, verify bool) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s does not exist: check the path", path)
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		return describeModel(a, path, asJSON, verify)
	}
	return describeCorpus(a, path, info.Size(), asJSON, verify)
}

func describeModel(a *cli.App, path string, asJSON, verify bool) error {
	m, err := openVerified(path, verify)
	if err != nil {
		return err
	}
	defer m.Close()
	manifest := m.Manifest()
	if asJSON {
		return a.WriteJSON(struct {
			Path        string         `json:"path"`
			Kind        string         `json:"kind"`
			Fingerprint string         `json:"fingerprint"`
			Manifest    topoi.Manifest `json:"manifest"`
		}{path, "model", m.Fingerprint(), manifest})
	}
	w := a.Stdout
	fmt.Fprintf(w, "%s: a model of %s\n", human.Line(path), human.Of(manifest.Topics, "topic"))
	unit := "document"
	if bytes.Contains(manifest.Pipeline, []byte(`"pieces":`)) {
		unit = "piece"
	}
	line(w, "trained on", fmt.Sprintf("%s, %s, %s", human.Of(manifest.Docs, unit), human.Of(manifest.Words, "word"),
		human.Of(manifest.Tokens, "token")))
	line(w, "corpus", manifest.Corpus)
	o := manifest.Options
	if o.Holdout > 0 {
		line(w, "held out", heldOut(o))
	}
	line(w, "sampler", fmt.Sprintf("%s, seed %d", o.Sampler, o.Seed))
	if flags := tuningFlags(o.Tuning); flags != "" {
		line(w, "tuning", flags)
	}
	line(w, "iterations", fmt.Sprintf("%s, stopped by %s", human.Count(manifest.Iterations), manifest.Stopped))
	if n := len(manifest.History); n > 0 {
		last := manifest.History[n-1]
		score := fmt.Sprintf("log-likelihood %.4f", last.LogLikelihood)
		if last.Heldout != nil {
			score += fmt.Sprintf(", held-out %.4f", *last.Heldout)
		} else if last.Sample != nil {
			score += fmt.Sprintf(", sample %.4f", *last.Sample)
		}
		line(w, "last score", score+" nats/token")
	}
	line(w, "priors", fmt.Sprintf("Σα = %.4g, β = %.4g", prior.Sum(m.Alpha()), manifest.BetaPerDraw()))
	if o := manifest.Options; o.Prior != "" {
		line(w, "prior", strings.TrimSpace(o.Prior+" "+o.Formula))
	}
	if manifest.Program != "" {
		line(w, "trained by", "topoi "+manifest.Program)
	}
	if manifest.Draws > 0 {
		line(w, "averaged", fmt.Sprintf("over %d states, %d sweeps apart", manifest.Draws, training.DrawEvery))
	} else if manifest.PseudoTokens > 0 {
		line(w, "guided by", human.Of(int(manifest.PseudoTokens), "pseudo-count"))
	}
	if docs, err := m.Docs(); err == nil {
		line(w, "columns", columnsOf(docs))
	}
	for i, step := range manifest.Lineage {
		line(w, []string{"made by", ""}[min(i, 1)],
			strings.TrimSpace(step.Kind+": "+human.Line(step.Detail)+" "+step.From))
	}
	line(w, "fingerprint", m.Fingerprint())
	return nil
}

// tuningFlags are the flags that choose what is not a sampler's own default.
func tuningFlags(t topoi.Tuning) string {
	var flags []string
	for _, f := range option.Fields(t) {
		switch {
		case f.Value.IsZero():
		case f.Value.Kind() == reflect.Bool:
			flags = append(flags, "--"+f.Flag())
		default:
			flags = append(flags, fmt.Sprintf("--%s %v", f.Flag(), f.Value))
		}
	}
	return strings.Join(flags, " ")
}

// heldOut returns which documents were left out of training.
func heldOut(o topoi.Options) string {
	if o.HoldoutLast {
		return fmt.Sprintf("the last %v of the documents", o.Holdout)
	}
	return fmt.Sprintf("a random sample of %v of the documents, seed %d", o.Holdout, o.HoldoutSeed)
}

func describeCorpus(a *cli.App, path string, bytes int64, asJSON, verify bool) error {
	c, err := openVerifiedCorpus(path, verify)
	if err != nil {
		return err
	}
	defer c.Close()
	if asJSON {
		return a.WriteJSON(struct {
			Path        string `json:"path"`
			Kind        string `json:"kind"`
			Fingerprint string `json:"fingerprint"`
			Bytes       int64  `json:"bytes"`
			Docs        int    `json:"docs"`
			Words       int    `json:"words"`
			Tokens      int    `json:"tokens"`
			IDs         bool   `json:"has_ids"`
			Labels      bool   `json:"has_labels"`
			Times       bool   `json:"has_times"`
			Titles      bool   `json:"has_titles"`
			Snippets    bool   `json:"has_snippets"`
		}{
			path, "corpus", c.Fingerprint(), bytes, c.NumDocs(), c.NumWords(), c.NumTokens(), c.HasIDs(), c.HasLabels(),
			c.HasTimes(), c.HasTitles(), c.HasSnippets(),
		})
	}
	w := a.Stdout
	size := human.Of(c.NumDocs(), "document")
	if c.HasPieces() {
		size = fmt.Sprintf("%s in %s", human.Of(len(c.FirstPieces()), "document"), human.Of(c.NumDocs(), "piece"))
	}
	fmt.Fprintf(w, "%s: a corpus of %s\n", human.Line(path), size)
	line(w, "words", human.Count(c.NumWords()))
	line(w, "tokens", human.Count(c.NumTokens()))
	line(w, "carries", carried(c))
	line(w, "size", human.Bytes(bytes))
	line(w, "fingerprint", c.Fingerprint())
	return nil
}

func carried(c *corpus.Corpus) string {
	var names []string
	for _, part := range []struct {
		has  bool
		name string
	}{
		{c.HasIDs(), "ids"},
		{c.HasLabels(), "labels"},
		{c.HasTimes(), "times"},
		{c.HasTitles(), "titles"},
		{c.HasSnippets(), "snippets"},
	} {
		if part.has {
			names = append(names, part.name)
		}
	}
	switch s := strings.Join(names, ", "); {
	case s == "":
		return "no ids: documents are numbered from 0"
	case !c.HasIDs():
		return s + "; no ids: documents are numbered from 0"
	default:
		return s
	}
}

func line(w io.Writer, name, value string) { fmt.Fprintf(w, "  %-12s %s\n", name, human.Line(value)) }

// columnsOf lists the columns of documents with their kinds, and which of them hold the labels and times.
func columnsOf(docs *corpus.Corpus) string {
	var list []string
	for _, c := range docs.Columns() {
		what := string(c.Kind)
		if c.Role != "" && c.Role != c.Name {
			what += ", the " + c.Role
		}
		list = append(list, fmt.Sprintf("%s (%s)", human.Line(c.Name), what))
	}
	return strings.Join(list, ", ")
}
