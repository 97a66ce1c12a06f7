// Package store gives a cluster of workers access to Redis or Valkey: blobs by key, scripts that change a few small
// keys at once, and keys by prefix. Every command may be sent twice without harm. So if an answer is lost, the command
// is sent again until the store answers or Options.Patience is over.
package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/rueidis"
)

// Options say how to reach a store.
type Options struct {
	// URL is redis://, rediss:// (TLS) or unix://, with user, password and database where needed:
	// redis://user:password@host:6379/0?addr=host2:6379. For TLS, ?cacert=FILE names the authority to trust and
	// ?cert=FILE&key=FILE the client's certificate; ?skip_verify=true trusts any certificate.
	URL string

	// Patience is how long a store may be unreachable, after the first contact, before a command fails. Default: a minute.
	Patience time.Duration

	// Once sends every command once, on one connection: for tests that ask two stores the same. Otherwise a command whose
	// answer is late goes out again, and may arrive after later ones.
	Once bool
}

// Store is a connection to a store. Many goroutines may use it at once.
type Store struct {
	name     string // the URL without its password, for messages
	patience time.Duration
	control  *lines // for small commands, which must not wait behind blobs
	blobs    *lines
	sent     atomic.Uint64
	received atomic.Uint64
}

// Open connects to a store. It does not retry, because an error at the beginning is likely to be permanent.
func Open(ctx context.Context, o Options) (*Store, error) {
	s := &Store{name: Redacted(o.URL), patience: cmp.Or(o.Patience, time.Minute)}
	option, err := parse(o.URL)
	if err != nil {
		return nil, err
	}
	most := mostLines
	if o.Once {
		most = 1
	}
	for _, l := range []**lines{&s.control, &s.blobs} {
		if *l, err = openLines(option, most); err != nil {
			s.Close()
			return nil, s.explainOpen(option, err)
		}
	}
	ping := func(_ int, c rueidis.Client) rueidis.Completed { return c.B().Ping().Build() }
	err = s.do(ctx, s.control, 1, ping, func(_ int, answer rueidis.RedisResult) error { return answer.Error() })
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// parse reads the URL.
func parse(text string) (rueidis.ClientOption, error) {
	u, err := url.Parse(text)
	if err != nil {
		return rueidis.ClientOption{}, fmt.Errorf("the store's address is not a URL: write it as redis://host:6379, " +
			"rediss://host:6379 for TLS, or unix:///path/to/socket")
	}
	option, err := rueidis.ParseURL(text)
	if err != nil {
		return option, fmt.Errorf("the store's address %s is not understood (%s): write it as redis://host:6379, "+
			"rediss://host:6379 for TLS, or unix:///path/to/socket",
			Redacted(text), strings.TrimPrefix(err.Error(), "redis: "))
	}
	if option.TLSConfig != nil {
		if err := trust(option.TLSConfig, u.Query()); err != nil {
			return option, err
		}
	}
	option.DisableCache = true
	option.DisableRetry = true // retry is ours
	option.ConnWriteTimeout = 20 * time.Second
	option.Dialer.KeepAlive = 2 * time.Second
	option.ReadBufferEachConn = 1 << 18
	option.WriteBufferEachConn = 1 << 18
	option.PipelineMultiplex = -1 // see lines
	option.ClientSetInfo = rueidis.DisableClientSetInfo
	return option, nil
}

// Redacted returns a store's URL without its password.
func Redacted(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "(unreadable)"
	}
	if at := strings.LastIndex(text, "@"); u.Host == "" && at >= 0 { // a typo: what is before it may hold a password
		host, _, _ := strings.Cut(text[at:], "?")
		return "…" + host
	}
	if _, has := u.User.Password(); has {
		u.User = url.User(u.User.Username())
	}
	u.RawQuery = ""
	return u.String()
}

// Name returns the URL without its password, for messages.
func (s *Store) Name() string { return s.name }

// Close ends the connections.
func (s *Store) Close() {
	for _, l := range []*lines{s.control, s.blobs} {
		if l != nil {
			l.Close()
		}
	}
}

// do sends n small commands at once and passes their answers to take, again and again until all succeed (see retry).
func (s *Store) do(ctx context.Context, l *lines, n int, command func(i int, c rueidis.Client) rueidis.Completed,
	take func(i int, answer rueidis.RedisResult) error,
) error {
	return s.doSized(ctx, l, 0, n, command, take)
}

// doSized is do for commands whose answers are together about as large as size says.
func (s *Store) doSized(ctx context.Context, l *lines, size, n int,
	command func(i int, c rueidis.Client) rueidis.Completed, take func(i int, answer rueidis.RedisResult) error,
) error {
	build := func(c rueidis.Client) rueidis.Commands {
		commands := make(rueidis.Commands, n)
		for i := range commands {
			commands[i] = command(i, c)
		}
		return commands
	}
	return s.retry(ctx, func() error {
		for i, answer := range l.do(ctx, size, build) {
			if err := take(i, answer); err != nil {
				return err
			}
		}
		return nil
	})
}

// Moved returns the bytes of blobs sent to and received from the store.
func (s *Store) Moved() (sent, received uint64) { return s.sent.Load(), s.received.Load() }

// otherType is the value that Get returns for a key with a list, a hash or another type. No blob begins like it, so
// decoding it reports damage.
var otherType = []byte("(a key of another type)")

// Get returns the values of keys, nil for keys that do not exist. The caller must not change a value.
func (s *Store) Get(ctx context.Context, keys ...string) ([][]byte, error) {
	values := make([][]byte, len(keys))
	if len(keys) == 0 {
		return values, nil
	}
	get := func(i int, c rueidis.Client) rueidis.Completed { return c.B().Get().Key(keys[i]).Build() }
	size := 0
	err := s.doSized(ctx, s.blobs, s.blobs.expect(), len(keys), get,
		func(i int, answer rueidis.RedisResult) (err error) {
			values[i], err = answer.AsBytes()
			if fault, ok := rueidis.IsRedisErr(err); ok && strings.HasPrefix(fault.Error(), "WRONGTYPE") {
				values[i], err = otherType, nil
			}
			if rueidis.IsRedisNil(err) {
				return nil
			}
			return err
		})
	for _, v := range values {
		size += len(v)
	}
	s.blobs.came(size)
	s.received.Add(uint64(size))
	return values, err
}

// Missing returns the keys that do not exist.
func (s *Store) Missing(ctx context.Context, keys ...string) ([]string, error) {
	var missing []string
	for chunk := range slices.Chunk(keys, mostKeys) {
		found := make([]int64, len(chunk))
		exists := func(i int, c rueidis.Client) rueidis.Completed { return c.B().Exists().Key(chunk[i]).Build() }
		err := s.do(ctx, s.control, len(chunk), exists, func(i int, answer rueidis.RedisResult) (err error) {
			found[i], err = answer.AsInt64()
			return err
		})
		if err != nil {
			return nil, err
		}
		for i, key := range chunk {
			if found[i] == 0 {
				missing = append(missing, key)
			}
		}
	}
	return missing, nil
}

// mostKeys is how many keys are named at once in small commands.
const mostKeys = 512

// Delete removes keys. Keys that do not exist are ignored.
func (s *Store) Delete(ctx context.Context, keys ...string) error {
	for chunk := range slices.Chunk(keys, mostKeys) {
		unlink := func(i int, c rueidis.Client) rueidis.Completed { return c.B().Unlink().Key(chunk[i]).Build() }
		fault := func(_ int, answer rueidis.RedisResult) error { return answer.Error() }
		if err := s.do(ctx, s.control, len(chunk), unlink, fault); err != nil {
			return err
		}
	}
	return nil
}

// Keys returns the keys of all nodes that begin with prefix, sorted. The prefix must not contain characters of a glob
// pattern.
func (s *Store) Keys(ctx context.Context, prefix string) ([]string, error) {
	found := map[string]bool{} // SCAN may name a key twice
	err := s.retry(ctx, func() error {
		clear(found)
		for _, node := range s.control.first().Nodes() {
			if err := scan(ctx, node, prefix, found); err != nil {
				return err
			}
		}
		return nil
	})
	return slices.Sorted(maps.Keys(found)), err
}

// scan adds the keys of one node to found. A replica returns the same keys as its primary.
func scan(ctx context.Context, node rueidis.Client, prefix string, found map[string]bool) error {
	cursor := uint64(0)
	for {
		entry, err := node.Do(ctx, node.B().Scan().Cursor(cursor).Match(prefix+"*").Count(1000).Build()).AsScanEntry()
		if err != nil {
			return err
		}
		for _, key := range entry.Elements {
			found[key] = true
		}
		if cursor = entry.Cursor; cursor == 0 {
			return nil
		}
	}
}

// Info returns the fields of a section of INFO for every node, by the node's address.
func (s *Store) Info(ctx context.Context, section string) (map[string]map[string]string, error) {
	info := map[string]map[string]string{}
	err := s.retry(ctx, func() error {
		for address, node := range s.control.first().Nodes() {
			text, err := node.Do(ctx, node.B().Info().Section(section).Build()).ToString()
			if err != nil {
				return err
			}
			fields := map[string]string{}
			for line := range strings.Lines(text) {
				if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
					fields[name] = value
				}
			}
			info[address] = fields
		}
		return nil
	})
	return info, err
}
