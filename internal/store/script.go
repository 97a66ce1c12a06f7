package store

import (
	"context"
	"crypto/sha1"
	"encoding/hex"

	"github.com/redis/rueidis"
)

// Script is a Lua script. All its keys must lie in one hash slot, and running it
// twice must do no more than running it once.
type Script struct{ text, digest string }

// NewScript makes a script.
func NewScript(text string) Script {
	sum := sha1.Sum([]byte(text))
	return Script{text, hex.EncodeToString(sum[:])}
}

// Call is one run of a script.
type Call struct {
	Keys []string
	Args []string
}

// Run runs a script on small arguments and returns its answer.
func (s *Store) Run(ctx context.Context, script Script, call Call) (rueidis.RedisMessage, error) {
	answers, err := s.run(ctx, s.control, script, []Call{call})
	if err != nil {
		return rueidis.RedisMessage{}, err
	}
	return answers[0], nil
}

// RunAll runs a script that takes blobs, many times at once. The calls may lie in
// different slots.
func (s *Store) RunAll(ctx context.Context, script Script, calls []Call) ([]rueidis.RedisMessage, error) {
	for _, call := range calls {
		for _, arg := range call.Args {
			s.sent.Add(uint64(len(arg)))
		}
	}
	return s.run(ctx, s.blobs, script, calls)
}

func (s *Store) run(ctx context.Context, client rueidis.Client, script Script, calls []Call) ([]rueidis.RedisMessage, error) {
	answers := make([]rueidis.RedisMessage, len(calls))
	err := s.retry(ctx, func() error {
		commands := make(rueidis.Commands, len(calls))
		for i, call := range calls {
			commands[i] = client.B().Evalsha().Sha1(script.digest).Numkeys(int64(len(call.Keys))).Key(call.Keys...).Arg(call.Args...).Build()
		}
		results := client.DoMulti(ctx, commands...)
		for i := range results {
			if fault, ok := rueidis.IsRedisErr(results[i].Error()); ok && fault.IsNoScript() {
				call := calls[i]
				results[i] = client.Do(ctx, client.B().Eval().Script(script.text).Numkeys(int64(len(call.Keys))).Key(call.Keys...).Arg(call.Args...).Build())
			}
			answer, err := results[i].ToMessage()
			if err != nil && !rueidis.IsRedisNil(err) {
				return err
			}
			answers[i] = answer
		}
		return nil
	})
	return answers, err
}
