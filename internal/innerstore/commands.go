package innerstore

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// command is a command of the protocol that needs no connection.
type command struct {
	least, most int // arguments; most -1: any number
	run         func(s *step, args [][]byte) reply
}

// commands are what workers send (the first group), and what people and tests look into a store with, or harm it.
var commands = map[string]command{
	"GET":     {1, 1, get},
	"SET":     {2, -1, set},
	"EXISTS":  {1, -1, ofKeys((*step).exists)},
	"UNLINK":  {1, -1, ofKeys((*step).remove)},
	"SCAN":    {1, -1, scan},
	"INFO":    {0, -1, info},
	"EVALSHA": {2, -1, func(s *step, args [][]byte) reply { return call(s, args, evalsha) }},
	"EVAL":    {2, -1, func(s *step, args [][]byte) reply { return call(s, args, eval) }},

	"DEL":      {1, -1, ofKeys((*step).remove)},
	"KEYS":     {1, 1, keys},
	"TYPE":     {1, 1, func(s *step, args [][]byte) reply { return status(string(s.kindOf(string(args[0])))) }},
	"TTL":      {1, 1, func(s *step, args [][]byte) reply { return left(s, string(args[0]), time.Second) }},
	"PTTL":     {1, 1, func(s *step, args [][]byte) reply { return left(s, string(args[0]), time.Millisecond) }},
	"DBSIZE":   {0, 0, func(s *step, _ [][]byte) reply { return number(len(s.names(""))) }},
	"HGET":     {2, 2, func(s *step, args [][]byte) reply { return maybe(s.hget(string(args[0]), string(args[1]))) }},
	"HGETALL":  {1, 1, hgetall},
	"HKEYS":    {1, 1, func(s *step, args [][]byte) reply { return texts(s.hkeys(string(args[0]))) }},
	"HLEN":     {1, 1, func(s *step, args [][]byte) reply { return number(len(s.hkeys(string(args[0])))) }},
	"HMGET":    {2, -1, hmget},
	"HSET":     {3, -1, hset},
	"HDEL":     {2, -1, hdel},
	"GETRANGE": {3, 3, getrange},
	"SETRANGE": {3, 3, setrange},
	"APPEND":   {2, 2, appendTo},
	"RENAME":   {2, 2, rename},
	"RPUSH":    {2, -1, rpush},
	"FLUSHALL": {0, -1, func(s *step, _ [][]byte) reply { s.clear(); return okay }},
}

// run carries out a command. It has a name and arguments.
func (d *database) run(name string, args [][]byte) reply {
	c, known := commands[name]
	switch {
	case !known:
		return refusal(fmt.Sprintf("ERR unknown command '%.64s': this is a store of topoi, which knows what workers need",
			name))
	case len(args) < c.least || c.most >= 0 && len(args) > c.most:
		return refusal(fmt.Sprintf("ERR wrong number of arguments for '%s' command", strings.ToLower(name)))
	}
	d.calls[name]++
	if d.note != nil {
		d.note(false, append([]string{name}, toStrings(args)...)...)
	}
	s := &step{database: d}
	answer := c.run(s, args)
	if s.fault != "" {
		return refusal(s.fault)
	}
	return answer
}

func toStrings(args [][]byte) []string {
	all := make([]string, len(args))
	for i, arg := range args {
		all[i] = string(arg)
	}
	return all
}

// ofKeys returns a command that counts keys.
func ofKeys(f func(s *step, keys ...string) int) func(s *step, args [][]byte) reply {
	return func(s *step, args [][]byte) reply { return number(f(s, toStrings(args)...)) }
}

func get(s *step, args [][]byte) reply {
	e := s.typed(string(args[0]), isString)
	if e == nil {
		return null
	}
	return bulk(e.text)
}

// set writes a value: SET key value, and PX or EX with a time, or NX.
func set(s *step, args [][]byte) reply {
	key, expiry, onlyNew := string(args[0]), time.Duration(0), false
	for i := 2; i < len(args); i++ {
		option := strings.ToUpper(string(args[i]))
		unit, timed := map[string]time.Duration{"PX": time.Millisecond, "EX": time.Second}[option]
		switch {
		case timed && i+1 < len(args):
			i++
			expiry = s.duration(string(args[i]), unit)
		case option == "NX":
			onlyNew = true
		default:
			return refusal("ERR syntax error")
		}
	}
	if onlyNew && s.find(key) != nil {
		return null
	}
	grows := int64(keyBytes + len(key) + len(args[1]))
	if e := s.find(key); e != nil {
		grows -= e.size(key)
	}
	if s.most > 0 && s.used+grows > s.most {
		return refusal(faultFull)
	}
	s.set(key, args[1], expiry)
	return okay
}

// call runs a script: EVALSHA digest number-of-keys key … argument …
func call(s *step, args [][]byte, run func(s *step, script string, keys, args []string) reply) reply {
	n := s.number(string(args[1]))
	if s.fault != "" || n < 0 || n > int64(len(args)-2) {
		return refusal("ERR Number of keys can't be greater than number of args")
	}
	rest := toStrings(args[2:])
	return run(s, string(args[0]), rest[:n], rest[n:])
}

// prefixOf returns the prefix of a pattern that ends with a star.
func prefixOf(pattern string) (prefix string, ok bool) {
	prefix, ok = strings.CutSuffix(pattern, "*")
	return prefix, ok && !strings.ContainsAny(prefix, `*?[\`)
}

const onlyPrefixes = "ERR patterns are prefixes that end with a star here"

func keys(s *step, args [][]byte) reply {
	prefix, ok := prefixOf(string(args[0]))
	if !ok {
		return refusal(onlyPrefixes)
	}
	return texts(s.names(prefix))
}

// scan returns all keys at once: there are some thousands at most, and no cursor to keep.
func scan(s *step, args [][]byte) reply {
	prefix, ok := "", true
	for i := 1; i+1 < len(args); i += 2 {
		switch strings.ToUpper(string(args[i])) {
		case "MATCH":
			prefix, ok = prefixOf(string(args[i+1]))
		case "COUNT":
		default:
			return refusal("ERR syntax error")
		}
	}
	switch {
	case !ok:
		return refusal(onlyPrefixes)
	case string(args[0]) != "0":
		return list(text("0"), list())
	}
	return list(text("0"), texts(s.names(prefix)))
}

// info tells what INFO does, of what clients read.
func info(s *step, args [][]byte) reply {
	sections := map[string]string{
		"server": "# Server\r\nredis_version:" + compatible + "\r\nserver_name:topoi\r\nredis_mode:standalone\r\n",
		"memory": fmt.Sprintf("# Memory\r\nused_memory:%d\r\nmaxmemory:%d\r\nmaxmemory_policy:noeviction\r\n",
			s.used+s.under, s.most),
		"replication": "# Replication\r\nrole:master\r\nconnected_slaves:0\r\n",
	}
	for _, name := range slices.Sorted(maps.Keys(s.calls)) {
		sections["commandstats"] += fmt.Sprintf("cmdstat_%s:calls=%d,\r\n", strings.ToLower(name), s.calls[name])
	}
	wanted := []string{"server", "memory", "replication", "commandstats"}
	if len(args) > 0 {
		asked := strings.ToLower(string(args[0]))
		wanted = slices.DeleteFunc(wanted, func(section string) bool { return section != asked && asked != "all" })
	}
	var b strings.Builder
	for _, section := range wanted {
		b.WriteString(sections[section])
	}
	return text(b.String())
}

// left tells for how long a key exists: -1 for ever, -2 if it does not.
func left(s *step, key string, unit time.Duration) reply {
	e := s.find(key)
	switch {
	case e == nil:
		return number(-2)
	case e.until.IsZero():
		return number(-1)
	}
	return number(int64((e.until.Sub(s.now()) + unit/2) / unit))
}

func hgetall(s *step, args [][]byte) reply {
	answer := texts(s.hgetall(string(args[0])))
	answer.form = formMap
	return answer
}

func hmget(s *step, args [][]byte) reply {
	answer := list()
	for _, field := range args[1:] {
		answer.list = append(answer.list, maybe(s.hget(string(args[0]), string(field))))
	}
	return answer
}

func hset(s *step, args [][]byte) reply {
	if len(args)%2 == 0 {
		return refusal("ERR wrong number of arguments for 'hset' command")
	}
	all := toStrings(args)
	return number(s.hset(all[0], all[1:]...))
}

func hdel(s *step, args [][]byte) reply {
	all := toStrings(args)
	return number(s.hdel(all[0], all[1:]...))
}
