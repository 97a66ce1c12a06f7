package store

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/redis/rueidis"
)

// ErrFull is wrapped by errors about a store whose memory is full.
var ErrFull = errors.New("the store is full")

// ErrType is wrapped by errors about a key that holds another type than expected.
var ErrType = errors.New("a key holds another type")

// ErrAway is wrapped by errors about a store that cannot be reached any more.
var ErrAway = errors.New("the store is away")

// retry calls f until it succeeds or fails permanently. While the store cannot be reached, restarts or moves slots, it
// tries again until Options.Patience is over.
func (s *Store) retry(ctx context.Context, f func() error) error {
	const first, most = 5 * time.Millisecond, 500 * time.Millisecond
	var since time.Time
	for pause := first; ; pause = min(2*pause, most) {
		err := f()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !temporary(err) {
			return s.explain(err)
		}
		if since.IsZero() {
			since = time.Now()
		}
		if time.Since(since) > s.patience {
			return fmt.Errorf("%w: %s has not answered for %v (%w): see that it runs and can be reached, then start again",
				ErrAway, s.name, s.patience, err)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// temporary reports whether a command that failed with err is worth another try.
func temporary(err error) bool {
	fault, ok := rueidis.IsRedisErr(err)
	if !ok {
		return !errors.Is(err, rueidis.ErrClosing) // the network, in one way or another
	}
	word, _, _ := strings.Cut(fault.Error(), " ")
	switch word {
	case "LOADING", "TRYAGAIN", "CLUSTERDOWN", "MASTERDOWN", "MOVED", "ASK", "BUSY", "READONLY", "NOREPLICAS",
		"UNBLOCKED":
		return true
	}
	return false
}

// explain turns an error of the store into a sentence.
func (s *Store) explain(err error) error {
	fault, ok := rueidis.IsRedisErr(err)
	if !ok {
		return fmt.Errorf("store %s: %w", s.name, err)
	}
	word, _, _ := strings.Cut(fault.Error(), " ")
	switch word {
	case "OOM":
		if strings.Contains(fault.Error(), "topoi") {
			return fmt.Errorf("%w: %s is a store of topoi that holds as much as it may, and nothing more can be written: submit "+
				"the job again to one with more memory, from its checkpoint if there is one, or with topics=DIR in its layout",
				ErrFull, s.name)
		}
		return fmt.Errorf("%w: %s has reached its maxmemory and nothing more can be written: raise maxmemory, "+
			"then start the workers again; the job goes on where it was", ErrFull, s.name)
	case "WRONGTYPE":
		return fmt.Errorf("%w than what topoi wrote there", ErrType)
	case "WRONGPASS":
		return fmt.Errorf("store %s refuses the password: give the right one, as in redis://user:password@host:6379",
			s.name)
	case "NOAUTH":
		return fmt.Errorf("store %s asks for a password: give it, as in redis://user:password@host:6379", s.name)
	case "NOPERM":
		return fmt.Errorf("store %s does not allow its user what is needed (%s): grant keys ~topoi:* and the commands of "+
			"@read, @write, @scripting, @connection, ping, info, scan and cluster",
			s.name, strings.TrimPrefix(fault.Error(), "NOPERM "))
	case "MISCONF":
		return fmt.Errorf("%w: %s cannot save to its disk and refuses to write (%s)", ErrFull, s.name, fault.Error())
	}
	return fmt.Errorf("store %s answers: %s", s.name, fault.Error())
}

// explainOpen returns an error that says why a connection could not be made.
func (s *Store) explainOpen(option rueidis.ClientOption, err error) error {
	if _, ok := rueidis.IsRedisErr(err); ok {
		if strings.HasPrefix(err.Error(), "ERR AUTH") || strings.HasPrefix(err.Error(), "ERR Client sent AUTH") {
			return fmt.Errorf("store %s has no password and was given one: leave it out of the URL", s.name)
		}
		return s.explain(err)
	}
	var dns *net.DNSError
	var record tls.RecordHeaderError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	overTLS := option.TLSConfig != nil
	switch {
	case errors.As(err, &dns):
		return fmt.Errorf("store %s: there is no host %q: correct the name in the URL", s.name, dns.Name)
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("store %s: nothing listens there: start the store, or correct the address", s.name)
	case errors.As(err, &record):
		return fmt.Errorf("store %s: the port does not speak TLS: write redis:// for a plain connection", s.name)
	case errors.As(err, &authority):
		return fmt.Errorf("store %s: its certificate is signed by an authority that is not trusted: "+
			"name the authority's file with ?cacert=FILE", s.name)
	case errors.As(err, &host):
		return fmt.Errorf("store %s: its certificate is for another host (%w): use the name in the certificate", s.name,
			host)
	case overTLS && (strings.Contains(err.Error(), "certificate required") ||
		strings.Contains(err.Error(), "bad certificate")):
		return fmt.Errorf("store %s wants to see a certificate: give it with ?cert=FILE&key=FILE", s.name)
	case overTLS && (isTimeout(err) || isCut(err)) && speaksPlain(option):
		return fmt.Errorf("store %s: the port does not speak TLS: write redis:// for a plain connection", s.name)
	case isTimeout(err):
		return fmt.Errorf("store %s does not answer: see that it runs, and that no firewall is between", s.name)
	case overTLS && isCut(err):
		return fmt.Errorf("store %s: the connection ends before TLS begins: write redis:// if the port is a plain one",
			s.name)
	case isCut(err):
		return fmt.Errorf("store %s: the connection ends at once: write rediss:// if the port speaks TLS", s.name)
	}
	return fmt.Errorf("store %s cannot be reached: %w", s.name, err)
}

// speaksPlain reports whether the store answers without TLS.
func speaksPlain(option rueidis.ClientOption) bool {
	c, err := net.DialTimeout("tcp", option.InitAddress[0], time.Second)
	if err != nil {
		return false
	}
	defer c.Close()
	answer := make([]byte, 1)
	_ = c.SetDeadline(time.Now().Add(time.Second)) // if it cannot be set, the store answers or closes
	if _, err := c.Write([]byte("PING\r\n")); err != nil {
		return false
	}
	_, err = c.Read(answer)
	return err == nil && (answer[0] == '+' || answer[0] == '-')
}

func isCut(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) ||
		errors.Is(err, syscall.EPIPE) || strings.Contains(err.Error(), "EOF")
}

func isTimeout(err error) bool {
	var network net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network) && network.Timeout()
}

// trust sets up the certificates named in the URL's query.
func trust(config *tls.Config, query url.Values) error {
	if file := query.Get("cacert"); file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("cannot read the authority's certificate: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return fmt.Errorf("%s holds no certificate in PEM form", file)
		}
	}
	cert, key := query.Get("cert"), query.Get("key")
	if (cert == "") != (key == "") {
		return errors.New("a certificate needs its key: give both ?cert=FILE and &key=FILE")
	}
	if cert != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return fmt.Errorf("cannot use the certificate %s with the key %s: %w", cert, key, err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return nil
}
