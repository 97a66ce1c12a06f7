package remote

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/topoi-lda/topoi/internal/objects"
)

// service is a kind of store: what one of them does differently from others.
type service interface {
	// address returns the URL of an object, or that of its bucket if it has no key.
	address(p place) string
	// authorize shows the store who asks. Without credentials, what is public can be read.
	authorize(r *http.Request) error
	// credentials returns how to give topoi credentials.
	credentials() string

	// listing returns the query for the objects whose keys begin with a prefix, from a mark on.
	listing(prefix, mark string) url.Values
	// entries reads an answer to it: the objects, with keys as paths, and the mark to go on from, "" at the end.
	entries(page io.Reader) (list []objects.Info, mark string, err error)

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

// part is one of an upload, as a store wants to hear of it.
type part struct {
	PartNumber     int
	ETag           string
	ChecksumCRC32C string `xml:",omitempty"`

	md5 []byte
}

// call is a request that can be made again.
type call struct {
	method string
	query  url.Values
	header map[string]string
	body   []byte
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
		return nil, &objects.Fault{
			Path: p.path, Msg: "the address is not a valid URL",
			Hint: "write https://HOST/FILE, and the address of a store as https://HOST:PORT",
		}
	}
	for name, value := range c.header {
		r.Header.Set(name, value)
	}
	return r, nil
}

// canonical writes parameters as signatures want them: sorted, each with an =.
func canonical(query url.Values) string { return strings.ReplaceAll(query.Encode(), "+", "%20") }
