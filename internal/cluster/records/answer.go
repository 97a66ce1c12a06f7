package records

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/redis/rueidis"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/store"
)

// answer is the answer of a script.
type answer = []rueidis.RedisMessage

// Ask runs a script on control keys, whose names are separated by spaces. It returns the answer, or the error that
// the first word of the answer stands for.
func (j *Job) Ask(ctx context.Context, script store.Script, names string, args ...string) (answer, error) {
	return j.ask(ctx, script, j.controls(names), args...)
}

func (j *Job) ask(ctx context.Context, script store.Script, keys []string, args ...string) (answer, error) {
	message, err := j.Store.Run(ctx, script, store.Call{Keys: keys, Args: args})
	if errors.Is(err, store.ErrType) {
		return nil, &protocol.Damage{Key: j.Key.Control("*"), Err: err}
	}
	if err != nil {
		return nil, err
	}
	return j.understand(message)
}

// controls returns the keys of names that are separated by spaces.
func (j *Job) controls(names string) []string {
	keys := strings.Fields(names)
	for i, name := range keys {
		keys[i] = j.Key.Control(name)
	}
	return keys
}

func (j *Job) understand(message rueidis.RedisMessage) (answer, error) {
	a, err := message.ToArray()
	if err != nil || len(a) == 0 {
		return nil, fmt.Errorf("store %s returned an unexpected answer: %v", j.Store.Name(), message)
	}
	word, err := a[0].ToString()
	switch word {
	case "gone":
		err = protocol.Missing(j.Key.Spec())
	case "lost":
		err = protocol.ErrLost
	case "ended":
		err = j.Cancelled()
	case "changed":
		err = &protocol.Damage{Key: j.Key.Spec(), Err: errors.New("it has changed")}
	case "late":
		err = errLate
	case "broken":
		err = errBroken
	}
	return a, err
}
