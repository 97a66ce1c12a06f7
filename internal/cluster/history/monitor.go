package history

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"
)

// Monitor makes operations of a job from the lines that the MONITOR command of a store prints: every command with its
// arguments, those of scripts included.
type Monitor struct {
	Checker
	Job string

	origin  string            // of the command at hand
	who     string            // who asked for the script whose commands follow
	waiting map[string]string // blobs that wait for their names, by key
	ending  bool              // the job has ended
	buried  map[string]bool   // heads that were deleted since then
}

// Line takes a line, and returns what is wrong with what it tells.
func (m *Monitor) Line(line string) error {
	origin, words := parse(line)
	if len(words) == 0 {
		return nil
	}
	command := strings.ToUpper(words[0])
	m.origin = origin
	if !strings.HasSuffix(origin, " lua") {
		m.who = ""
		if n, err := strconv.Atoi(at(words, 2)); strings.HasPrefix(command, "EVAL") && err == nil {
			m.who = at(words, 3+n) // the first argument of most scripts
		}
	}
	for _, op := range m.read(command, words) {
		if err := m.Add(op); err != nil {
			return fmt.Errorf("%w: %.200s", err, line)
		}
	}
	return nil
}

func at(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return ""
}

// read returns the operations that a command is.
func (m *Monitor) read(command string, words []string) (ops []Op) {
	key := at(words, 1)
	control := "topoi:{" + m.Job + "}:"
	name, mine := strings.CutPrefix(key, control)
	blob := strings.HasPrefix(key, "topoi:{"+m.Job+":")
	switch {
	case command == "FLUSHALL":
		m.ending, m.buried = false, nil
		return []Op{{Kind: Forgot}}
	case command == "SET" && strings.HasPrefix(key, "topoi:ended:{"+m.Job+"}:"):
		m.ending = true
		return []Op{{Kind: Ended}}
	case command == "UNLINK" && m.ending && strings.HasSuffix(key, "}:head"):
		m.buried = put(m.buried, key, true)
	case command == "SET" && blob:
		m.waiting = put(m.waiting, key, strconv.FormatUint(xxh3.HashString(at(words, 2)), 16))
	case command == "RENAME" && blob:
		value, ok := m.waiting[key]
		delete(m.waiting, key)
		// It is unknown if it was sent before anybody watched, as to a store that had just started again. A blob may follow
		// the tombstone, which is in another slot, until the head of its own slot is deleted.
		if named := at(words, 2); ok && (!m.ending || m.buried[named[:strings.LastIndex(named, "}:")+2]+"head"]) {
			return []Op{{Kind: Wrote, Key: named, Value: value}}
		}
	case !mine:
	case command == "SET" && name == "spec":
		return []Op{{Kind: Restored}, {Kind: Returned}} // also before a job is mended: see the script halt
	case command == "DEL" && !strings.HasSuffix(m.origin, " lua"): // no worker does that
		return []Op{{Kind: Lost}}
	case command == "DEL" && name == "state": // before a mended one is written
		return []Op{{Kind: Restored}}
	case command == "SETRANGE", command == "HSET" && name == "state" && at(words, 2) != "version": // somebody harms it
		return []Op{{Kind: Lost}}
	case command == "HSET" && name == "state":
		return []Op{{Kind: Barrier, Value: at(words, 3)}}
	case command == "HSET" && name == "owners":
		for i := 2; i+1 < len(words); i += 2 {
			ops = append(ops, Op{Kind: Owns, Key: words[i], Who: words[i+1]})
		}
	case command == "HSET" && name == "reached":
		round, _ := strconv.Atoi(at(words, 3))
		return []Op{{Kind: Reached, Key: at(words, 2), Who: m.who, Round: round}}
	}
	return ops
}

// parse takes a line of MONITOR apart: a time, in brackets where the command comes from, and its words in quotes.
func parse(line string) (origin string, words []string) {
	_, rest, _ := strings.Cut(strings.TrimPrefix(line, "+"), " [")
	origin, rest, _ = strings.Cut(rest, "] ")
	for rest != "" {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return origin, words
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return origin, words
		}
		words = append(words, word)
		rest = strings.TrimPrefix(rest[len(quoted):], " ")
	}
	return origin, words
}
