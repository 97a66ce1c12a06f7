// Package remote reads and writes what is not on this machine: objects of Amazon S3 and of the stores that speak its
// protocol (s3://BUCKET/KEY), and, for reading alone, files of web servers (https://…). The client is a small one of
// its own: see docs/internals/design.md.
package remote

import (
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Is reports whether a path is that of a remote object rather than of a file.
func Is(path string) bool {
	scheme, _, found := strings.Cut(path, "://")
	switch scheme {
	case "s3", "http", "https", "gs", "az", "abfs", "abfss": // some of them to be refused clearly
		return found
	}
	return false
}

// Info is what a store says about an object.
type Info struct {
	Path string // as Open takes it
	Size int64
	ETag string // changes with the content
}

// place is where an object is.
type place struct {
	path        string // as the user wrote it
	web         bool   // a file of a web server
	bucket, key string
}

// locate takes a path apart.
func locate(path string) (place, error) {
	scheme, rest, _ := strings.Cut(path, "://")
	p := place{path: path, web: strings.HasPrefix(scheme, "http")}
	p.bucket, p.key, _ = strings.Cut(rest, "/")
	switch {
	case !p.web && scheme != "s3":
		return p, &Fault{Path: path, Msg: "topoi does not speak the protocol " + scheme + "://", Hint: "s3:// and, for reading, https:// are known: " +
			"Google's buckets are read as s3:// with AWS_ENDPOINT_URL=https://storage.googleapis.com and an HMAC key, Azure's blobs by https:// with a signature"}
	case p.bucket == "":
		return p, &Fault{Path: path, Msg: "the bucket or host is missing", Hint: "write s3://BUCKET/KEY or https://HOST/FILE"}
	}
	return p, nil
}

// Name is the path without what may be secret in it: the query of a URL may hold a signature.
func Name(path string) string {
	if !strings.HasPrefix(path, "http") {
		return path
	}
	path, _, _ = strings.Cut(path, "?")
	if scheme, rest, _ := strings.Cut(path, "://"); strings.Contains(rest, "@") {
		return scheme + "://" + rest[strings.LastIndex(rest, "@")+1:]
	}
	return path
}

// request makes a signed request. Buckets are part of the path, as every store understands.
func (p place) request(c call) (*http.Request, error) {
	address := p.path
	if !p.web {
		address = strings.TrimSuffix(settings().endpoint, "/") + escape("/"+p.bucket+"/"+p.key)
		if len(c.query) > 0 {
			address += "?" + canonical(c.query)
		}
	}
	r, err := http.NewRequest(c.method, address, nil)
	if err != nil || r.URL.Host == "" {
		return nil, &Fault{Path: p.path, Msg: "the address is not a valid URL", Hint: "write https://HOST/FILE, and AWS_ENDPOINT_URL as https://HOST:PORT"}
	}
	for name, value := range c.header {
		r.Header.Set(name, value)
	}
	return r, nil
}

// authorize signs a request to a store. Without credentials, what is public can be read.
func (p place) authorize(r *http.Request) error {
	if p.web {
		return nil
	}
	who, err := settings().credentials(r.Context())
	if err == nil && who.id != "" {
		sign(r, who, settings().region, time.Now())
	}
	return err
}

// canonical writes parameters as signatures want them: sorted, each with an =.
func canonical(query url.Values) string {
	return strings.ReplaceAll(query.Encode(), "+", "%20")
}
