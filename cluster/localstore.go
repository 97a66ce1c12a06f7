package cluster

import (
	"crypto/rand"
	"net/url"
	"path/filepath"

	"github.com/topoi-lda/topoi/internal/innerstore"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// localStore is a store in this process for workers on this machine. It admits those who know its URL.
type localStore struct {
	server *innerstore.Server
	dir    *wholefile.Dir // of its socket, or nil
	url    string
}

// startLocalStore starts a store at a socket in a directory of its own. Where that cannot be, such as in a directory
// whose path is too long for a socket, it listens on a port of the loopback interface.
func startLocalStore() (*localStore, error) {
	password := rand.Text()
	s := &localStore{server: innerstore.New(innerstore.Options{
		Password: password, Memory: int64(machine.Memory() / 2), // the workers have the rest
	})}
	address := url.URL{User: url.UserPassword("", password)}
	dir, err := wholefile.TempDir("store")
	if err == nil {
		s.dir = dir
		address.Scheme, address.Path = "unix", filepath.Join(dir.Temporary, "store.sock")
		_, err = s.server.Listen("unix", address.Path, nil)
	}
	if err != nil {
		port, fault := s.server.Listen("tcp", "127.0.0.1:0", nil)
		if fault != nil {
			s.close()
			return nil, fault
		}
		address.Scheme, address.Host, address.Path = "redis", port.String(), ""
	}
	s.url = address.String()
	return s, nil
}

// close ends the store. It holds nothing that is of use later.
func (s *localStore) close() {
	s.server.Close()
	if s.dir != nil {
		s.dir.Abort()
	}
}
