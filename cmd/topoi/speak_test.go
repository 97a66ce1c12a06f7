package main

import (
	"regexp"
	"testing"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
)

// Messages that the packages for Python and R show name their parameters.
func TestMessagesSpeakPythonAndR(t *testing.T) {
	for _, c := range []struct{ message, python, r string }{
		{"--words is 0: it must be at least 1", "words is 0: it must be at least 1", "words is 0: it must be at least 1"},
		{"add --resume to continue it, or --force to start again", "add resume=True to continue it, or force=True to start again", "add resume = TRUE to continue it, or force = TRUE to start again"},
		{"unknown flag --iteration: did you mean --iterations?", "unknown argument iteration: did you mean iterations?", "unknown argument iteration: did you mean iterations?"},
		{"--topics must be above 0", "n_components must be above 0", "k must be above 0"},
		{"train with --holdout 0.1.", "train with holdout=0.1.", "train with holdout = 0.1."},
		{`use Options.Device = "cpu" or Options.MinDF = 5`, "use device='cpu' or min_df=5", `use device = "cpu" or min_df = 5`},
		{"--lambda needs --order relevance, not lift", "lambda_ needs order='relevance', not lift", `lambda needs order = "relevance", not lift`},
		{`--seed "x": expected a whole number`, "seed='x': expected a whole number", `seed = "x": expected a whole number`},
		{`--seed "1.5": expected`, "seed=1.5: expected", "seed = 1.5: expected"},
		{"--json and -o - both write to standard output", "json=True and output - both write to standard output", "json = TRUE and output - both write to standard output"},
		{"(--min-df, --max-df, --text-field NAME)", "(min_df, max_df, text_field='NAME')", `(min_df, max_df, text_field = "NAME")`},
		{"the file that MALLET writes with --output-state", "the file that MALLET writes with --output-state", "the file that MALLET writes with --output-state"},
		{"topoi infer, topoi verify and topoi reads", "Model.infer(), python -m topoi verify and topoi reads", "topoi_infer(), topoi verify and topoi reads"},
	} {
		for speech, want := range map[string]string{"": c.message, "python,topics=n_components,lambda=lambda_": c.python, "r,topics=k": c.r} {
			t.Setenv(cli.SpeechVariable, speech)
			if speech == "" {
				want = cli.SpeakFlags(c.message)
			}
			if got := newApp([]string{"topics"}, nil, nil, nil).Speak(c.message); got != want {
				t.Errorf("%q becomes %q in %q, want %q", c.message, got, speech, want)
			}
		}
	}
}

// No sentence of the program keeps one of its flags.
func TestEveryMessageSpeaksPython(t *testing.T) {
	t.Setenv(cli.SpeechVariable, "python")
	a, flags, spoken, seen := newApp(nil, nil, nil, nil), allFlags(), regexp.MustCompile("--[a-z][a-z0-9-]+"), 0
	eachLiteral(t, []string{"bench", "release", "mallet", "explore/browsertest"}, func(file, text string) {
		for _, flag := range spoken.FindAllString(text, -1) {
			if flags[flag] {
				seen++
			}
		}
		for _, flag := range spoken.FindAllString(a.Speak(text), -1) {
			if flags[flag] {
				t.Errorf("%s: %s is not translated in %s", file, flag, text)
			}
		}
	})
	if seen < 100 {
		t.Errorf("only %d flags were found in the sources", seen)
	}
}
