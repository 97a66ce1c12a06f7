// Package topic holds types for counts and labels of topics that packages below and above topoi share. Through
// [Model] and [Documents] the packages below analysis can be used with models of other programs.
package topic

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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

// maxLabel is the largest number of characters of a name.
const maxLabel = 200

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
