package protocol

// Late is a blob of changes before a barrier that others do not see in its rows.
type Late struct {
	Key                string
	Slice, Round, Part int
}

// Late returns the changes of the last rounds up to a barrier, as many as the staleness.
func (j *Layout) Late(s *State, takes func(part, round int) bool) (list []Late) {
	last := s.Round
	if last < 0 {
		last = j.Start
	}
	for round := max(last-j.Staleness, 0) + 1; round <= last; round++ {
		for part := range j.Parts {
			for slice := 0; slice < j.Slices && takes(part, round); slice++ {
				list = append(list, Late{j.Key.Changes(slice, round, part), slice, round, part})
			}
		}
	}
	return list
}

// LateKeys returns the keys of these changes.
func (j *Layout) LateKeys(s *State, takes func(part, round int) bool) (names []string) {
	for _, l := range j.Late(s, takes) {
		names = append(names, l.Key)
	}
	return names
}
