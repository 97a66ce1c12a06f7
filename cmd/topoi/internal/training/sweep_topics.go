package training

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// parseTopics reads numbers of topics: 10,20,50 lists them, 10..200:10 are those from 10 to 200 in steps of 10, and
// both can be mixed. They are returned rising, each once.
func parseTopics(text string) ([]int, error) {
	var list []int
	for _, item := range strings.Split(text, ",") {
		first, last, step, err := parseRange(strings.TrimSpace(item))
		if err != nil {
			return nil, err
		}
		for k := first; k <= last; k += step {
			list = append(list, k)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// mostTopics bounds what a range may list, against slips of the finger.
const mostTopics = 1000

// parseRange reads K, or FIRST..LAST:STEP.
func parseRange(item string) (first, last, step int, err error) {
	fault := fmt.Errorf("%q is not a number of topics: write them as 10,20,50, or a range as 10..200:10", item)
	numbers, by, stepped := strings.Cut(item, ":")
	from, to, ranged := strings.Cut(numbers, "..")
	if !ranged {
		if stepped {
			return 0, 0, 0, fault
		}
		to = from
	}
	first, e1 := strconv.Atoi(from)
	last, e2 := strconv.Atoi(to)
	step = 1
	var e3 error
	if stepped {
		step, e3 = strconv.Atoi(by)
	}
	switch {
	case e1 != nil || e2 != nil || e3 != nil:
		return 0, 0, 0, fault
	case first < 1:
		return 0, 0, 0, fmt.Errorf("%q begins with %d: there must be at least one topic", item, first)
	case step < 1:
		return 0, 0, 0, fmt.Errorf("%q has steps of %d: they must be at least 1", item, step)
	case last < first:
		return 0, 0, 0, fmt.Errorf("%q ends before it begins", item)
	case (last-first)/step >= mostTopics:
		return 0, 0, 0, fmt.Errorf("%q gives %d numbers of topics, and at most %d are allowed; use larger steps", item,
			(last-first)/step+1, mostTopics)
	}
	return first, last, step, nil
}
