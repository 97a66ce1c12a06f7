package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/human"
)

// TopicsOf returns the topics that people name by numbers or by the names that they gave them. With sums, several may be
// joined by +, and each name of the list stands for as many; without, for one.
func TopicsOf(m *topoi.Model, names []string, sums bool) (lists [][]int, err error) {
	for _, text := range names {
		k, err := TopicOf(m, text)
		if err == nil {
			lists = append(lists, []int{k})
			continue
		}
		if !sums || !strings.Contains(text, "+") {
			return nil, err
		}
		var list []int
		for part := range strings.SplitSeq(text, "+") {
			if k, err = TopicOf(m, part); err != nil {
				return nil, err
			}
			list = append(list, k)
		}
		lists = append(lists, list)
	}
	return lists, nil
}

// TopicOf returns the topic with a number or a name.
func TopicOf(m *topoi.Model, text string) (int, error) {
	text = strings.TrimSpace(text)
	if k, err := strconv.Atoi(text); err == nil {
		if k < 0 || k >= m.NumTopics() {
			return 0, fmt.Errorf("there is no topic %d: the model's topics are 0 to %d", k, m.NumTopics()-1)
		}
		return k, nil
	}
	var found []int
	var known []string
	for k := range m.NumTopics() {
		if name := m.Label(k); name != "" {
			if known = append(known, name); strings.EqualFold(name, text) {
				found = append(found, k)
			}
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return 0, fmt.Errorf("%d topics are called %q: name one by its number, %s", len(found), text, NumbersOf(found))
	case len(known) == 0:
		return 0, fmt.Errorf("%q is not the number of a topic, and the topics have no names: see topoi topics and topoi name", text)
	}
	slices.Sort(known)
	return 0, fmt.Errorf("no topic is called %q%s", text, human.Hint(text, known))
}

// NumbersOf joins numbers by "or".
func NumbersOf(list []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", " or ")
}

// EachTopic returns the topics that are named, without sums.
func EachTopic(m *topoi.Model, names []string) (topics []int, err error) {
	lists, err := TopicsOf(m, names, false)
	for _, list := range lists {
		topics = append(topics, list...)
	}
	return topics, err
}
