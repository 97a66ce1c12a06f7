package look

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/labelsfile"
	"github.com/topoi-lda/topoi/topic"
)

// namer is one run of topoi name.
type namer struct {
	*cli.App
	names                []string // NUMBER=NAME
	remove, hide, show   []int
	force, asJSON, quiet bool
}

// AddName adds topoi name.
func AddName(a *cli.App) { addNamer(a, "name") }

// AddLabel adds topoi label, the old name of topoi name.
func AddLabel(a *cli.App) { addNamer(a, "label") }

func addNamer(a *cli.App, command string) {
	l := &namer{App: a}
	c := cli.Describe(command)
	cli.Section(c, "Names", func(fs *pflag.FlagSet) {
		fs.StringArrayVar(&l.names, "label", nil, "name a topic: `NUMBER=NAME`; can be repeated")
		cli.Moved(fs, "NUMBER=NAME", "label")
		fs.IntSliceVar(&l.remove, "remove", nil, "remove the names of these `topics`")
		fs.IntSliceVar(&l.hide, "hide", nil, "`topics` to hide in pictures; tables keep them")
		fs.IntSliceVar(&l.show, "show", nil, "`topics` to show in pictures again")
		fs.BoolVar(&l.force, "force", false, "accept names that were given to topics of another model")
		fs.BoolVar(&l.asJSON, "json", false, "list the names as JSON, as in a file of names")
		fs.BoolVar(&l.quiet, "quiet", false, "show errors only")
	})
	a.Add(c, l.check, cli.Stoppable(func(ctx context.Context, args []string) error {
		return l.run(ctx, l.takeNames(args))
	}))
}

// takeNames takes the arguments of the form NUMBER=NAME for names, and returns the others.
func (l *namer) takeNames(args []string) (others []string) {
	for i, s := range args {
		if i > 0 && isName(s) {
			l.names = append(l.names, s)
			continue
		}
		others = append(others, s)
	}
	return others
}

// isName reports whether an argument names a topic.
func isName(s string) bool {
	number, _, ok := strings.Cut(s, "=")
	_, err := strconv.Atoi(strings.TrimSpace(number))
	return ok && err == nil
}

func (l *namer) check(args []string) error {
	var faults []error
	given := &namer{names: slices.Clone(l.names)}
	args = given.takeNames(args)
	switch {
	case len(args) == 0:
		faults = append(faults, errors.New(`the model is missing: try topoi name news.model 3="energy"`))
	case len(args) > 2:
		faults = append(faults, fmt.Errorf("give one model and one file of names: %q is one too many", args[2]))
	}
	for _, s := range given.names {
		_, _, err := parseName(s)
		faults = append(faults, err)
	}
	return errors.Join(append(faults, human.FaultIf(l.force && len(args) < 2, "--force needs a file of names"))...)
}

// parseName reads NUMBER=NAME.
func parseName(s string) (topic int, name string, err error) {
	number, name, ok := strings.Cut(s, "=")
	topic, numberErr := strconv.Atoi(strings.TrimSpace(number))
	switch {
	case !ok || numberErr != nil:
		return 0, "", fmt.Errorf(`%q: expected a topic's number and its name, such as 3="energy"`, s)
	case strings.TrimSpace(name) == "":
		return 0, "", fmt.Errorf("%q: the name is missing; to remove a name use --remove %d", s, topic)
	}
	return topic, name, nil
}

// patience is how long a change of names waits for other changes of the same model.
const patience = 10 * time.Second

func (l *namer) run(ctx context.Context, args []string) error {
	listing := len(args) < 2 && len(l.names)+len(l.remove)+len(l.hide)+len(l.show) == 0
	if !listing { // nobody else may change the names between reading and writing
		owned, err := claim.Wait(ctx, patience, claim.At(args[0]))
		if err != nil {
			return err
		}
		defer owned.Release()
	}
	m, err := topoi.Open(args[0])
	if err != nil {
		return err
	}
	defer m.Close()
	before, err := m.Labels()
	if err != nil && len(args) < 2 { // a file of names replaces whatever is wrong
		return err
	}
	if listing {
		return l.list(m, before)
	}
	after := before.Clone()
	if len(args) == 2 {
		if after, err = l.read(args[1]); err != nil {
			return err
		}
	}
	if err := l.change(&after, m.NumTopics()); err != nil {
		return err
	}
	if err := m.SetLabels(after); errors.Is(err, topic.ErrOtherModel) {
		return fmt.Errorf("%s: %w; if the topics are the same anyway, add --force", args[1], err)
	} else if err != nil {
		return err
	}
	if after, err = m.Labels(); err != nil {
		return err
	}
	if l.asJSON {
		return l.list(m, after)
	}
	if !l.quiet {
		fmt.Fprintln(l.Stderr, describeNames(before, after))
	}
	return nil
}

// read reads a file of names.
func (l *namer) read(path string) (topic.Labels, error) {
	labels, err := labelsfile.Read(path)
	if err != nil {
		return labels, err
	}
	labels = labels.Clone()
	if l.force {
		labels.Fingerprint = ""
	}
	return labels, nil
}

// change applies the flags.
func (l *namer) change(labels *topic.Labels, k int) error {
	var faults []error
	for _, s := range l.names {
		topic, name, _ := parseName(s) // checked
		labels.Names[topic] = name
	}
	for _, topic := range l.remove {
		_, has := labels.Names[topic]
		faults = append(faults, human.FaultIf(!has, "--remove %d: topic %d of 0 to %d has no name", topic, topic, k-1))
		delete(labels.Names, topic)
	}
	labels.Hidden = slices.DeleteFunc(append(labels.Hidden, l.hide...),
		func(topic int) bool { return slices.Contains(l.show, topic) })
	return errors.Join(faults...)
}

// describeNames describes the changes.
func describeNames(before, after topic.Labels) string {
	added, changed, removed := 0, 0, 0
	for topic, name := range after.Names {
		switch old, had := before.Names[topic]; {
		case !had:
			added++
		case old != name:
			changed++
		}
	}
	for topic := range before.Names {
		if _, has := after.Names[topic]; !has {
			removed++
		}
	}
	s := fmt.Sprintf("%s named (%d new, %d changed, %d removed)", human.Of(len(after.Names), "topic"), added, changed,
		removed)
	if n := len(after.Hidden); n > 0 {
		s += fmt.Sprintf(", %d hidden in pictures", n)
	}
	return s
}

// list writes the names.
func (l *namer) list(m *topoi.Model, labels topic.Labels) error {
	if l.asJSON {
		labels.Fingerprint = m.Fingerprint()
		_, err := l.Stdout.Write(labelsfile.Encode(labels))
		return err
	}
	w := tabwriter.NewWriter(l.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "topic\tname")
	topics := slices.AppendSeq(slices.Clone(labels.Hidden), maps.Keys(labels.Names))
	slices.Sort(topics)
	for _, topic := range slices.Compact(topics) {
		name := labels.Name(topic)
		if labels.IsHidden(topic) {
			name = strings.TrimSpace(name + " (hidden)")
		}
		fmt.Fprintf(w, "%d\t%s\n", topic, name)
	}
	return w.Flush()
}
