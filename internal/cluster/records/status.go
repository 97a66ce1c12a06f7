package records

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// Status describes how a job stands.
type Status struct {
	protocol.Spec
	Name    string          `json:"name"`
	State   *protocol.State `json:"state"`   // nil while the job is being submitted
	Leader  int64           `json:"leader"`  // token of the worker that leads, 0 for none
	Workers []WorkerStatus  `json:"workers"` // those alive, oldest first
	Rounds  []int           `json:"rounds"`  // by part: the last round sampled, -1 for none
	Store   []NodeStatus    `json:"store"`   // the store's nodes, by address
}

// WorkerStatus is a worker as others see it.
type WorkerStatus struct {
	Token int64 `json:"token"`
	protocol.Report
	Has      []int   `json:"has"`       // the parts it has
	WaitsFor []int64 `json:"waits_for"` // tokens of the workers that have what it waits for
}

// Status reads how the job stands. If the state is lost or damaged and nobody is there to mend it, it returns the
// rest and an error.
func (j *Job) Status(ctx context.Context) (s *Status, err error) {
	err = rereading(func() error {
		s, err = j.readStatus(ctx)
		return err
	})
	return s, err
}

func (j *Job) readStatus(ctx context.Context) (*Status, error) {
	answer, err := j.Ask(ctx, scriptStatus, "spec state leader members owners reached", j.Key.Control("lease:"))
	if err != nil {
		return nil, err
	}
	s := &Status{Spec: j.Spec, Name: j.Name, Rounds: make([]int, j.Parts)}
	if s.Leader, err = answer[2].AsInt64(); err != nil {
		return nil, err
	}
	reports, err := answer[3].AsStrSlice()
	if s.Workers, err = parseWorkers(j.Key.Members(), reports, err); err != nil {
		return nil, err
	}
	owners, err := answer[4].AsStrMap()
	if err != nil {
		return nil, err
	}
	reached, err := answer[5].AsStrMap()
	if err != nil {
		return nil, err
	}
	text, _ := answer[1].ToString() // "" if there is none
	if err := s.readState(j, text, len(reached) > 0); err != nil {
		return s, err
	}
	for part := range s.Rounds {
		s.Rounds[part] = -1
		if text, ok := reached["r"+strconv.Itoa(part)]; ok {
			if s.Rounds[part], err = strconv.Atoi(text); err != nil {
				return nil, &protocol.Damage{Key: j.Key.Reached(), Err: err}
			}
		}
		for i := range s.Workers {
			if owners["p"+strconv.Itoa(part)] == strconv.FormatInt(s.Workers[i].Token, 10) {
				s.Workers[i].Has = append(s.Workers[i].Has, part)
			}
		}
	}
	s.settleWaits(owners)
	s.Store, err = Nodes(ctx, j.Store)
	return s, err
}

// settleWaits finds out which workers have what others wait for.
func (s *Status) settleWaits(owners map[string]string) {
	for i := range s.Workers {
		w := &s.Workers[i]
		for _, office := range w.Awaits {
			token, err := strconv.ParseInt(owners[office], 10, 64)
			if err == nil && token != w.Token && !slices.Contains(w.WaitsFor, token) {
				w.WaitsFor = append(w.WaitsFor, token)
			}
		}
	}
}

// readState reads the state. A job that has begun has one.
func (s *Status) readState(j *Job, text string, begun bool) (err error) {
	if text != "" {
		s.State, err = j.ParseState(text)
	} else if begun {
		err = protocol.Missing(j.Key.State())
	}
	if err == nil || len(s.Workers) > 0 {
		return nil
	}
	return unreadable(err)
}

// parseWorkers reads tokens and reports in turn, which are the value of a key.
func parseWorkers(key string, list []string, err error) ([]WorkerStatus, error) {
	if err != nil {
		return nil, err
	}
	var workers []WorkerStatus
	for i := 0; i+1 < len(list); i += 2 {
		var w WorkerStatus
		if w.Token, err = strconv.ParseInt(list[i], 10, 64); err != nil {
			return nil, unreadable(&protocol.Damage{Key: key, Err: err})
		}
		if err := json.Unmarshal([]byte(list[i+1]), &w.Report); err != nil {
			err = fmt.Errorf("the report of worker %d: %w", w.Token, err)
			return nil, unreadable(&protocol.Damage{Key: key, Err: err})
		}
		workers = append(workers, w)
	}
	slices.SortFunc(workers, func(a, b WorkerStatus) int { return a.Joined.Compare(b.Joined) })
	return workers, nil
}
