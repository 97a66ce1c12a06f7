package guiding

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/compare"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reading"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/guide"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/progress"
)

// updater is one run of topoi update.
type updater struct {
	*cli.App
	in               reading.Flags
	options          guide.UpdateOptions
	output, keep     string
	overwrite, quiet bool
}

// AddUpdate adds topoi update.
func AddUpdate(a *cli.App) {
	u := &updater{App: a}
	c := cli.Describe("update")
	o := &u.options
	cli.Section(c, "What to train", func(fs *pflag.FlagSet) {
		fs.StringVarP(&u.output, "output", "o", "", "`directory` to save the model in (required)")
		fs.Float64Var(&o.Weight, "weight", 1,
			"weight of a token of the older model; below 1 the older model is gradually forgotten")
		fs.StringVar(&u.keep, "keep", "none", "old `documents` to train on again: none, all, or how many")
		fs.IntVar(&o.NewTopics, "new-topics", 0, "`number` of new topics to add")
		fs.IntVar(&o.MinDocs, "min-new", 2, "learn new words that occur in at least this many new `documents`")
		fs.IntVar(&o.Options.Iterations, "iterations", 200, "largest `number` of sweeps")
		fs.Uint64Var(&o.Options.Seed, "seed", 0, "random seed; the same `number` gives the same model")
	})
	cli.Section(c, "How to run", func(fs *pflag.FlagSet) {
		fs.IntVar(&o.Options.Threads, "threads", 0,
			"`number` of threads; does not change the result (default: all cores)")
		fs.StringVar(&o.Options.Device, "device", "auto", "`device` to train on: auto, cpu, cuda or cuda:N")
		fs.BoolVar(&u.overwrite, "overwrite", false, "replace the model if it exists")
		fs.BoolVar(&u.quiet, "quiet", false, "show errors only")
	})
	u.in.AddReading(c)
	check := func(args []string) error {
		if len(args) < 2 {
			return errors.New("the model and the new documents are missing: try topoi update news.model december.csv -o new.model")
		}
		return errors.Join(cli.NeedOutput(u.output, "MODEL"), cli.RefuseModel(u.output, u.overwrite), u.settle(),
			cli.RefuseZero(c, "iterations", "min-new", "weight"))
	}
	a.Add(c, check, cli.OnModel(new(string), u.run))
}

// settle reads --keep.
func (u *updater) settle() error {
	switch n, err := strconv.Atoi(u.keep); {
	case u.keep == "none":
		u.options.Keep = 0
	case u.keep == "all":
		u.options.Keep = -1
	case err != nil || n < 0:
		return fmt.Errorf("--keep is %q: it must be none, all or a number of documents", u.keep)
	default:
		u.options.Keep = n
	}
	return nil
}

func (u *updater) run(ctx context.Context, old *topoi.Model, args []string) error {
	ctx, owned, err := claim.Hold(ctx, claim.At(u.output))
	if err != nil {
		return err
	}
	defer owned.Release()
	r := u.Reporter(false, u.quiet)
	defer r.Close()
	docs, err := u.read(ctx, old, args[1:], r)
	if err != nil {
		return err
	}
	defer docs.Close()
	u.options.Options.Events, u.options.Options.Program = r.Events(), cli.ProgramVersion()
	updated, err := guide.Update(ctx, old, docs, u.options)
	if err != nil {
		return err
	}
	defer updated.Model.Close()
	if err := updated.Model.Save(u.output, topoi.SaveOptions{Overwrite: u.overwrite}); err != nil {
		return err
	}
	if !u.quiet {
		return u.tell(ctx, old, updated, r)
	}
	return nil
}

// read reads the new documents as the old ones were, with the words that the model does not know.
func (u *updater) read(ctx context.Context, old *topoi.Model, inputs []string,
	r progress.Reporter,
) (*corpus.Corpus, error) {
	o, err := old.ImportOptions()
	if err != nil {
		return nil, err
	}
	o.Vocabulary, o.Source, o.MinDF, o.MaxDF, o.Snippet = corpus.Strings{}, u.in.Options.Source, 1, 1,
		reading.UsualSnippet
	o.Progress = reading.Progress(r)
	docs, report, err := corpus.Load(ctx, inputs, o)
	if err != nil {
		return nil, reading.WithFlags(err)
	}
	if !u.quiet {
		reading.Tell(report, "", r)
	}
	return docs, nil
}

// tell prints what changed.
func (u *updater) tell(ctx context.Context, old *topoi.Model, updated *guide.Updated, r progress.Reporter) error {
	r.Say(fmt.Sprintf("saved %s, fingerprint %s", u.output, updated.Model.Fingerprint()))
	r.Say(fmt.Sprintf("learned %s%s; %s of the older model do not occur in the new documents",
		human.Of(updated.NewWords, "new word"), learned(updated, old.NumWords()), human.Of(updated.Quiet, "word")))
	if grown := grown(old, updated.Model); grown != "" {
		r.Say(grown)
	}
	result, err := compare.Models(ctx, old, updated.Model, compare.Options{})
	if err != nil {
		return err
	}
	same := 0
	for _, p := range result.Matches {
		if p.A == p.B {
			same++
		}
	}
	r.Say(fmt.Sprintf("%d of %d topics match their own number in the older model; topoi compare shows more", same,
		old.NumTopics()))
	return nil
}

// mostNamed is how many words and topics are named.
const mostNamed = 10

// learned names the most frequent new words.
func learned(u *guide.Updated, known int) string {
	count := make([]int, u.Docs.NumWords())
	for _, w := range u.Docs.Tokens() {
		count[w]++
	}
	var words []int
	for w := known; w < len(count); w++ {
		if count[w] > 0 {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return ""
	}
	slices.SortStableFunc(words, func(a, b int) int { return cmp.Compare(count[b], count[a]) })
	list := lists.Of(words[:min(mostNamed, len(words))], u.Docs.Word)
	more := ""
	if len(words) > mostNamed {
		more = ", …"
	}
	return " (" + human.Line(strings.Join(list, ", ")) + more + ")"
}

// grown names topics whose share of the words has risen the most, by at least half of what it was and by a point.
func grown(old, m *topoi.Model) string {
	type change struct {
		topic    int
		from, to float64
	}
	before, after := sharesOf(old), sharesOf(m)
	var list []change
	for k := range after {
		c := change{topic: k, to: after[k]}
		if k < len(before) {
			c.from = before[k]
		}
		if c.to-c.from >= 0.01 && c.to >= 1.5*c.from {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return ""
	}
	slices.SortStableFunc(list, func(a, b change) int { return cmp.Compare(b.to-b.from, a.to-a.from) })
	names := lists.Of(list[:min(mostNamed, len(list))], func(c change) string {
		name := strconv.Itoa(c.topic)
		if label := m.Label(c.topic); label != "" {
			name += " (" + human.Line(label) + ")"
		}
		return fmt.Sprintf("%s from %.1f %% to %.1f %%", name, 100*c.from, 100*c.to)
	})
	return "topics that have grown: " + strings.Join(names, ", ")
}

// sharesOf returns the share of each topic of the words of training documents.
func sharesOf(m *topoi.Model) []float64 {
	shares := make([]float64, m.NumTopics())
	for s := range m.Summary(nil, 1) {
		shares[s.Topic] = s.Share
	}
	return shares
}

// editor is one run of topoi edit.
type editor struct {
	*cli.App
	edits              guide.Edits
	merge, split, move []string
	drop               []string
	output             string
	file, of           string // edits, and the fingerprint of the model that they are for
	overwrite, quiet   bool
}

// AddEdit adds topoi edit.
func AddEdit(a *cli.App) {
	e := &editor{App: a}
	c := cli.Describe("edit")
	cli.Section(c, "Edits", func(fs *pflag.FlagSet) {
		fs.StringVarP(&e.output, "output", "o", "", "`directory` to save the new model in (required)")
		fs.StringArrayVar(&e.merge, "merge", nil,
			"`topics` to merge into the first of them, by number or name, such as 3,17; can be repeated")
		fs.StringSliceVar(&e.drop, "drop", nil, "`topics` whose words go to the topics that fit them best")
		fs.StringArrayVar(&e.split, "split", nil, "`topic=number` of topics to split it into, such as 9=2")
		fs.StringArrayVar(&e.move, "move", nil,
			"`word:from:to` moves a word from one topic to another, such as tax:3:7")
		fs.BoolVar(&e.edits.Renumber, "renumber", false, "remove empty topics and close the gaps in the numbers")
		fs.IntVar(&e.edits.Sweeps, "sweeps", 0, "`number` of sweeps after the edits; 0 changes nothing else")
		fs.Uint64Var(&e.edits.Seed, "seed", 0, "random seed; the same `number` gives the same model")
		fs.IntVar(&e.edits.Threads, "threads", 0,
			"`number` of threads; does not change the result (default: all cores)")
		fs.BoolVar(&e.overwrite, "overwrite", false, "replace the model if it exists")
		fs.BoolVar(&e.quiet, "quiet", false, "show errors only")
	})
	check := func(args []string) error {
		if len(args) == 2 {
			e.file, args = args[1], args[:1]
		}
		return errors.Join(cli.OneModel(args, "topoi edit news.model -o edited.model --merge 3,17"),
			cli.NeedOutput(e.output, "NEW-MODEL"),
			cli.RefuseModel(e.output, e.overwrite), e.settle(), cli.RefuseNegative(c, "sweeps"))
	}
	a.Add(c, check, cli.OnModel(new(string), e.run))
}

// settle reads the file, and checks the form of the flags.
func (e *editor) settle() error {
	var faults []error
	for _, text := range e.merge {
		faults = append(faults, human.FaultIf(!strings.Contains(text, ","), "--merge %s: expected topics such as 3,17", text))
	}
	for _, text := range e.split {
		_, into, _ := strings.Cut(text, "=")
		_, err := strconv.Atoi(strings.TrimSpace(into))
		faults = append(faults, human.FaultIf(err != nil, "--split %s: expected a topic and a number such as 9=2", text))
	}
	for _, text := range e.move {
		faults = append(faults, human.FaultIf(strings.Count(text, ":") != 2,
			"--move %s: expected a word and two topics such as tax:3:7", text))
	}
	return errors.Join(append(faults, e.readFile())...)
}

// find adds the edits of the flags, whose topics have numbers or names.
func (e *editor) find(m *topoi.Model) error {
	var faults []error
	topics := func(flag string, names ...string) []int {
		list, err := cli.EachTopic(m, names)
		if err != nil {
			faults = append(faults, fmt.Errorf("--%s: %w", flag, err))
		}
		return list
	}
	var merge [][]int
	for _, text := range e.merge {
		merge = append(merge, topics("merge", strings.Split(text, ",")...))
	}
	var split []guide.Split
	for _, text := range e.split {
		name, into, _ := strings.Cut(text, "=")
		n, _ := strconv.Atoi(strings.TrimSpace(into)) // settle has read it
		for _, k := range topics("split", name) {
			split = append(split, guide.Split{Topic: k, Into: n})
		}
	}
	var move []guide.Move
	for _, text := range e.move {
		parts := strings.Split(text, ":")
		if list := topics("move", parts[1:]...); len(list) == 2 {
			move = append(move, guide.Move{Word: parts[0], From: list[0], To: list[1]})
		}
	}
	o := &e.edits // those of the file follow
	o.Drop = append(topics("drop", e.drop...), o.Drop...)
	o.Merge, o.Split, o.Move = append(merge, o.Merge...), append(split, o.Split...), append(move, o.Move...)
	return errors.Join(faults...)
}

// readFile adds the edits of the file.
func (e *editor) readFile() error {
	if e.file == "" {
		return nil
	}
	b, err := os.ReadFile(e.file)
	if err != nil {
		return fmt.Errorf("cannot read the edits: %w", err)
	}
	var f struct {
		Fingerprint string
		Merge       [][]int
		Drop        []int
		Split       []guide.Split
		Move        []guide.Move
	}
	d := json.NewDecoder(strings.NewReader(string(b)))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return fmt.Errorf(`%s: expected edits such as {"merge": [[3, 17]], "drop": [4]}: %w`, e.file, err)
	}
	e.of = f.Fingerprint
	o := &e.edits
	o.Merge, o.Drop, o.Split, o.Move = append(o.Merge, f.Merge...), append(o.Drop, f.Drop...),
		append(o.Split, f.Split...), append(o.Move, f.Move...)
	return nil
}

func (e *editor) run(ctx context.Context, m *topoi.Model, args []string) error {
	if e.of != "" && e.of != m.Fingerprint() {
		return fmt.Errorf("%s holds edits for another model: their fingerprint is %s, and that of %s is %s", e.file,
			e.of, args[0], m.Fingerprint())
	}
	if err := e.find(m); err != nil {
		return err
	}
	ctx, owned, err := claim.Hold(ctx, claim.At(e.output))
	if err != nil {
		return err
	}
	defer owned.Release()
	r := e.Reporter(false, e.quiet)
	defer r.Close()
	e.edits.Program = cli.ProgramVersion()
	if e.edits.Sweeps > 0 {
		e.edits.Events = r.Events()
	}
	edited, err := guide.Edit(ctx, m, e.edits)
	if err != nil {
		return err
	}
	if err := edited.Save(e.output, topoi.SaveOptions{Overwrite: e.overwrite}); err != nil {
		return err
	}
	if !e.quiet {
		lineage := edited.Manifest().Lineage
		r.Say(fmt.Sprintf("saved %s, fingerprint %s: %s", e.output, edited.Fingerprint(),
			lineage[len(lineage)-1].Detail))
	}
	return nil
}
