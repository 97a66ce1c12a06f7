package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/objects"
)

// stall is how long a store may keep silent.
const stall = time.Minute

// tries is how often a request is made, within about half a minute.
var tries = 8

var client = sync.OnceValue(func() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost, t.ResponseHeaderTimeout, t.DisableCompression = 32, stall, true
	return &http.Client{Transport: t, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		// A signed request must not reach another host.
		if h := via[0].Header; h.Get("Authorization")+h.Get("X-Ms-Version") != "" || len(via) > 9 {
			return http.ErrUseLastResponse
		}
		return nil
	}}
})

// send makes a request until the store has answered it, and returns an answer of success.
func (p place) send(ctx context.Context, c call) (*http.Response, error) {
	for try := 1; ; try++ {
		r, err := p.request(c)
		if err != nil {
			return nil, err
		}
		r = r.WithContext(ctx)
		if len(c.body) > 0 {
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(c.body)), int64(len(c.body))
		}
		if !p.web {
			if err := p.in.authorize(r); errors.Is(err, context.Canceled) {
				return nil, err
			} else if err != nil {
				msg := fmt.Sprintf("the credentials could not be read (%v)", explain(err))
				return nil, &objects.Fault{Path: p.path, Msg: msg, Hint: p.in.credentials()}
			}
		}
		answer, err := client().Do(r)
		again := err != nil
		if err == nil {
			if answer.StatusCode < 300 {
				return answer, nil
			}
			again, err = p.refused(answer)
		}
		if !again || try == tries || ctx.Err() != nil {
			return nil, p.fault(err)
		}
		pause(ctx, try)
	}
}

// do makes a request whose answer says nothing else.
func (p place) do(c call) error {
	answer, err := p.send(until(), c)
	if err == nil {
		answer.Body.Close()
	}
	return err
}

// pause waits before the next try: longer after each one, and by a random time, so that clients do not come together.
func pause(ctx context.Context, try int) {
	longest := min(100*time.Millisecond<<try, 8*time.Second)
	select {
	case <-time.After(longest/2 + rand.N(longest/2)):
	case <-ctx.Done():
	}
}

// refused reads an answer that is no success, and says whether to ask again.
func (p place) refused(answer *http.Response) (again bool, err error) {
	defer answer.Body.Close()
	var said struct{ Code, Message string }
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 1<<14))
	_ = xml.Unmarshal(text, &said) // other servers answer with a page
	code := answer.StatusCode
	f := &objects.Fault{Path: p.path, Status: code, Hint: "check the path"}
	f.Msg = fmt.Sprintf("the store answered %d %s", code, cmp.Or(said.Code, http.StatusText(code)))
	if message, _, _ := strings.Cut(said.Message, "\n"); message != "" {
		f.Msg += " (" + strings.TrimSuffix(message, ".") + ")"
	}
	switch region := answer.Header.Get("X-Amz-Bucket-Region"); {
	case region != "" && region != settings().region:
		f.Hint = "the bucket is in another region: set AWS_REGION=" + region
	case p.web && (code == http.StatusUnauthorized || code == http.StatusForbidden):
		f.Hint = "the server wants a signed URL"
	case code == http.StatusForbidden || code == http.StatusUnauthorized:
		f.Hint = p.in.credentials()
	case code == http.StatusPreconditionFailed:
		f.Msg, f.Hint = changed, "run the command again"
	case code == http.StatusTooManyRequests || code == http.StatusRequestTimeout || code >= 500:
		f.Hint = "try again later"
		return true, f
	}
	return said.Code == "RequestTimeout", f
}

const changed = "the object was changed while it was read"

// fault makes a sentence of an error of the network.
func (p place) fault(err error) error {
	if _, ok := errors.AsType[*objects.Fault](err); ok {
		return err
	}
	if errors.Is(err, context.Canceled) {
		return context.Canceled // without the URL, which may hold a signature
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // the URL may hold a signature
	}
	msg := fmt.Sprintf("the store does not answer (%v)", err)
	return &objects.Fault{Path: p.path, Msg: msg, Hint: "check the network and the address of the store"}
}

// read fills a slice with the content of an answer. It gives up when nothing comes for long.
func read(answer *http.Response, to []byte) (n int, err error) {
	timer := time.AfterFunc(stall, func() { answer.Body.Close() })
	defer answer.Body.Close()
	defer timer.Stop()
	for m := 0; n < len(to) && err == nil; n += m {
		m, err = answer.Body.Read(to[n:])
		timer.Reset(stall)
	}
	return n, err
}
