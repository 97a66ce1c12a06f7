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

// What is damaged on its way to a reader is read again: reports of workers, and the spec. What stays so is an error.
func TestReadersReadAgain(t *testing.T) {
	server, j := created(t)
	if _, err := (Control{j}).Join(t.Context(), 11, `{"name": "one"}`); err != nil {
		t.Fatal(err)
	}
	status := func(j *Job) error {
		s, err := j.Status(t.Context())
		if err == nil && (len(s.Workers) != 1 || s.Workers[0].Name != "one") {
			t.Errorf("workers %+v", s.Workers)
		}
		return err
	}
	for _, test := range []struct {
		text, by string
		read     func(*Job) error
		wrong    string
	}{
		{`{"name": "one"}`, "{\"name\x1a: \"one\"}", status, "members in the store is damaged (the report of worker 11"},
		{`"topics":2`, `"topics":3`, func(j *Job) error {
			_, err := Open(t.Context(), j.Store, j.Name, Build{})
			return err
		}, "spec in the store is damaged"},
	} {
		var times atomic.Int64
		url := spoiled(t, server.Socket, test.text, test.by, &times)
		st, err := store.Open(t.Context(), store.Options{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		behind := *j
		behind.Store = st
		times.Store(2)
		if err := test.read(&behind); err != nil {
			t.Error(err)
		}
		times.Store(3)
		if err := test.read(&behind); err == nil || !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("%v, want %s", err, test.wrong)
		}
		if times.Load() > 0 {
			t.Errorf("%s was not spoiled", test.text)
		}
	}
}
