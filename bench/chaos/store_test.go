package chaos

import (
	"flag"
	"os"
	"path/filepath"
	"syscall"

	"github.com/topoi-lda/topoi/internal/redisserver"
)

var stored = flag.String("store", "redis", "`name` of the store of jobs: redis, or inner for topoi cluster store, which keeps no data")

// storeProcess is a store of a job that runs.
type storeProcess struct {
	Socket string
	Kill   func() // at once; it waits for the end
}

// startStore starts the store of the job, for the first time or again.
func (c *cluster) startStore() (err error) {
	config := redisserver.Config{Dir: filepath.Join(c.dir, "store")}
	if err := os.MkdirAll(config.Dir, 0o755); err != nil {
		return err
	}
	if *stored == "inner" && !c.kept {
		c.store, err = c.startInner(filepath.Join(config.Dir, "redis.sock"))
	} else {
		if c.kept {
			config.Lines = []string{"appendonly yes", "appendfsync always"}
		}
		var server *redisserver.Server
		if server, err = redisserver.Start(config); err == nil {
			c.store = storeProcess{server.Socket, server.Kill}
		}
	}
	if err != nil {
		return err
	}
	return c.follow()
}

// startInner starts topoi cluster store at a socket and waits until it answers.
func (c *cluster) startInner(socket string) (storeProcess, error) {
	p, err := c.start(c.dir, 0, "cluster", "store", "--store", "unix://"+socket, "--log", "text")
	if err != nil {
		return storeProcess{}, err
	}
	for {
		if _, err := redisserver.Do("unix://"+socket, nil, "PING"); err == nil {
			break
		}
		select {
		case <-p.Exited():
			_, err := p.verdict(false)
			return storeProcess{}, err
		default:
		}
	}
	return storeProcess{socket, func() {
		p.Signal(syscall.SIGKILL)
		<-p.Exited()
	}}, nil
}
