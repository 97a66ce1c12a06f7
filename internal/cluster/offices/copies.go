package offices

import (
	"encoding/json"
	"strconv"

	"github.com/redis/rueidis"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// Place is where a worker keeps topics.
type Place struct{ Host, Disk string }

// places reads where the living keep topics from the leader's survey.
func places(answer []rueidis.RedisMessage) (map[string]Place, error) {
	tokens, err := answer[1].AsStrSlice()
	if err != nil {
		return nil, err
	}
	reports, err := answer[4].AsStrSlice()
	if err != nil {
		return nil, err
	}
	all := map[string]Place{}
	for i, token := range tokens {
		var r protocol.Report
		if err := json.Unmarshal([]byte(reports[i]), &r); err != nil {
			return nil, err
		}
		all[token] = Place{r.Host, r.Disk}
	}
	return all, nil
}

// assignCopies gives copies to those on another disk than the worker that has the part, if there are any: on another machine
// if possible, and to who has fewest.
func (s *Survey) assignCopies(changes []string, parts int) []string {
	load := map[string]int{}
	var free []int
	for part := range parts {
		if holder := s.Owners["c"+strconv.Itoa(part)]; s.mayCopy(holder, part) {
			load[holder]++
		} else {
			free = append(free, part)
		}
	}
	for _, part := range free {
		best := ""
		at := s.Disks[s.Owners["p"+strconv.Itoa(part)]]
		for _, token := range s.Alive {
			if !s.mayCopy(token, part) {
				continue
			}
			near, bestNear := s.Disks[token].Host == at.Host, s.Disks[best].Host == at.Host
			if best == "" || bestNear && !near || near == bestNear && load[token] < load[best] {
				best = token
			}
		}
		if best != "" {
			load[best]++
			changes = append(changes, "c"+strconv.Itoa(part), best)
			s.Owners["c"+strconv.Itoa(part)] = best
			delete(s.Reached, "c"+strconv.Itoa(part)) // said by who had it before
		}
	}
	return changes
}

// mayCopy says whether a worker is alive, and on another disk than the one that has the part.
func (s *Survey) mayCopy(token string, part int) bool {
	at, alive := s.Disks[token]
	return alive && at.Disk != s.Disks[s.Owners["p"+strconv.Itoa(part)]].Disk
}

// copied says whether all copies are there that there can be.
func (s *Survey) copied(j *protocol.Job, round int) bool {
	for part := range j.Parts {
		office := "c" + strconv.Itoa(part)
		if got, ok := s.Reached[office]; j.Disks && s.mayCopy(s.Owners[office], part) && (!ok || got < round) {
			return false
		}
	}
	return true
}
