// Package store provides what a cluster of workers needs from Redis or Valkey: blobs by key, scripts that
// change a few small keys at once, and keys found by prefix. Every command may be sent twice without harm, so
// a command whose answer got lost is sent again until the store answers or the patience is over.
package store

import (
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
	// redis://user:password@host:6379/0?addr=host2:6379. For TLS, ?cacert=FILE names the authority to trust,
	// ?cert=FILE&key=FILE what the client shows, ?skip_verify=true trusts anybody.
	URL string

	// Patience is how long a store may be unreachable, after the first contact, before a command fails. The
	// default is one minute.
	Patience time.Duration
}

// Store is a connection to one store, for use by many goroutines.
type Store struct {
	name     string // the URL without its password, for messages
	patience time.Duration
	control  rueidis.Client // small commands, which must not wait behind blobs
	blobs    rueidis.Client
	sent     atomic.Uint64
	received atomic.Uint64
}

// Open connects to a store. It does not retry, because an error at the beginning is likely to be permanent.
func Open(ctx context.Context, o Options) (*Store, error) {
	s := &Store{name: Redacted(o.URL), patience: o.Patience}
	if s.patience == 0 {
		s.patience = time.Minute
	}
	option, err := parse(o.URL)
	if err != nil {
		return nil, err
	}
	for _, client := range []*rueidis.Client{&s.control, &s.blobs} {
		if *client, err = rueidis.NewClient(option); err != nil {
			s.Close()
			return nil, s.explainOpen(option, err)
		}
	}
	err = s.retry(ctx, func() error { return s.control.Do(ctx, s.control.B().Ping().Build()).Error() })
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
	option.PipelineMultiplex = 1
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
	for _, client := range []rueidis.Client{s.control, s.blobs} {
		if client != nil {
			client.Close()
		}
	}
}

// Moved returns the bytes of blobs sent to and received from the store.
func (s *Store) Moved() (sent, received uint64) { return s.sent.Load(), s.received.Load() }

// otherType is what Get returns for a key that holds a list, a hash or the like. Blobs begin differently, so
// that decoding it reports damage.
var otherType = []byte("(a key of another type)")

// Get returns the values of keys, nil for those that do not exist. A value must not be changed.
func (s *Store) Get(ctx context.Context, keys ...string) ([][]byte, error) {
	values := make([][]byte, len(keys))
	if len(keys) == 0 {
		return values, nil
	}
	client := s.blobs
	err := s.retry(ctx, func() error {
		commands := make(rueidis.Commands, len(keys))
		for i, key := range keys {
			commands[i] = client.B().Get().Key(key).Build()
		}
		for i, answer := range client.DoMulti(ctx, commands...) {
			b, err := answer.AsBytes()
			if fault, ok := rueidis.IsRedisErr(err); ok && strings.HasPrefix(fault.Error(), "WRONGTYPE") {
				b, err = otherType, nil
			}
			if err != nil && !rueidis.IsRedisNil(err) {
				return err
			}
			values[i] = b
		}
		return nil
	})
	for _, v := range values {
		s.received.Add(uint64(len(v)))
	}
	return values, err
}

// Missing returns those of the keys that do not exist.
func (s *Store) Missing(ctx context.Context, keys ...string) ([]string, error) {
	var missing []string
	err := s.retry(ctx, func() error {
		missing = nil
		for chunk := range slices.Chunk(keys, 512) {
			commands := make(rueidis.Commands, len(chunk))
			for i, key := range chunk {
				commands[i] = s.control.B().Exists().Key(key).Build()
			}
			for i, answer := range s.control.DoMulti(ctx, commands...) {
				n, err := answer.AsInt64()
				if err != nil {
					return err
				}
				if n == 0 {
					missing = append(missing, chunk[i])
				}
			}
		}
		return nil
	})
	return missing, err
}

// Delete removes keys. Keys that do not exist are ignored.
func (s *Store) Delete(ctx context.Context, keys ...string) error {
	const most = 512
	for chunk := range slices.Chunk(keys, most) {
		err := s.retry(ctx, func() error {
			commands := make(rueidis.Commands, len(chunk))
			for i, key := range chunk {
				commands[i] = s.control.B().Unlink().Key(key).Build()
			}
			for _, answer := range s.control.DoMulti(ctx, commands...) {
				if err := answer.Error(); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Keys returns all keys of all nodes that begin with prefix, sorted. The prefix must not contain characters
// of a glob pattern.
func (s *Store) Keys(ctx context.Context, prefix string) ([]string, error) {
	found := map[string]bool{} // SCAN may name a key twice
	err := s.retry(ctx, func() error {
		clear(found)
		for _, node := range s.control.Nodes() {
			if err := scan(ctx, node, prefix, found); err != nil {
				return err
			}
		}
		return nil
	})
	return slices.Sorted(maps.Keys(found)), err
}

// scan adds the keys of one node. A replica names the same keys as its primary.
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

// Info returns the fields of a section of INFO, of every node by its address.
func (s *Store) Info(ctx context.Context, section string) (map[string]map[string]string, error) {
	info := map[string]map[string]string{}
	err := s.retry(ctx, func() error {
		for address, node := range s.control.Nodes() {
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
