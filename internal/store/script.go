package store

import (
	"context"
	"crypto/sha1"
	"encoding/hex"

	"github.com/redis/rueidis"
)

// Script is a Lua script. All its keys must lie in one hash slot. Running it twice must have the same effect as
// running it once.
type Script struct{ text, digest string }

// NewScript returns a script.
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
	answers, err := s.RunAll(ctx, script, []Call{call})
	return answers[0], err
}

// RunAll runs a script many times at once. The calls may lie in different slots.
func (s *Store) RunAll(ctx context.Context, script Script, calls []Call) ([]rueidis.RedisMessage, error) {
	answers := make([]rueidis.RedisMessage, len(calls))
	command := func(i int, c rueidis.Client) rueidis.Completed { return evalsha(c, script, calls[i]) }
	err := s.do(ctx, s.control, len(calls), command, func(i int, result rueidis.RedisResult) (err error) {
		answers[i], err = s.answer(ctx, s.control, script, calls[i], result)
		return err
	})
	return answers, err
}

// Blob is a value that a script accepts or refuses.
type Blob struct {
	Call // the value is first written to its first key, which lies in the slot of the others

	Value []byte
}

// waiting is how long the store keeps such a value. Its script follows immediately.
const waiting = "60000" // ms

// Offer writes blobs under their first keys, with an expiry, and runs a script on each. The script must rename or
// delete the blob. Passing the value as an argument would copy it several times: fifty times the work of SET.
func (s *Store) Offer(ctx context.Context, script Script, blobs []Blob) ([]rueidis.RedisMessage, error) {
	answers := make([]rueidis.RedisMessage, len(blobs))
	size := 0
	for _, b := range blobs {
		size += len(b.Value)
	}
	build := func(c rueidis.Client) rueidis.Commands {
		commands := make(rueidis.Commands, 0, 2*len(blobs))
		for _, b := range blobs {
			value := rueidis.BinaryString(b.Value)
			if size <= mostTwice {
				value = string(b.Value) // it may still be on its way on one line when the answer came on another
			}
			commands = append(commands,
				c.B().Arbitrary("SET").Keys(b.Keys[0]).Args(value, "PX", waiting).Build(), evalsha(c, script, b.Call))
		}
		return commands
	}
	err := s.retry(ctx, func() error {
		results := s.blobs.do(ctx, size, build)
		for i := range blobs {
			if err := results[2*i].Error(); err != nil {
				return err
			}
			var err error
			if answers[i], err = s.answer(ctx, s.blobs, script, blobs[i].Call, results[2*i+1]); err != nil {
				return err
			}
			s.sent.Add(uint64(len(blobs[i].Value)))
		}
		return nil
	})
	return answers, err
}

func evalsha(client rueidis.Client, script Script, call Call) rueidis.Completed {
	command := client.B().Evalsha().Sha1(script.digest).Numkeys(int64(len(call.Keys)))
	return command.Key(call.Keys...).Arg(call.Args...).Build()
}

// answer reads the answer of a script. If the store does not know the script yet, answer sends its text.
func (s *Store) answer(ctx context.Context, l *lines, script Script, call Call, result rueidis.RedisResult,
) (rueidis.RedisMessage, error) {
	if fault, ok := rueidis.IsRedisErr(result.Error()); ok && fault.IsNoScript() {
		result = l.do(ctx, 0, func(c rueidis.Client) rueidis.Commands {
			command := c.B().Eval().Script(script.text).Numkeys(int64(len(call.Keys)))
			return rueidis.Commands{command.Key(call.Keys...).Arg(call.Args...).Build()}
		})[0]
	}
	message, err := result.ToMessage()
	if rueidis.IsRedisNil(err) {
		err = nil
	}
	return message, err
}
