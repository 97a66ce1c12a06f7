// Package client is a client for the HTTP server of topoi serve. It does not import package topoi, so that
// programs which use it stay small.
//
//	c, err := client.New("http://127.0.0.1:8080", client.Options{})
//	answer, err := c.Infer(ctx, []client.Document{{Text: "the striker scored"}}, client.InferOptions{Top: 3})
package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Client sends requests to one server. It is safe for use by many goroutines.
type Client struct {
	base    *url.URL
	options Options
}

// Options are the options of a client. The zero value suits a server that requires no token.
type Options struct {
	// Token is sent with every request. Default: none.
	Token string

	// HTTP sends the requests. Default: http.DefaultClient.
	HTTP *http.Client

	// Retries is how often a request is repeated if the server is too busy, after the time that the server
	// asks for. Default 3; negative: never.
	Retries int
}

// New returns a client for the server at an address such as http://127.0.0.1:8080.
func New(address string, o Options) (*Client, error) {
	base, err := url.Parse(address)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, fmt.Errorf("%q is not the address of a server: write it as http://127.0.0.1:8080", address)
	}
	base.Path = strings.TrimSuffix(base.Path, "/")
	if o.HTTP == nil {
		o.HTTP = http.DefaultClient
	}
	o.Retries = max(0, cmp.Or(o.Retries, 3))
	return &Client{base: base, options: o}, nil
}

// Error is an error that the server returned.
type Error struct {
	Status     int           // HTTP status
	Code       string        `json:"code"`  // one word, see docs/serving.md
	Message    string        `json:"error"` // one sentence
	Doc        *int          `json:"doc"`   // the document that caused it, or nil
	RetryAfter time.Duration // time after which to try again; 0 if that is useless
}

func (e *Error) Error() string {
	if e.Doc != nil {
		return fmt.Sprintf("document %d: %s (%s)", *e.Doc, e.Message, e.Code)
	}
	return fmt.Sprintf("%s (%s)", e.Message, e.Code)
}

// errorOf reads the error of an answer.
func errorOf(r *http.Response) *Error {
	e := &Error{}
	body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if json.Unmarshal(body, e) != nil || e.Message == "" {
		e.Code, e.Message = "unknown", fmt.Sprintf("the server answered %s, which topoi serve never sends", r.Status)
	}
	e.Status = r.StatusCode
	if seconds, err := strconv.Atoi(r.Header.Get("Retry-After")); err == nil {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	return e
}

// request sends a request.
func (c *Client) request(ctx context.Context, method, path string, query url.Values, kind string,
	body io.Reader,
) (*http.Request, error) {
	u := *c.base
	u.Path += path
	u.RawQuery = query.Encode()
	r, err := http.NewRequestWithContext(ctx, method, u.String(), body)
	if err != nil {
		return nil, err
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	if c.options.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.options.Token)
	}
	return r, nil
}

// call sends a request and decodes the answer into out. While the server is busy it waits and tries again.
func (c *Client) call(ctx context.Context, method, path string, query url.Values, in, out any) error {
	var body []byte
	kind := ""
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
		kind = "application/json"
	}
	for try := 0; ; try++ {
		err := c.once(ctx, method, path, query, kind, body, out)
		var e *Error
		if try == c.options.Retries || !errors.As(err, &e) || e.RetryAfter == 0 {
			return err
		}
		select {
		case <-time.After(e.RetryAfter):
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		}
	}
}

func (c *Client) once(ctx context.Context, method, path string, query url.Values, kind string, body []byte,
	out any,
) error {
	r, err := c.request(ctx, method, path, query, kind, bytes.NewReader(body))
	if err != nil {
		return err
	}
	answer, err := c.options.HTTP.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return errorOf(answer)
	}
	if out == nil {
		_, err = io.Copy(io.Discard, answer.Body)
	} else if err = json.NewDecoder(answer.Body).Decode(out); err != nil {
		err = fmt.Errorf("the answer cannot be read: %w", err)
	}
	return err
}

// Ready returns nil if the server accepts requests.
func (c *Client) Ready(ctx context.Context) error {
	return c.once(ctx, http.MethodGet, "/readyz", nil, "", nil, nil)
}
