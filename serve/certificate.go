package serve

import (
	"crypto/tls"
	"fmt"
	"os"
	"sync/atomic"
)

// certificate is the server's, as it is on disk.
type certificate struct {
	certFile, keyFile string
	seen              string // what the files looked like; of Reload
	current           atomic.Pointer[tls.Certificate]
}

func openCertificate(certFile, keyFile string) (*certificate, error) {
	c := &certificate{certFile: certFile, keyFile: keyFile}
	return c, c.reload()
}

// reload reads the files if they have changed. Connections that exist keep what they have.
func (c *certificate) reload() error {
	if c == nil {
		return nil
	}
	seen := ""
	for _, path := range []string{c.certFile, c.keyFile} {
		info, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("cannot read the certificate: %w", err)
		}
		seen += fmt.Sprint(info.Size(), info.ModTime().UnixNano(), identity(info), " ")
	}
	if seen == c.seen {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return fmt.Errorf("the certificate %s and the key %s cannot be used: %w", c.certFile, c.keyFile, err)
	}
	c.seen = seen
	c.current.Store(&pair)
	return nil
}

// config is what TLS needs to know; nil without a certificate.
func (c *certificate) config() *tls.Config {
	if c == nil {
		return nil
	}
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current.Load(), nil },
	}
}
