package mallet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/human"
)

// lineRegex is MALLET's default: name, label and data with blanks or commas between them.
const lineRegex = `^(\S*)[\s,]*(\S*)[\s,]*(.*)$`

// ImportFile is import-file: one document per line.
type ImportFile struct {
	textOptions
	input             string
	line              string
	name, label, data int
	pattern           *regexp.Regexp
}

var fileRefusals = append(refusals{
	{"label-as-features", "bool", nil, "labels are carried along as they are"},
	{"replacement-files", "string", nil, "replace text before the import"},
	{"deletion-files", "string", nil, "delete text before the import"},
	{
		"stop-pattern-file", "string", nil,
		"give the words themselves with --extra-stopwords, or a narrower --token-regex",
	},
}, textRefusals...)

func (c *ImportFile) Flags(fs, refused *pflag.FlagSet) {
	fs.StringVar(&c.input, "input", "", "`file` with one document per line, or - for standard input (required)")
	c.flags(fs)
	fs.StringVar(&c.line, "line-regex", lineRegex, "what a line is, as an `expression` in RE2 syntax with groups")
	fs.IntVar(&c.name, "name", 1, "`number` of the group with the document's name; 0: it has none")
	fs.IntVar(&c.label, "label", 2, "`number` of the group with its label; 0: it has none")
	fs.IntVar(&c.data, "data", 3, "`number` of the group with its text")
	fileRefusals.define(fs, refused)
}

func (c *ImportFile) Check(fs *pflag.FlagSet) error {
	faults := []error{needed(fs, "input"), c.check(), fileRefusals.check(fs), keepInput(c.input, c.output)}
	line, err := fromJava(c.line)
	if err == nil {
		c.pattern, err = regexp.Compile(line)
	}
	if err != nil {
		return errors.Join(append(faults, fmt.Errorf("--line-regex: %w", err))...)
	}
	for _, g := range []struct {
		name         string
		value, least int
	}{{"name", c.name, 0}, {"label", c.label, 0}, {"data", c.data, 1}} {
		if g.value < g.least || g.value > c.pattern.NumSubexp() {
			faults = append(faults, fmt.Errorf("--%s is %d: --line-regex has the groups %d to %d", g.name, g.value,
				g.least,
				c.pattern.NumSubexp()))
		}
	}
	return errors.Join(faults...)
}

func (c *ImportFile) Run(ctx context.Context, _ *pflag.FlagSet, env Env) error {
	o, err := c.importOptions()
	if err != nil {
		return err
	}
	o.Source.Format = "lines"
	r, err := source.Open([]string{c.input}, o.Source)
	if err != nil {
		return err
	}
	s := &lineSource{Reader: r, file: c.input, groups: [3]int{c.name, c.label, c.data}}
	if c.line != lineRegex {
		s.pattern = c.pattern
	}
	return importSource(ctx, s, c.output, o, env)
}

// importSource writes a corpus and tells what is in it.
func importSource(ctx context.Context, src source.Source, output string, o corpus.ImportOptions, env Env) error {
	o.Progress = func(p corpus.Progress) {
		env.Report.Phase(topoi.PhaseInfo{Name: "importing", Done: p.Bytes, Total: p.TotalBytes})
	}
	o.Duplicates = "keep"
	report, err := corpus.ImportSource(ctx, src, output, o)
	if err != nil {
		return err
	}
	env.Report.Say(fmt.Sprintf("%s: %s, %s, %s", output, human.Of(report.Docs, "document"),
		human.Of(report.Words, "word"),
		human.Of(report.Tokens, "token")))
	return nil
}

// lineSource cuts the lines of a file into name, label and text.
type lineSource struct {
	*source.Reader
	file    string
	pattern *regexp.Regexp // nil: MALLET's default
	groups  [3]int         // of name, label and text; 0: there is none
	line    int
}

func (s *lineSource) Next(doc *source.Document) error {
	if err := s.Reader.Next(doc); err != nil {
		return err
	}
	s.line++
	group, err := s.match(doc.Text)
	if err != nil {
		return err
	}
	doc.ID, doc.Label, doc.Text = group(s.groups[0]), group(s.groups[1]), group(s.groups[2])
	return nil
}

// match returns the groups of a line by number; group 0 is empty.
func (s *lineSource) match(line []byte) (group func(g int) []byte, err error) {
	if s.pattern == nil {
		name, label, data := cutLine(line)
		return func(g int) []byte { return [...][]byte{nil, name, label, data}[g] }, nil
	}
	at := s.pattern.FindSubmatchIndex(line)
	if at == nil {
		return nil, fmt.Errorf("%s:%d: the line does not match --line-regex; correct the line or the expression",
			s.file,
			s.line)
	}
	return func(g int) []byte {
		if g == 0 || at[2*g] < 0 {
			return nil
		}
		return line[at[2*g]:at[2*g+1]]
	}, nil
}

// cutLine cuts a line as MALLET's default expression does: what stands before the first blank, before the next one,
// and the rest, with blanks and commas between them.
func cutLine(line []byte) (name, label, data []byte) {
	name, line = cutWord(line)
	label, line = cutWord(line)
	return name, label, line
}

func cutWord(line []byte) (word, rest []byte) {
	end := bytes.IndexFunc(line, isBlank)
	if end < 0 {
		end = len(line)
	}
	return line[:end], bytes.TrimLeftFunc(line[end:], func(r rune) bool { return isBlank(r) || r == ',' })
}

// isBlank reports whether \s matches: ASCII's white space.
func isBlank(r rune) bool { return r < utf8.RuneSelf && (r == ' ' || r >= '\t' && r <= '\r') }

// ImportSVMLight is import-svmlight: lines of a target and pairs feature:count. Every input becomes a corpus of its
// own; features are words.
type ImportSVMLight struct {
	inputs, outputs []string
	encoding        string
}

var svmlightRefusals = refusals{
	{
		"use-pipe-from", "string", nil,
		"features are words here and keep their names in every corpus, so nothing needs to be taken over",
	},
	{"print-output", "bool", nil, "topoi info and topoi export show what a corpus holds"},
}

func (c *ImportSVMLight) Flags(fs, refused *pflag.FlagSet) {
	fs.StringArrayVar(&c.inputs, "input", nil, "`files` to read (required)")
	fs.StringArrayVar(&c.outputs, "output", nil, "`files` to write, one for each input: corpora of topoi (required)")
	fs.StringVar(&c.encoding, "encoding", "auto", "`name` of the text encoding of the input, or auto to detect it")
	svmlightRefusals.define(fs, refused)
}

func (c *ImportSVMLight) Check(fs *pflag.FlagSet) error {
	faults := []error{
		needed(fs, "input", "output"), svmlightRefusals.check(fs),
		human.FaultIf(len(c.inputs) != len(c.outputs) && len(c.inputs)*len(c.outputs) > 0,
			"--input names %d files and --output %d: name one output for each input", len(c.inputs), len(c.outputs)),
	}
	for _, input := range c.inputs {
		for _, output := range c.outputs {
			faults = append(faults, keepInput(input, output))
		}
	}
	return errors.Join(faults...)
}

func (c *ImportSVMLight) Run(ctx context.Context, _ *pflag.FlagSet, env Env) error {
	for i, input := range c.inputs {
		// The base 0 makes features that are numbers keep them as names.
		o := corpus.ImportOptions{
			Source: source.Options{Format: "svmlight", IndexBase: "0", Encoding: c.encoding},
			MinCF:  1,
		}
		r, err := source.Open([]string{input}, o.Source)
		if err != nil {
			return err
		}
		if err := importSource(ctx, r, c.outputs[i], o, env); err != nil {
			return err
		}
	}
	return nil
}
