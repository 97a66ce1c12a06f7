package records

import (
	"bytes"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/topoi-lda/topoi/internal/store"
)

// spoiled returns the address of a server behind which that of socket is, and which spoils a text of the same length as
// by in its first answers that have it, as often as times says.
func spoiled(t *testing.T, socket, text, by string, times *atomic.Int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("unix", socket)
			if err != nil {
				client.Close()
				return
			}
			go func() {
				defer server.Close()
				_, _ = io.Copy(server, client)
			}()
			go func() {
				defer client.Close()
				room := make([]byte, 1<<16)
				for {
					n, err := server.Read(room)
					answer := room[:n]
					if bytes.Contains(answer, []byte(text)) && times.Add(-1) >= 0 {
						answer = bytes.ReplaceAll(answer, []byte(text), []byte(by))
					}
					if _, fault := client.Write(answer); err != nil || fault != nil {
						return
					}
				}
			}()
		}
	}()
	return "unix://" + path
}

// A report that is damaged on its way is read again. One that stays so is an error that says whose it is.
func TestStatusReadsAgain(t *testing.T) {
	server, j := created(t)
	if _, err := (Control{j}).Join(t.Context(), 11, `{"name": "one"}`); err != nil {
		t.Fatal(err)
	}
	var times atomic.Int64
	st, err := store.Open(t.Context(), store.Options{
		URL: spoiled(t, server.Socket, `{"name": "one"}`, "{\"name\x1a: \"one\"}", &times),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	behind := *j
	behind.Store = st
	times.Store(2)
	if s, err := behind.Status(t.Context()); err != nil || len(s.Workers) != 1 || s.Workers[0].Name != "one" {
		t.Errorf("%+v, %v", s, err)
	}
	times.Store(3)
	if _, err := behind.Status(t.Context()); err == nil || !strings.Contains(err.Error(), "worker 11: this report cannot be read") {
		t.Error(err)
	}
	if times.Load() > 0 {
		t.Error("nothing was spoiled")
	}
}
