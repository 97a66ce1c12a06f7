// Package remote reads and writes what is not on this machine: objects of Amazon S3 and of the stores that speak its
// protocol (s3://BUCKET/KEY), of Google (gs://BUCKET/KEY) and Azure (az://CONTAINER/NAME), and, for reading alone,
// files of web servers (https://…). The client is a small one of its own: see docs/internals/design.md.
package remote

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// Is reports whether a path is that of a remote object rather than of a file.
func Is(path string) bool {
	scheme, _, found := strings.Cut(path, "://")
	switch scheme {
	case "s3", "gs", "az", "abfs", "abfss", "http", "https":
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

// service is a kind of store: what one of them does differently from others.
type service interface {
	// address returns the URL of an object, or that of its bucket if it has no key.
	address(p place) string
	// authorize shows the store who asks. Without credentials, what is public can be read.
	authorize(r *http.Request) error
	// credentials says how to give topoi credentials.
	credentials() string

	// listing returns the query for the objects whose keys begin with a prefix, from a mark on.
	listing(prefix, mark string) url.Values
	// entries reads an answer to it: the objects, with keys as paths, and the mark to go on from, "" at the end.
	entries(page io.Reader) (list []Info, mark string, err error)

	// seal returns the headers of an upload by which the store compares the content.
	seal(data []byte) map[string]string
	// begin begins an upload in parts and returns its name; segment returns the query of a part.
	begin(p place) (upload string, err error)
	segment(upload string, number int) url.Values
	// finish makes an object of the parts of a file; cancel gives the upload up.
	finish(p place, upload string, parts []part, f *os.File) error
	cancel(p place, upload string)
}

// place is where an object is.
type place struct {
	path        string // as the user wrote it
	bucket, key string
	web         bool    // a file of a web server
	in          service // nil: a web server
}

// locate takes a path apart.
func locate(path string) (place, error) {
	scheme, rest, _ := strings.Cut(path, "://")
	p := place{path: path}
	p.bucket, p.key, _ = strings.Cut(rest, "/")
	switch scheme {
	case "s3":
		p.in = settings()
	case "gs":
		p.in = googleSettings()
	case "az", "abfs", "abfss":
		container, host, _ := strings.Cut(p.bucket, "@")
		p.in, p.bucket = azureSettings().at(host), container
		if azureSettings().account == "" && host == "" {
			return p, &Fault{Path: path, Msg: "the storage account is not known", Hint: "set AZURE_STORAGE_ACCOUNT, or write abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/NAME"}
		}
	default:
		p.web = true
	}
	if p.bucket == "" {
		return p, &Fault{Path: path, Msg: "the bucket or host is missing", Hint: "write s3://BUCKET/KEY, gs://BUCKET/KEY, az://CONTAINER/NAME or https://HOST/FILE"}
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

// request makes a request, which is not signed yet.
func (p place) request(c call) (*http.Request, error) {
	address := p.path
	if !p.web {
		address = p.in.address(p)
		if len(c.query) > 0 {
			address += "?" + canonical(c.query)
		}
	}
	r, err := http.NewRequest(c.method, address, nil)
	if err != nil || r.URL.Host == "" {
		return nil, &Fault{Path: p.path, Msg: "the address is not a valid URL", Hint: "write https://HOST/FILE, and the address of a store as https://HOST:PORT"}
	}
	for name, value := range c.header {
		r.Header.Set(name, value)
	}
	return r, nil
}

// canonical writes parameters as signatures want them: sorted, each with an =.
func canonical(query url.Values) string {
	return strings.ReplaceAll(query.Encode(), "+", "%20")
}
