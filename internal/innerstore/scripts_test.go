package innerstore

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/cluster/scripts"
)

// play runs a script: its name, its keys, and its arguments behind a slash.
func (d *database) play(line string) string {
	words := strings.Fields(line)
	n := slices.Index(words, "/") - 1
	call := append([]string{"EVALSHA", digest(scripts.Text(words[0])), strconv.Itoa(n)}, words[1:1+n]...)
	return d.ask(append(call, words[2+n:]...)...)
}

// What random histories rarely come to, because it takes several steps of the same worker.
func TestScripts(t *testing.T) {
	d, _ := newTestDatabase(0)
	for _, command := range []string{"SET spec x", "SET leader 7", "HSET owners p0 7"} {
		d.ask(strings.Fields(command)...)
	}
	for i, step := range []struct{ line, want string }{
		// A state never replaces a later one, and only the leader publishes.
		{"publish leader owners state spec / 7 3/5/false a", "[done]"},
		{"publish leader owners state spec / 7 2/9/true b", "[lost]"},
		{"publish leader owners state spec / 7 3/4/false c", "[lost]"},
		{"publish leader owners state spec / 8 4/6/false d", "[lost]"},
		{"publish leader owners state none / 7 4/6/false d", "[gone]"},
		{"state spec state /", "[done a ]"},
		{"publish leader owners state spec / 7 3/5/true e p0 7 p1 8", "[done]"},
		{"publish leader owners state spec / 7 3/9/false f", "[lost]"},
		{"state spec state /", "[done e ]"},

		// A round is noted for who has the part, and never falls.
		{"reach owners reached / 8 r0 p0 9", "[lost]"},
		{"reach owners reached / 7 r0 p2 9", "[lost]"},
		{"reach owners reached / 7 r0 p0 5", "[done]"},
		{"reach owners reached / 7 r0 p0 3", "[done]"},
		{"status spec state leader members owners reached / lease:", "[done e 7 [] [p0 7 p1 8] [r0 5]]"},

		// What has run out is not renewed, but can be taken.
		{"renew mending / me 1000", "[lost]"},
		{"lock mending / me 1000", "[done]"},
		{"lock mending / you 1000", "[lost]"},
		{"renew mending / me 1000", "[done]"},
		{"unlock mending / you", "[done]"},
		{"lock mending / you 1000", "[lost]"},
		{"unlock mending / me", "[done]"},
		{"lock mending / you 1000", "[done]"},

		// A job that has ended is not made again; another of its name is.
		{"remove spec leader owners state ended:7 / 60", "[done]"},
		{"create spec ended:7 ended:any / x", "[ended]"},
		{"halt spec leader members owners reached ended:7 ended:any / x 1000 lease: -1", "[ended]"},
		{"create spec ended:8 ended:any / y", "[done]"},
		{"create spec ended:8 ended:any / y", "[done]"},
		{"create spec ended:9 ended:any / z", "[lost y]"},
	} {
		if got := d.play(step.line); got != step.want {
			t.Errorf("step %d: %s: %s, want %s", i, step.line, got, step.want)
		}
	}
}
