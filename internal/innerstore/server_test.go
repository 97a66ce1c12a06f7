package innerstore

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/scripts"
)

func listen(t *testing.T, o Options) (*Server, string) {
	t.Helper()
	s := New(o)
	t.Cleanup(s.Close)
	at, err := s.Listen("tcp", "127.0.0.1:0", nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, at.String()
}

// talk sends bytes and no more, and returns what comes until the server ends the connection.
func talk(t *testing.T, address, text string) string {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

// words writes a command as clients do.
func words(all ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(all))
	for _, word := range all {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(word), word)
	}
	return b.String()
}

// Who has not given the password learns nothing, may send little, and ends soon.
func TestStrangers(t *testing.T) {
	_, address := listen(t, Options{User: "topoi", Password: "secret"})
	for text, want := range map[string]string{
		words("GET", "k"):                                "-NOAUTH ",
		words("HELLO", "3"):                              "-NOAUTH ",
		"PING\r\n":                                       "-NOAUTH ",
		words("MONITOR"):                                 "-NOAUTH ",
		words("CLIENT", "KILL"):                          "-NOAUTH ",
		words("AUTH", "wrong"):                           "-WRONGPASS ",
		words("AUTH", "secret"):                          "-WRONGPASS ", // the user is not the default one
		words("AUTH", "topoi", "secre"):                  "-WRONGPASS ",
		words("HELLO", "3", "AUTH", "x", "y"):            "-WRONGPASS ",
		"*1000000\r\n":                                   "-ERR Protocol error: unauthenticated multibulk length",
		"*2\r\n$3\r\nGET\r\n$100000\r\n":                 "-ERR Protocol error: unauthenticated bulk length",
		"*2\r\n$99999999999999999999\r\n":                "-ERR Protocol error: invalid bulk length",
		"*-5\r\n":                                        "-ERR Protocol error: invalid multibulk length",
		"*1\r\n+OK\r\n":                                  "-ERR Protocol error: expected '$'",
		"*1\r\n$1\r\nxyz":                                "-ERR Protocol error: expected the end of a bulk string",
		strings.Repeat("x", bufferBytes):                 "-ERR Protocol error: too big inline request",
		words("AUTH", "topoi", "secret") + words("PING"): "+OK\r\n+PONG\r\n",
		words("AUTH", "topoi", "secret") + words("GET", "none") + words("QUIT"):            "+OK\r\n$-1\r\n+OK\r\n",
		words("HELLO", "3", "AUTH", "topoi", "secret", "SETNAME", "w") + words("GET", "k"): "%7\r\n$6\r\nserver\r\n$5\r\ntopoi\r\n",
		words("HELLO", "2", "AUTH", "topoi", "secret"):                                     "*14\r\n",
		words("HELLO", "4", "AUTH", "topoi", "secret"):                                     "-NOPROTO ",
		words("AUTH", "topoi", "secret") + words("CLUSTER", "SLOTS"):                       "+OK\r\n-ERR This instance has cluster support disabled",
		words("AUTH", "topoi", "secret") + words("SELECT", "1"):                            "+OK\r\n-ERR DB index",
		words("AUTH", "topoi", "secret") + words("SUBSCRIBE", "x"):                         "+OK\r\n-ERR unknown command 'SUBSCRIBE'",
		words("AUTH", "topoi", "secret") + words("GET"):                                    "+OK\r\n-ERR wrong number of arguments",
		words("AUTH", "topoi", "secret") + words("SET", "k", "v") + "\r\nGET k\r\n":        "+OK\r\n+OK\r\n$1\r\nv\r\n",
	} {
		if got := talk(t, address, text); !strings.HasPrefix(got, want) {
			t.Errorf("%.60q: %.100q, want %q", text, got, want)
		}
	}
}

// A value for which there is no room is received and thrown away, and the connection goes on.
func TestFull(t *testing.T) {
	told := make(chan bool, 2)
	_, address := listen(t, Options{Memory: 1 << 20, Full: func() { told <- true }})
	large := words("SET", "k", strings.Repeat("x", 2<<20))
	want := "-" + faultFull + "\r\n"
	if got := talk(t, address, large+large+words("PING")); got != want+want+"+PONG\r\n" {
		t.Errorf("got %.200q", got)
	}
	if len(told) != 1 {
		t.Errorf("told %d times that it is full", len(told))
	}
	if got := talk(t, address, words("SET", "k", strings.Repeat("x", 900<<10))+words("EXISTS", "k")); got != "+OK\r\n:1\r\n" {
		t.Errorf("after that: %.200q", got)
	}
}

// Connections end when the server does, and nobody is served any more.
func TestClose(t *testing.T) {
	s, address := listen(t, Options{})
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, "PING\r\n")
	lines := bufio.NewReader(c)
	if line, err := lines.ReadString('\n'); line != "+PONG\r\n" || err != nil {
		t.Fatalf("got %q, %v", line, err)
	}
	s.Close()
	s.Close() // a second time does nothing
	if line, err := lines.ReadString('\n'); err == nil {
		t.Errorf("after the end comes %q", line)
	}
	if c, err := net.Dial("tcp", address); err == nil {
		c.Close()
		t.Error("somebody still listens")
	}
	if _, err := s.Listen("tcp", "127.0.0.1:0", nil); err == nil {
		t.Error("a server that has ended listens")
	}
}

// A socket is for this user only. One that a killed process has left is replaced; one that is served is not.
func TestSockets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	old, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	old.SetUnlinkOnClose(false)
	s := New(Options{})
	defer s.Close()
	if _, err := s.Listen("unix", path, nil); err == nil || !strings.Contains(err.Error(), "cannot listen on "+path+": ") {
		t.Errorf("a socket that is served: %v", err)
	}
	old.Close()
	if _, err := s.Listen("unix", path, nil); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v", info.Mode(), err)
	}
}

// Who watches is told of every command, and of those of scripts, in order.
func TestWatch(t *testing.T) {
	s, address := listen(t, Options{})
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, "MONITOR\r\n")
	lines := bufio.NewReader(c)
	if line, _ := lines.ReadString('\n'); line != "+OK\r\n" {
		t.Fatalf("got %q", line)
	}
	unlock := digest(scripts.Text("unlock"))
	talk(t, address, words("SET", "lock", "me")+words("PING")+words("EVALSHA", unlock, "1", "lock", "me"))
	for _, want := range []string{
		`[0 client] "SET" "lock" "me"`, `[0 client] "EVALSHA" "` + unlock + `" "1" "lock" "me"`, `[0 lua] "DEL" "lock"`,
	} {
		line, err := lines.ReadString('\n')
		if _, rest, _ := strings.Cut(strings.TrimSpace(line), " "); rest != want || err != nil {
			t.Errorf("told %q, %v, want %q", rest, err, want)
		}
	}
	c.Close()
	for range 60_000 { // until the server has noticed
		s.mutex.Lock()
		quiet := s.database.note == nil
		s.mutex.Unlock()
		if quiet {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("the server still tells of commands")
}

// A store that pauses answers later, and loses nothing.
func TestPause(t *testing.T) {
	_, address := listen(t, Options{})
	begin := time.Now()
	if got := talk(t, address, words("CLIENT", "PAUSE", "100", "ALL")+words("SET", "k", "v")); got != "+OK\r\n+OK\r\n" {
		t.Errorf("got %q", got)
	}
	if took := time.Since(begin); took < 100*time.Millisecond {
		t.Errorf("it took %v", took)
	}
}

// No bytes make a server stop, or keep what was reserved.
func FuzzReader(f *testing.F) {
	f.Add([]byte(words("SET", "k", "v")))
	f.Add([]byte("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$100000\r\nxx"))
	f.Add([]byte("PING\r\n\r\n*0\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		reserved := int64(0)
		r := reader{
			Reader: bufio.NewReader(strings.NewReader(string(b))), allowed: true,
			flush: func() error { return nil },
		}
		r.release = func(n int64) { reserved -= n }
		r.reserve = func(n int64) bool {
			if n < 1<<20 {
				reserved += n
			}
			return n < 1<<20
		}
		for {
			_, _, err := r.command()
			r.done()
			if err != nil {
				break
			}
		}
		if reserved != 0 {
			t.Errorf("%d bytes stay reserved", reserved)
		}
	})
}
