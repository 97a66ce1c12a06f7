package innerstore

import (
	"strings"

	"github.com/topoi-lda/topoi/internal/cluster/scripts"
)

// script is a script as a function. Each does what the Lua script of its name does, in the same order, and answers the
// same; texts that Lua has as false are "".
type script func(s *step, keys, args []string) reply

// byName has the scripts with the numbers of their keys and arguments; a negative number is the least there may be.
var byName = map[string]struct {
	run        script
	keys, args int
}{
	"join":    {join, 4, 3},
	"remove":  {remove, 5, 1},
	"halt":    {halt, 7, 4},
	"mark":    {mark, 4, 4},
	"beat":    {beat, 6, 5},
	"leave":   {leave, 3, 1},
	"reach":   {reach, 2, 4},
	"survey":  {survey, 4, 2},
	"assign":  {assign, 2, -1},
	"publish": {publish, 4, -3},
	"accept":  {accept, 3, 2},
	"raise":   {raise, 1, 5},
	"found":   {found, 1, 3},
	"sweep":   {sweep, -1, 1},
	"create":  {create, 3, 1},
	"begin":   {begin, 2, 2},
	"state":   {state, 2, 0},
	"status":  {jobStatus, 6, 1},
	"lock":    {lock, 1, 2},
	"renew":   {renew, 1, 2},
	"unlock":  {unlock, 1, 1},
}

// digests maps the SHA-1 of each script's text to its name: by it clients name what they want to run.
var digests = func() map[string]string {
	names := map[string]string{}
	for name := range byName {
		names[digest(scripts.Text(name))] = name
	}
	return names
}()

// evalsha runs the script with a digest.
func evalsha(s *step, sum string, keys, args []string) reply {
	name, known := digests[strings.ToLower(sum)]
	if !known { // the client sends the text then, and learns more
		return refusal("NOSCRIPT No matching script")
	}
	x := byName[name]
	if !counts(x.keys, len(keys)) || !counts(x.args, len(args)) {
		return refusal("ERR the script " + name + " has another number of keys or arguments: run the same version of " +
			"topoi for the store and for the workers")
	}
	s.script = true
	answer := x.run(s, keys, args)
	if s.fault != "" {
		return refusal(s.fault)
	}
	return answer
}

// counts reports whether there are as many as a number in byName says.
func counts(want, n int) bool { return n == want || want < 0 && n >= -want }

// eval runs the script with a text, if it is one of this program.
func eval(s *step, text string, keys, args []string) reply {
	sum := digest(text)
	if _, known := digests[sum]; !known {
		return refusal("ERR this store runs the scripts of its own version of topoi only: run the same version for the " +
			"store and for the workers, or use Redis or Valkey")
	}
	return evalsha(s, sum, keys, args)
}
