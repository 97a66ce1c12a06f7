package cli

import (
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/option"
	"github.com/topoi-lda/topoi/internal/pattern"
	"github.com/topoi-lda/topoi/internal/progress"
)

// SpeechVariable is the environment variable by which the packages for Python and R ask for messages in the words of
// their users: "python" or "r", and the parameters that do not have the names of their flags, as in "r,topics=k".
const SpeechVariable = "TOPOI_SPEAK"

// A speech is how a language writes parameters and the functions that stand for commands.
type speech struct {
	equals, quote, yes, no string
	functions              map[string]string // by command; "" is before the name of any other
	names                  map[string]string // of parameters, by flag
}

func newSpeech(asked string) *speech {
	language, renamed, _ := strings.Cut(asked, ",")
	s := speech{names: map[string]string{}}
	switch language {
	case "python":
		s.equals, s.quote, s.yes, s.no = "=", "'", "True", "False"
		s.functions = map[string]string{
			"train": "topoi.train()", "study": "topoi.train()", "eval": "Model.score()", "": "python -m topoi ",
		}
		for _, command := range []string{"infer", "topics", "explore", "coherence"} {
			s.functions[command] = "Model." + command + "()"
		}
		s.functions["name"] = "Model.label()"
	case "r":
		s.equals, s.quote, s.yes, s.no = " = ", `"`, "TRUE", "FALSE"
		s.functions = map[string]string{
			"eval": "perplexity()", "study": "topoi_train()", "name": "topoi_label()", "": "topoi ",
		}
		for _, command := range strings.Fields("train infer topics explore prevalence sweep fingerprint") {
			s.functions[command] = "topoi_" + command + "()"
		}
	default:
		return nil
	}
	for _, pair := range strings.Split(renamed, ",") {
		flag, name, _ := strings.Cut(pair, "=")
		s.names[flag] = name
	}
	return &s
}

var (
	spokenFlag = pattern.Of(`(^|[\s(\["'/…])(--[a-z][a-z0-9-]*|-[a-zA-Z]\b)` +
		`(?:([ =])("[^"]*"|'[^']*'|-?[^\s,;()"'-][^\s,;()]*))?`)
	spokenCommand = pattern.Of(`(^|[\s("'])topoi ([a-z]+)\b`)
	unknownFlag   = pattern.Of(`unknown flag --?([\w-]+)`)
	plainNumber   = pattern.Of(`^-?[0-9][0-9.]*$`)
	plainValue    = pattern.Of(`^(-?[0-9].*|.*[/.=:|]\S.*|[A-Z]+|["'].*["'])$`)
)

// Speak returns a message in the words of whoever runs the program: flags for people at a
// shell, else parameters of the language that SpeechVariable names.
func (a *App) Speak(message string) string {
	message = SpeakFlags(message)
	s := newSpeech(os.Getenv(SpeechVariable))
	if s == nil {
		return message
	}
	root := a.All()
	message = spokenCommand().ReplaceAllStringFunc(message, func(found string) string {
		parts := spokenCommand().FindStringSubmatch(found)
		name := parts[2]
		if c, _, err := root.Find([]string{name}); err != nil || c == root {
			return found
		}
		if function := s.functions[name]; function != "" {
			return parts[1] + function
		}
		return parts[1] + s.functions[""] + name
	})
	message = unknownFlag().ReplaceAllStringFunc(message, func(found string) string {
		return "unknown argument " + s.name(unknownFlag().FindStringSubmatch(found)[1])
	})
	return spokenFlag().ReplaceAllStringFunc(message, func(found string) string {
		parts := spokenFlag().FindStringSubmatch(found)
		command, flag := a.flagNamed(root, parts[2])
		if flag == nil {
			return found // of another program
		}
		return parts[1] + s.parameter(command, flag, parts[3], parts[4])
	})
}

// optionNames finds options of the library in its messages: Options.Device, and
// Options.Device = "cpu" where one is to be set.
var optionNames = pattern.Of(`\b(?:[A-Z]\w*)?(?:Options|Tuning)\.([A-Z]\w*)(?: = (?:"([^"]*)"|([^\s,;:]+)))?`)

// otherFlags are the options whose flags are not called as they are.
var otherFlags = map[string]string{
	"TextFields": "text-field", "VocabPath": "vocab", "Languages": "language", "StopWords": "stopwords",
	"CorpusPath": "corpus", "MinTheta": "min-theta", "TopTopics": "top", "NoQuotes": "quote none",
}

// jobCalls finds methods of cluster.Job, each of which has a command, and its field.
var jobCalls = pattern.Of(`\bJob\.(Submit|Work|Status|Cancel|Store)\b`)

// SpeakFlags puts the names of flags and commands in place of those that options and calls have in the library.
func SpeakFlags(message string) string {
	message = strings.ReplaceAll(message, "serve.HashToken", "topoi serve --new-token NAME")
	message = jobCalls().ReplaceAllStringFunc(message, func(call string) string {
		if call == "Job.Store" {
			return "--store"
		}
		return "topoi cluster " + strings.ToLower(strings.TrimPrefix(call, "Job."))
	})
	return optionNames().ReplaceAllStringFunc(message, func(found string) string {
		parts := optionNames().FindStringSubmatch(found)
		flag, ok := otherFlags[parts[1]]
		if !ok {
			flag = option.FlagName(parts[1])
		}
		flag = "--" + flag
		if value := parts[2] + parts[3]; value != "" {
			flag += " " + value
		}
		return flag
	})
}

func (s *speech) name(flag string) string {
	if name := s.names[flag]; name != "" {
		return name
	}
	return strings.ReplaceAll(flag, "-", "_")
}

// parameter returns a flag as a parameter, with the value that follows it, if it is one.
func (s *speech) parameter(c *cobra.Command, flag *pflag.Flag, between, value string) string {
	bare := strings.TrimRight(value, ".:")
	rest := value[len(bare):]
	name := s.name(flag.Name)
	switch {
	case flag.NoOptDefVal != "" && between == "=":
		return name + s.equals + map[string]string{"true": s.yes, "false": s.no}[bare] + rest
	case flag.NoOptDefVal != "":
		return name + s.equals + s.yes + between + value
	case between != "=" && !isValue(c, flag, bare):
		return name + between + value
	}
	if bare = strings.Trim(bare, `"'`); plainNumber().MatchString(bare) {
		return name + s.equals + bare + rest
	}
	return name + s.equals + s.quote + bare + s.quote + rest
}

// isValue reports whether the word after a flag is its value, and not the next one of a sentence.
func isValue(c *cobra.Command, flag *pflag.Flag, word string) bool {
	if plainValue().MatchString(word) {
		return true
	}
	values, ok := c.GetFlagCompletionFunc(flag.Name)
	if !ok {
		return false
	}
	known, _ := values(c, nil, "")
	return slices.ContainsFunc(known, func(v cobra.Completion) bool {
		return v == word || strings.HasPrefix(v, word+"\t")
	})
}

// flagNamed finds a flag, of the command that runs or else of the first that has it.
func (a *App) flagNamed(root *cobra.Command, spoken string) (*cobra.Command, *pflag.Flag) {
	running, _, _ := root.Find(a.Args)
	commands := []*cobra.Command{running}
	for _, c := range root.Commands() {
		if c.Name() != "mallet" { // whose flags are MALLET's
			commands = append(append(commands, c), c.Commands()...)
		}
	}
	for _, c := range commands {
		flag := c.Flags().Lookup(strings.TrimPrefix(spoken, "--"))
		if len(spoken) == 2 {
			flag = c.Flags().ShorthandLookup(spoken[1:])
		}
		if flag != nil {
			return c, flag
		}
	}
	return nil, nil
}

// Reporter chooses how progress is shown: JSON on standard output if asked for,
// else on standard error, as a bar on a terminal and as lines elsewhere.
func (a *App) Reporter(asJSON, quiet bool) progress.Reporter {
	switch {
	case asJSON:
		return progress.NewJSON(a.Stdout)
	case quiet:
		return progress.NewQuiet(a.Stderr)
	}
	if f, ok := Terminal(a.Stderr); ok {
		bar := progress.NewBar(f, progress.Columns(f))
		bar.Verbose = a.Verbose
		return bar
	}
	log := progress.NewLog(a.Stderr)
	log.Verbose = a.Verbose
	return log
}

// Phase returns a function that reports the progress of a step.
func Phase(r progress.Reporter, name string) func(done, total int64) {
	return func(done, total int64) { r.Phase(topoi.PhaseInfo{Name: name, Done: done, Total: total}) }
}

// LogFormats are the values of --log.
var LogFormats = []string{"text", "json", "none"}

// CheckLog returns an error if format is not a value of --log.
func CheckLog(format string) error {
	return human.FaultIf(!slices.Contains(LogFormats, format),
		"unknown log format %q: it must be text, json or none", format)
}

// Logger returns a log on standard error in one of LogFormats.
func (a *App) Logger(format string, level slog.Level) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	switch format {
	case "json":
		return slog.New(slog.NewJSONHandler(a.Stderr, options))
	case "none":
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(a.Stderr, options))
}

// Terminal returns w as a file if a person is looking at it.
func Terminal(w io.Writer) (*os.File, bool) {
	if p, ok := w.(*human.Writer); ok {
		w = p.Unwrap()
	}
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}
