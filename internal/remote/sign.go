package remote

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// unsigned stands for the body, which has a checksum in a header of its own.
const unsigned = "UNSIGNED-PAYLOAD"

// sign adds the headers that Amazon's Signature Version 4 demands. It signs the host and all headers x-amz-….
func sign(r *http.Request, c credentials, region string, now time.Time) {
	stamp := now.UTC().Format("20060102T150405Z")
	r.Header.Set("X-Amz-Date", stamp)
	r.Header.Set("X-Amz-Content-Sha256", unsigned)
	if c.token != "" {
		r.Header.Set("X-Amz-Security-Token", c.token)
	}
	names, lines := []string{"host"}, ""
	for name := range r.Header {
		if name = strings.ToLower(name); strings.HasPrefix(name, "x-amz-") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		value := r.URL.Host
		if name != "host" {
			value = strings.TrimSpace(r.Header.Get(name))
		}
		lines += name + ":" + value + "\n"
	}
	signed := strings.Join(names, ";")
	request := []string{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, lines, signed, unsigned}
	digest := sha256.Sum256([]byte(strings.Join(request, "\n")))
	scope := strings.Join([]string{stamp[:8], region, "s3", "aws4_request"}, "/")
	key := []byte("AWS4" + c.secret)
	statement := fmt.Sprintf("AWS4-HMAC-SHA256\n%s\n%s\n%x", stamp, scope, digest)
	for _, part := range append(strings.Split(scope, "/"), statement) {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(part))
		key = h.Sum(nil) // the last one is the signature
	}
	r.Header.Set("Authorization", fmt.Sprintf("AWS4-HMAC-SHA256 Credential=%s/%s,SignedHeaders=%s,Signature=%x",
		c.id, scope, signed, key))
}

// escape writes text as signatures want it in a URL: all but letters, digits and -_.~/ as %XX.
func escape(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.~/", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
