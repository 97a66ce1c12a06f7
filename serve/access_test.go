package serve

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// Without one of the tokens nothing is told but that the server lives.
func TestTokens(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	token, other := NewToken(), NewToken()
	write(t, file, "# people\n\n"+HashToken(token, "alice")+"\n")
	s := start(t, Options{TokensFile: file, Reload: -1})
	for _, r := range routes {
		path := strings.NewReplacer("{model}", "stories", "{topic}", "0", "{version}", openModel(t).Fingerprint()).Replace(r.path)
		for _, header := range []string{"", "Bearer", "Bearer ", "Bearer " + other, "Bearer " + token + "x", "Basic eDp5", "Bearer " + HashToken(token, "")[:64]} {
			got := s.ask(r.method, path, "", "Authorization", header)
			if r.open && got.status != 200 || !r.open && (got.status != 401 || got.code() != "unauthorized" || !strings.Contains(got.header.Get("WWW-Authenticate"), "Bearer")) {
				t.Errorf("%s %s with %q: got %d %s", r.method, path, header, got.status, got.body)
			}
		}
		scheme := []string{"Bearer ", "bearer ", "BEARER  "}[len(path)%3] // a scheme has no case
		if got := s.ask(r.method, path, "", "Authorization", scheme+token); got.status == 401 {
			t.Errorf("%s %s: the token is refused", r.method, path)
		}
	}
	if got := s.get("/nothing"); got.status != 401 {
		t.Errorf("got %d", got.status)
	}
	request, _ := http.NewRequest("GET", s.url+"/v1/models", nil)
	request.SetBasicAuth("anybody", token)
	if answer, err := http.DefaultClient.Do(request); err != nil || answer.StatusCode != 200 {
		t.Errorf("a browser is refused: %v", err)
	} else {
		answer.Body.Close()
	}

	write(t, file, HashToken(other, "bob")+"\n")
	s.Reload()
	if a, b := s.get("/v1/models", "Authorization", "Bearer "+token), s.get("/v1/models", "Authorization", "Bearer "+other); a.status != 401 || b.status != 200 {
		t.Errorf("after a change: %d and %d", a.status, b.status)
	}
}

// A token that is not in the file any more is refused, whatever has become of the file, and one
// that is written into it works again.
func TestRevokedTokens(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	token, other := NewToken(), NewToken()
	line := HashToken(token, "alice") + "\n"
	write(t, file, line)
	s := start(t, Options{TokensFile: file, Reload: -1})
	status := func(token string) int { return s.get("/v1/models", "Authorization", "Bearer "+token).status }
	for content, want := range map[string]int{"": 401, "# " + line: 401, "\n\n": 401, "nonsense\n": 401, "nonsense\n" + line: 200, "gone": 401} {
		write(t, file, line)
		s.Reload()
		if got := status(token); got != 200 {
			t.Fatalf("before %q: %d", content, got)
		}
		if write(t, file, content); content == "gone" {
			os.Remove(file)
		}
		s.Reload()
		if got, none := status(token), status(""); got != want || none != 401 || status(other) != 401 {
			t.Errorf("with %q in the file: %d, without a token %d", content, got, none)
		}
	}
}

// Metrics have an address of their own, where nothing else is and no token is needed.
func TestMetricsAddress(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	write(t, file, HashToken(NewToken(), "alice")+"\n")
	s := start(t, Options{TokensFile: file})
	numbers := httptest.NewServer(s.MetricsHandler())
	defer numbers.Close()
	for path, want := range map[string]int{"/metrics": 200, "/": 404, "/v1/models": 404, "/v1/infer?text=garden": 404} {
		answer, err := http.Get(numbers.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != want || want == 200 && !strings.Contains(string(body), "topoi_build_info") {
			t.Errorf("%s: %d", path, answer.StatusCode)
		}
	}
	if r := s.get("/metrics"); r.status != 401 {
		t.Errorf("at the main address: %d", r.status)
	}
}

func TestTokenFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	for content, want := range map[string]string{
		"":                               "tokens: there is no token",
		"# nobody\n":                     "tokens: there is no token",
		"\nsecret alice\n":               "tokens:2: expected a SHA-256 hash",
		HashToken("x", "a")[1:] + "\n":   "tokens:1: expected a SHA-256 hash",
		HashToken("x", "a") + "\nabcd\n": "tokens:2: expected a SHA-256 hash",
	} {
		write(t, file, content)
		if _, err := openTokens(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", content, err, want)
		}
	}
	sum := sha256.Sum256([]byte("secret"))
	if list, err := parseTokens([]byte(HashToken("secret", "a b c"))); err != nil || len(list) != 1 || list[0] != sum {
		t.Errorf("got %v, %v", list, err)
	}
	for name, content := range map[string]string{ // as editors and shells of Windows write it
		"a mark and carriage returns": "\uFEFF# people\r\n" + HashToken("secret", "a") + "\r\n",
		"UTF-16":                      utf16Text(HashToken("secret", "a") + "\r\n"),
	} {
		if list, err := parseTokens([]byte(content)); err != nil || len(list) != 1 || list[0] != sum {
			t.Errorf("%s: got %v %v", name, list, err)
		}
	}
	if a, b := NewToken(), NewToken(); a == b || len(a) < 40 {
		t.Error("tokens are not random")
	}
}

// utf16Text returns text as PowerShell writes it into files.
func utf16Text(s string) string {
	text := []byte{0xFF, 0xFE}
	for _, c := range utf16.Encode([]rune(s)) {
		text = append(text, byte(c), byte(c>>8))
	}
	return string(text)
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// certify writes a certificate for 127.0.0.1 with a serial number, signed by itself.
func certify(t *testing.T, certFile, keyFile string, serial int64) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "topoi"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	write(t, certFile, string(public))
	write(t, keyFile, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(public)
	return pool
}

// TLS with a real certificate, HTTP/2 included, which is replaced while the server runs.
func TestTLS(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	pool := certify(t, certFile, keyFile, 7)
	s := start(t, Options{CertFile: certFile, KeyFile: keyFile, Reload: -1})
	ask := func(pool *x509.CertPool) (*http.Response, error) {
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
		defer transport.CloseIdleConnections()
		r, _ := http.NewRequest("POST", s.url+"/v1/infer", strings.NewReader("\"garden\"\n\"soil\"\n"))
		r.Header.Set("Content-Type", "application/x-ndjson")
		answer, err := transport.RoundTrip(r)
		if err == nil {
			answer.Body.Close()
		}
		return answer, err
	}
	answer, err := ask(pool)
	if err != nil || answer.StatusCode != 200 || answer.ProtoMajor != 2 || answer.TLS.PeerCertificates[0].SerialNumber.Int64() != 7 {
		t.Fatalf("got %v, %v", answer, err)
	}
	if _, err := ask(x509.NewCertPool()); err == nil {
		t.Error("a certificate of nobody is taken")
	}
	if _, err := (&tls.Dialer{Config: &tls.Config{RootCAs: pool, MaxVersion: tls.VersionTLS11}}).Dial("tcp", strings.TrimPrefix(s.url, "https://")); err == nil {
		t.Error("TLS 1.1 is spoken")
	}
	next := certify(t, certFile, keyFile, 8)
	s.Reload()
	if answer, err = ask(next); err != nil || answer.TLS.PeerCertificates[0].SerialNumber.Int64() != 8 {
		t.Errorf("after a change: %v", err)
	}
	write(t, keyFile, "broken")
	s.Reload()
	if _, err := ask(next); err != nil {
		t.Errorf("a broken key ends TLS: %v", err)
	}
	if _, err := New(Options{Models: []Source{{"stories", model(t)}}, CertFile: certFile, KeyFile: keyFile}); err == nil || !strings.Contains(err.Error(), "cannot be used") {
		t.Errorf("got %v", err)
	}
}

// Scripts of other pages may read answers only if they were allowed to.
func TestOrigins(t *testing.T) {
	const page, stranger = "https://example.org", "https://evil.example"
	ask := func(s *running, method, origin string) http.Header {
		return s.ask(method, "/v1/models", "", "Origin", origin, "Access-Control-Request-Method", "POST").header
	}
	s := start(t, Options{})
	for _, method := range []string{"GET", "OPTIONS"} {
		for name := range ask(s, method, page) {
			if strings.HasPrefix(name, "Access-Control") {
				t.Errorf("%s: %s unasked", method, name)
			}
		}
	}
	s = start(t, Options{Origins: []string{page}})
	if h := ask(s, "GET", page); h.Get("Access-Control-Allow-Origin") != page || h.Get("Vary") != "Origin" {
		t.Errorf("got %v", h)
	}
	if h := ask(s, "OPTIONS", page); h.Get("Access-Control-Allow-Origin") != page || !strings.Contains(h.Get("Access-Control-Allow-Headers"), "Authorization") || h.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("got %v", h)
	}
	for _, method := range []string{"GET", "OPTIONS"} {
		if h := ask(s, method, stranger); h.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %v", method, h)
		}
	}
	s = start(t, Options{Origins: []string{"*"}})
	if h := ask(s, "GET", stranger); h.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("got %v", h)
	}
	for _, origin := range []string{"example.org", "https://example.org/", "ftp://example.org", "https://"} {
		if err := (Options{Models: []Source{{"m", "m"}}, Origins: []string{origin}}).Validate(); err == nil {
			t.Errorf("%s is taken for an origin", origin)
		}
	}
}

// A page under a name that was pointed at this machine cannot ask.
func TestHosts(t *testing.T) {
	s := start(t, Options{Hosts: []string{"topics.example.org"}})
	for host, status := range map[string]int{
		"localhost": 200, "localhost:8080": 200, "LOCALHOST": 200, "127.0.0.1:1": 200, "[::1]:80": 200, "10.0.0.7": 200, "topics.example.org": 200, "Topics.Example.org.:443": 200,
		"evil.example": 421, "localhost.evil.example": 421, "topics.example.org.evil.example:8080": 421,
	} {
		if r := s.get("/v1/models", "Host", host); r.status != status {
			t.Errorf("%s: got %d %s", host, r.status, r.body)
		}
	}
	if r := start(t, Options{}).get("/v1/models", "Host", "anything"); r.status != 200 {
		t.Error(r)
	}
}

// Nothing of the training documents is told if it must not be.
func TestNoDocuments(t *testing.T) {
	s := start(t, Options{NoDocuments: true})
	for _, r := range []reply{s.get("/"), s.postJSON("/v1/similar", `{"documents":["garden"]}`)} {
		if r.status != 404 || r.code() != "no_documents" {
			t.Errorf("got %d %.200s", r.status, r.body)
		}
	}
	if r := s.get("/v1/models"); !strings.Contains(r.body, `"similar":false`) {
		t.Error(r.body)
	}
}
