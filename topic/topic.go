// Package topic holds types for counts and labels of topics that packages below and above topoi share. Through
// [Model] and [Documents] the packages below analysis can be used with models of other programs.
package topic

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/sealed"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// Labels are the names that people give to the topics of one model. They are not part of what was learned:
// they do not change the model's fingerprint. docs/formats.md has the grammar of labels.json.
type Labels struct {
	// Fingerprint is that of the model whose topics are named. If it is empty, the labels fit any model.
	Fingerprint string `json:"fingerprint"`

	// Names holds the names by topic. Topics without a name are absent.
	Names map[int]string `json:"labels"`

	// Hidden lists the topics that pictures leave out, rising. Tables contain them.
	Hidden []int `json:"hidden"`

	// FromTraining means that training made all names, and nobody has changed them since.
	FromTraining bool `json:"from_training,omitempty"`
}

// ErrOtherModel means that labels were made for a model with another fingerprint.
var ErrOtherModel = errors.New("names for topics of another model")

// LabelsName is the name of the file with labels in a model's directory. LabelsMark is that of a file that lies beside
// it, so that its loss is noticed.
const LabelsName, LabelsMark = "labels.json", "labels.mark"

// markText is the content of LabelsMark.
const markText = "Topics of this model have names, in labels.json. To go on without names, remove this file too.\n"

const (
	maxLabelsSize = 64 << 20 // bytes of labels.json
	maxLabel      = 200      // characters of a name
)

// Name returns the name of topic k, or "" if it has none.
func (l Labels) Name(k int) string { return l.Names[k] }

// IsHidden reports whether pictures leave out topic k.
func (l Labels) IsHidden(k int) bool { return slices.Contains(l.Hidden, k) }

// Empty reports whether there is neither a name nor a hidden topic.
func (l Labels) Empty() bool { return len(l.Names) == 0 && len(l.Hidden) == 0 }

// Clone returns a copy that shares nothing with l and whose Names can be set.
func (l Labels) Clone() Labels {
	names := make(map[int]string, len(l.Names))
	maps.Copy(names, l.Names)
	l.Names, l.Hidden = names, slices.Clone(l.Hidden)
	return l
}

// complete returns a copy in which all fields appear in JSON.
func (l Labels) complete() Labels {
	l = l.Clone()
	if l.Hidden == nil {
		l.Hidden = []int{}
	}
	return l
}

// Encode returns l as JSON, the same bytes for the same labels. It is what SaveIn writes, but without the
// checksum, so that people can edit it.
func (l Labels) Encode() []byte {
	l = l.complete()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(l) // encoding these values never fails
	return b.Bytes()
}

// ReadLabels reads a labels.json. Errors name the file. The topic numbers are checked when a model takes the labels.
func ReadLabels(path string) (Labels, error) {
	f, err := os.Open(path)
	if err != nil {
		return Labels{}, fmt.Errorf("cannot read the names of topics: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxLabelsSize+1))
	if err != nil {
		return Labels{}, fmt.Errorf("cannot read the names of topics: %w", err)
	}
	l, err := ParseLabels(b)
	if err != nil {
		return Labels{}, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

// ParseLabels reads the bytes of a labels.json.
func ParseLabels(b []byte) (Labels, error) {
	const form = `{"fingerprint": "…", "labels": {"3": "energy"}, "hidden": [7]}`
	var l Labels
	if len(b) > maxLabelsSize {
		return l, fmt.Errorf("a file of names has at most %d MB: this is another file", maxLabelsSize>>20)
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if _, err := sealed.Unmarshal(b, &l); err != nil {
		var syntax *json.SyntaxError
		if errors.Is(err, sealed.ErrAltered) {
			return l, fmt.Errorf("%w; if the names are right, remove the line of \"checksum\"", err)
		}
		if errors.As(err, &syntax) {
			line := 1 + bytes.Count(b[:min(int(syntax.Offset), len(b))], []byte("\n"))
			return l, fmt.Errorf("line %d: not valid JSON (%w); names look like %s", line, err, form)
		}
		return l, fmt.Errorf("this is not a file of names (%w); it looks like %s", err, form)
	}
	if l.Names == nil && l.Hidden == nil {
		return l, fmt.Errorf("this is not a file of names: it has neither \"labels\" nor \"hidden\"; it looks like %s",
			form)
	}
	return l, nil
}

// Checked returns l in the form in which it is stored, for a model with k topics.
func (l Labels) Checked(k int) (Labels, error) {
	l = l.Clone()
	var faults []error
	for _, topic := range slices.Sorted(maps.Keys(l.Names)) {
		name := strings.TrimSpace(l.Names[topic])
		switch {
		case topic < 0 || topic >= k:
			faults = append(faults, noSuchTopic(topic, k))
		case name == "":
			delete(l.Names, topic)
			continue
		case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
			faults = append(faults,
				fmt.Errorf("the name of topic %d holds control characters or bytes that are not UTF-8: %q", topic,
					name))
		case utf8.RuneCountInString(name) > maxLabel:
			faults = append(faults, fmt.Errorf("the name of topic %d has %d characters: at most %d are allowed", topic,
				utf8.RuneCountInString(name), maxLabel))
		}
		l.Names[topic] = name
	}
	slices.Sort(l.Hidden)
	l.Hidden = slices.Compact(l.Hidden)
	for _, topic := range l.Hidden {
		if topic < 0 || topic >= k {
			faults = append(faults, noSuchTopic(topic, k))
		}
	}
	return l, errors.Join(faults...)
}

func noSuchTopic(topic, k int) error {
	return fmt.Errorf("there is no topic %d: the model's topics are 0 to %d", topic, k-1)
}

// SaveIn writes labels.json and its mark into a model's directory, or removes both if l is empty. The mark is there
// only while the labels are, whenever the process ends.
func (l Labels) SaveIn(dir string) error {
	path, mark := filepath.Join(dir, LabelsName), filepath.Join(dir, LabelsMark)
	if l.Empty() {
		for _, p := range []string{mark, path} {
			if err := os.Remove(p); err != nil && !errors.Is(err, os.ErrNotExist) {
				return wholefile.Explain(p, err)
			}
		}
		return wholefile.SyncDir(dir)
	}
	b, err := sealed.Marshal(l.complete(), "  ")
	if err != nil {
		return err
	}
	if err := wholefile.Put(path, b); err != nil {
		return err
	}
	return wholefile.Put(mark, []byte(markText))
}

// LabelsLost returns an error if labels.json was removed from a model's directory by something else than SaveIn.
func LabelsLost(dir string) error {
	path, mark := filepath.Join(dir, LabelsName), filepath.Join(dir, LabelsMark)
	_, missing := os.Lstat(path)
	if _, err := os.Lstat(mark); err != nil || !errors.Is(missing, os.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("%s is missing, and topics of the model have names: copy it again, or remove %s to go on without names",
		path, mark)
}

// Count is a topic with its number of tokens, which is not 0: n_wk in the row of a word w, n_dk in that of
// a document d.
type Count struct {
	Topic uint32 // k
	Count uint32 // never 0
}

// WordCount is one non-zero element of a column of n_wk.
type WordCount struct {
	Word, Count uint32
}

// columnsMost is the largest number of elements that Columns holds at a time: 256 MB. A larger column is held alone.
const columnsMost = 1 << 25

// Rows holds the rows of n_wk, one after the other.
type Rows struct {
	Topics  int      // K
	Ends    []uint64 // V: where the row of word w ends in Entries
	Entries []Count
}

// Row returns the topics of word w, nil if there is no such word.
func (r Rows) Row(w int) []Count {
	if w < 0 || w >= len(r.Ends) {
		return nil
	}
	begin := uint64(0)
	if w > 0 {
		begin = r.Ends[w-1]
	}
	return r.Entries[begin:r.Ends[w]:r.Ends[w]]
}

// Columns yields topics with their non-zero n_wk in increasing word order. It yields the given topics in the given
// order, or all of them if topics is nil; topics that do not exist are left out. A slice is valid until the next one.
// Rows are turned into columns in parts, with one pass over all rows for every 256 MB of columns and one more, so
// that memory grows only with K (8 bytes a topic).
func (r Rows) Columns(topics []int) iter.Seq2[int, []WordCount] {
	return r.columns(topics, columnsMost)
}

func (r Rows) columns(topics []int, most int) iter.Seq2[int, []WordCount] {
	return func(yield func(int, []WordCount) bool) {
		if topics == nil {
			topics = lists.Upto(r.Topics)
		} else {
			topics = r.existing(topics)
		}
		sizes := make([]uint32, r.Topics)
		for _, e := range r.Entries {
			sizes[e.Topic]++
		}
		c := columnRun{place: make([]uint32, r.Topics)}
		for rest := topics; len(rest) > 0; {
			n, elements := 0, 0
			for n < len(rest) && c.place[rest[n]] == 0 && (n == 0 || elements+int(sizes[rest[n]]) <= most) {
				elements += int(sizes[rest[n]])
				n++
				c.place[rest[n-1]] = uint32(n)
			}
			c.gather(r, rest[:n], sizes)
			for i, k := range rest[:n] {
				if !yield(k, c.column(i)) {
					return
				}
			}
			rest = rest[n:]
		}
	}
}

// existing returns the topics that there are.
func (r Rows) existing(topics []int) []int {
	unknown := func(k int) bool { return k < 0 || k >= r.Topics }
	if !slices.ContainsFunc(topics, unknown) {
		return topics
	}
	return slices.DeleteFunc(slices.Clone(topics), unknown)
}

// columnRun holds the columns of some topics.
type columnRun struct {
	place    []uint32 // K: 1 + the topic's number in the run, or 0
	ends     []int    // end of each column in elements
	elements []WordCount
}

func (c *columnRun) column(i int) []WordCount {
	begin := 0
	if i > 0 {
		begin = c.ends[i-1]
	}
	return c.elements[begin:c.ends[i]:c.ends[i]]
}

// gather makes the columns of the given topics, which are distinct and have their places.
func (c *columnRun) gather(r Rows, topics []int, sizes []uint32) {
	c.ends = c.ends[:0]
	end := 0
	for _, k := range topics {
		c.ends = append(c.ends, end) // the column's beginning, until it is filled
		end += int(sizes[k])
	}
	c.elements = slices.Grow(c.elements[:0], end)[:end]
	for w := range r.Ends {
		for _, e := range r.Row(w) {
			if i := c.place[e.Topic]; i > 0 {
				c.elements[c.ends[i-1]] = WordCount{Word: uint32(w), Count: e.Count}
				c.ends[i-1]++
			}
		}
	}
	for _, k := range topics {
		c.place[k] = 0
	}
}
