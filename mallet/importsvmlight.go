package mallet

import (
	"context"
	"errors"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/human"
)

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

// Flags implements Command.
func (c *ImportSVMLight) Flags(fs, refused *pflag.FlagSet) {
	fs.StringArrayVar(&c.inputs, "input", nil, "`files` to read (required)")
	fs.StringArrayVar(&c.outputs, "output", nil, "`files` to write, one for each input: corpora of topoi (required)")
	fs.StringVar(&c.encoding, "encoding", "auto", "`name` of the text encoding of the input, or auto to detect it")
	configFlag(fs)
	svmlightRefusals.define(refused)
}

// Check implements Command.
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

// Run implements Command.
func (c *ImportSVMLight) Run(ctx context.Context, _ *pflag.FlagSet, env Env) error {
	for i, input := range c.inputs {
		// The base 0 makes features that are numbers keep them as names.
		o := corpus.ImportOptions{Source: source.Options{Format: "svmlight", IndexBase: "0", Encoding: c.encoding}, MinCF: 1}
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
