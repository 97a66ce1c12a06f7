package chaos

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// happen disturbs the job in a way that is drawn.
func (c *cluster) happen() error {
	happenings := []func() error{c.kill, c.freeze, c.cut, c.flush, c.deleteKey, c.deleteKey, c.damageBlob, c.damageBlob, c.restart, c.stopAll, c.flipCheckpoint}
	if c.state != "" {
		happenings = append(happenings, c.loseFiles, c.damageFile, c.damageFile)
	}
	return happenings[c.random.IntN(len(happenings))]()
}

func (c *cluster) kill() error {
	place := c.random.IntN(len(c.team))
	c.fault("kill", "worker %d", place)
	c.signalled[place] = true
	c.team[place].Signal(syscall.SIGKILL)
	return nil
}

func (c *cluster) freeze() error {
	place := c.random.IntN(len(c.team))
	long := c.within(3 * lease)
	c.fault("freeze", "worker %d for %v", place, long.Round(time.Millisecond))
	c.team[place].Signal(syscall.SIGSTOP)
	c.frozen[place] = time.Now().Add(long)
	return nil
}

func (c *cluster) stopAll() error {
	c.fault("kill", "all workers")
	for place := range c.team {
		c.signalled[place] = true
		c.team[place].Signal(syscall.SIGKILL)
	}
	return nil
}

// cut closes all connections of the store but this one.
func (c *cluster) cut() error {
	c.fault("cut", "all connections to the store")
	_, err := c.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
	return err
}

func (c *cluster) flush() error {
	c.fault("flush", "the store: expected to go on from the checkpoint, or a sentence")
	_, err := c.ask("FLUSHALL")
	return err
}

func (c *cluster) restart() error {
	c.fault("restart", "the store")
	c.store.Kill()
	time.Sleep(c.within(lease / 2))
	return c.startStore()
}

// key draws one of the job's keys; "" if there is none.
func (c *cluster) key() (string, error) {
	text, err := c.ask("KEYS", "topoi:*")
	keys := strings.Fields(text)
	if err != nil || len(keys) == 0 {
		return "", err
	}
	return keys[c.random.IntN(len(keys))], nil
}

func (c *cluster) deleteKey() error {
	key, err := c.key()
	if err != nil || key == "" {
		return err
	}
	if c.chance(3) { // there are few of these, and all depends on them
		important := []string{"topoi:{chaos}:state", "topoi:{chaos}:spec", "topoi:{chaos:s1}:head", "topoi:{chaos:p0}:head", "topoi:{chaos}:leader", "topoi:{chaos}:owners", "topoi:{chaos}:reached"}
		key = important[c.random.IntN(len(important))]
	}
	c.fault("delete", "key %s", key)
	_, err = c.ask("DEL", key)
	return err
}

// damageBlob flips a bit in a value, of a hash in its largest field.
func (c *cluster) damageBlob() error {
	key, err := c.key()
	if err != nil || key == "" {
		return err
	}
	kind, err := c.ask("TYPE", key)
	if err != nil {
		return err
	}
	switch {
	case kind == "string" && !strings.Contains(key, "lease") && !strings.HasSuffix(key, "leader"):
		value, err := c.ask("GETRANGE", key, "0", "-1")
		if err != nil || value == "" {
			return err
		}
		at := c.random.IntN(len(value))
		c.fault("damage", "byte %d of %d of %s", at, len(value), key)
		b := []byte(value[at : at+1])
		b[0] ^= 1 << c.random.IntN(8)
		if *stored == "inner" { // a key that has gone meanwhile is made anew, which is damage too
			_, err = c.ask("SETRANGE", key, strconv.Itoa(at), string(b))
			return err
		}
		// In a script, so that a key that has gone meanwhile is not made anew.
		_, err = c.ask("EVAL", "if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('SETRANGE', KEYS[1], ARGV[1], ARGV[2]) end return 1", "1", key, strconv.Itoa(at), string(b))
		return err
	case strings.HasSuffix(key, "}:state"):
		value, err := c.ask("HGET", key, "json")
		if err != nil || value == "" {
			return err
		}
		at := c.random.IntN(len(value))
		c.fault("damage", "byte %d of %d of %s", at, len(value), key)
		b := []byte(value)
		b[at] ^= 1 << c.random.IntN(8)
		if *stored == "inner" {
			_, err = c.ask("HSET", key, "json", string(b), "version", "x")
			return err
		}
		_, err = c.ask("EVAL", "if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'json', ARGV[1], 'version', 'x') end return 1", "1", key, string(b))
		return err
	}
	return nil
}

// flipCheckpoint damages the checkpoint and empties the store, so that it is needed.
func (c *cluster) flipCheckpoint() error {
	if c.checkpoint == "" {
		return c.kill()
	}
	x, err := c.flip(c.checkpoint)
	if err != nil || x == nil {
		return err
	}
	if err := c.flush(); err != nil {
		return err
	}
	time.Sleep(lease)
	return c.putBack(x)
}

// putBack puts the checkpoint back as it was, unless a worker has written another.
func (c *cluster) putBack(x *flipped) error {
	now, err := os.ReadFile(x.path)
	if err != nil || !bytes.Equal(now, x.is) {
		return err
	}
	return os.WriteFile(x.path, x.was, 0o644)
}
