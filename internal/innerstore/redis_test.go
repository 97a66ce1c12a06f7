package innerstore_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/redistest"
)

// Commands have the answers of Redis and leave the same keys, in whatever order they come, with the right types of
// values and the wrong ones. Scripts are compared in package protocol.
func TestCommandsAreThoseOfRedis(t *testing.T) {
	redistest.Require(t)
	redis := redistest.Start(t, redistest.Config{})
	inner := redistest.Start(t, redistest.Config{Inner: true})
	random := rand.New(rand.NewPCG(1, 9))
	forms := []string{
		"GET K", "SET K V", "SET K V PX 100000000", "SET K V EX 100000", "SET K V NX", "SET K V PX 0", "SET K V WHAT",
		"EXISTS K K", "UNLINK K K", "DEL K", "TYPE K", "TTL K", "DBSIZE", "APPEND K V", "GETRANGE K N N", "SETRANGE K P V",
		"HSET K F V", "HSET K F V F V", "HSET K F", "HGET K F", "HMGET K F F", "HDEL K F F", "HLEN K", "HGETALL K", "HKEYS K",
		"RPUSH K V", "RENAME K K", "KEYS *", "KEYS a*", "GET", "GET K K",
	}
	draw := func(form string) []string {
		words := strings.Fields(form)
		for i, word := range words[1:] {
			switch word {
			case "K":
				word = []string{"a1", "a2", "b"}[random.IntN(3)]
			case "F":
				word = []string{"f", "g"}[random.IntN(2)]
			case "V":
				word = strings.Repeat("v", random.IntN(4)) + strconv.Itoa(random.IntN(100))
			case "N":
				word = strconv.Itoa(random.IntN(9) - 4)
			case "P":
				word = strconv.Itoa(random.IntN(9))
			}
			words[i+1] = word
		}
		return words
	}
	for step := range 1500 {
		words := draw(forms[random.IntN(len(forms))])
		want, wanted := redis.Try(words...)
		got, err := inner.Try(words...)
		if words[0] == "HGETALL" || words[0] == "HKEYS" || words[0] == "KEYS" { // in any order
			want, got = sorted(want), sorted(got)
		}
		if words[0] == "TTL" && runs(got) && runs(want) {
			want = got // they were told and asked a moment apart
		}
		if got != want || fault(err) != fault(wanted) {
			t.Fatalf("step %d, %v: %q, %v; Redis says %q, %v", step, words, got, err, want, wanted)
		}
	}
	if a, b := redis.Keys(), inner.Keys(); !slices.Equal(a, b) {
		t.Errorf("Redis has %q, the other %q", a, b)
	}
}

// runs reports whether the seconds are those of a key that was given 100,000 at most a quarter of an hour ago, which no
// test takes.
func runs(seconds string) bool {
	left, err := strconv.Atoi(seconds)
	return err == nil && 99_000 < left && left <= 100_000
}

func sorted(lines string) string {
	list := strings.Split(lines, "\n")
	slices.Sort(list)
	return strings.Join(list, "\n")
}

// fault is the first word of an error, by which clients know it.
func fault(err error) string {
	if err == nil {
		return ""
	}
	word, _, _ := strings.Cut(err.Error(), " ")
	return word
}
