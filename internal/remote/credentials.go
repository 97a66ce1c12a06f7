package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// credentials say who asks a store.
type credentials struct {
	id, secret, token string
	until             time.Time // zero: they do not expire
}

// keys keeps the credentials of a store. Those that expire are asked for again five minutes before.
type keys struct {
	mutex sync.Mutex
	known *credentials
}

func (k *keys) get(ctx context.Context, find func(context.Context) (credentials, error)) (c credentials, err error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.known == nil || !k.known.until.IsZero() && time.Until(k.known.until) < 5*time.Minute {
		if c, err = find(ctx); err != nil {
			return c, err
		}
		k.known = &c
	}
	return *k.known, nil
}

// askToken asks for a token as OAuth does. Without a form it is a service of the machine that is asked.
func askToken(ctx context.Context, address string, form url.Values, header, value string) (credentials, error) {
	method := http.MethodPost
	if form == nil {
		method = http.MethodGet
	}
	text, err := ask(ctx, method, address, form, header, value)
	var c struct {
		Token string      `json:"access_token"`
		In    json.Number `json:"expires_in"`
		On    json.Number `json:"expires_on"`
	}
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	until := time.Now().Add(time.Hour)
	if seconds, fault := c.In.Int64(); fault == nil {
		until = time.Now().Add(time.Duration(seconds) * time.Second)
	} else if seconds, fault := c.On.Int64(); fault == nil {
		until = time.Unix(seconds, 0)
	}
	return credentials{token: c.Token, until: until}, err
}

// ask makes one small request. Its errors say nothing of what was sent.
func ask(ctx context.Context, method, address string, form url.Values, header, value string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, errors.New("the address of the service that gives credentials is not a URL")
	}
	if r.Header.Set(header, value); form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := client().Do(r)
	if u, ok := errors.AsType[*url.Error](err); ok {
		return nil, fmt.Errorf("%s: %w", r.URL.Host, u.Err)
	} else if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answered %s", r.URL.Host, answer.Status)
	}
	return io.ReadAll(io.LimitReader(answer.Body, 1<<20))
}
