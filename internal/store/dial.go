package store

import (
	"context"
	"crypto/tls"
	"net"
	"sync/atomic"

	"github.com/redis/rueidis"
)

type dial = func(ctx context.Context, address string, d *net.Dialer, config *tls.Config) (net.Conn, error)

// dialer returns the function by which a client would connect by itself.
func dialer(option rueidis.ClientOption) dial {
	if option.DialCtxFn != nil { // a Unix socket
		return option.DialCtxFn
	}
	return func(ctx context.Context, address string, d *net.Dialer, config *tls.Config) (net.Conn, error) {
		if config != nil {
			return (&tls.Dialer{NetDialer: d, Config: config}).DialContext(ctx, "tcp", address)
		}
		return d.DialContext(ctx, "tcp", address)
	}
}

// counted returns a function that connects as inner does, and counts in read the bytes that come.
func counted(inner dial, read *atomic.Int64) dial {
	return func(ctx context.Context, address string, d *net.Dialer, config *tls.Config) (net.Conn, error) {
		c, err := inner(ctx, address, d, config)
		if err != nil {
			return nil, err
		}
		return &counter{c, read}, nil
	}
}

// counter counts the bytes that are read.
type counter struct {
	net.Conn
	read *atomic.Int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.read.Add(int64(n))
	return n, err
}
