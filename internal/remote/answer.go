package remote

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"github.com/topoi-lda/topoi/internal/objects"
)

// head asks for what the store says about an object.
func (p place) head() (*http.Response, error) {
	answer, err := p.send(until(), call{method: http.MethodHead, header: p.sums()})
	if err != nil {
		return nil, err
	}
	answer.Body.Close()
	if fault := p.foreign(answer.Header); fault != nil {
		return nil, fault
	}
	return answer, nil
}

// foreign returns the error about an answer of success that no store gives: each sends an ETag with an object. A proxy
// that wants a login answers with a page of its own.
func (p place) foreign(header http.Header) error {
	if p.web || header.Get("ETag") != "" {
		return nil
	}
	msg := fmt.Sprintf("the answer is no object but something else (%s)",
		cmp.Or(header.Get("Content-Type"), "without a type"))
	return &objects.Fault{Path: p.path, Msg: msg, Hint: elsewhere}
}

// elsewhere is the remedy for answers that come from somebody else than the store.
const elsewhere = "see whether a proxy or a login page answers in place of the store"

// bare returns an ETag as different answers of one store have it: with quotes or without.
func bare(etag string) string { return strings.Trim(strings.TrimPrefix(etag, "W/"), `"`) }

// sums returns the headers by which a store adds checksums to what it says about an object.
func (p place) sums() map[string]string {
	if _, ok := p.in.(*amazon); ok {
		return map[string]string{"X-Amz-Checksum-Mode": "ENABLED"}
	}
	return nil
}
