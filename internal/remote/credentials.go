package remote

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
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

// amazon is what environment and files say about S3, in the order of Amazon's own programs.
type amazon struct {
	s3
	endpoint, region string
	profile          map[string]string
	keys             keys
}

func (a *amazon) address(p place) string { return inPath(a.endpoint, p) }

func (a *amazon) authorize(r *http.Request) error {
	if r.Header.Get("Range") != "" {
		r.Header.Set("X-Amz-Checksum-Mode", "ENABLED")
	}
	who, err := a.keys.get(r.Context(), a.find)
	if err == nil && who.id != "" {
		sign(r, who, a.region, time.Now())
	}
	return err
}

func (a *amazon) credentials() string {
	return "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, to credentials that may use this bucket"
}

// settings reads environment and files once.
var settings = sync.OnceValue(func() *amazon {
	name, home := cmp.Or(os.Getenv("AWS_PROFILE"), "default"), os.Getenv("HOME")
	p := map[string]string{}
	readProfile(cmp.Or(os.Getenv("AWS_CONFIG_FILE"), filepath.Join(home, ".aws", "config")), name, p)
	readProfile(cmp.Or(os.Getenv("AWS_SHARED_CREDENTIALS_FILE"), filepath.Join(home, ".aws", "credentials")), name, p)
	region := cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"), p["region"], "us-east-1")
	endpoint := cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), p["endpoint_url"], "https://s3."+region+".amazonaws.com")
	return &amazon{s3: s3{opening: amazonUpload}, endpoint: endpoint, region: region, profile: p}
})

// readProfile adds what a file says about a profile. A file that is not there says nothing.
func readProfile(path, name string, into map[string]string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	mine := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			mine = strings.TrimSpace(strings.TrimPrefix(strings.Trim(line, "[]"), "profile ")) == name
		} else if key, value, ok := strings.Cut(line, "="); ok && mine && line[0] != '#' {
			into[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
}

// find returns the first of the credentials in the environment, in files, of the container or the machine; empty ones
// if there are none.
func (s *amazon) find(ctx context.Context) (credentials, error) {
	get := os.Getenv
	if id, secret := get("AWS_ACCESS_KEY_ID"), get("AWS_SECRET_ACCESS_KEY"); id != "" && secret != "" {
		return credentials{id: id, secret: secret, token: get("AWS_SESSION_TOKEN")}, nil
	}
	if id := s.profile["aws_access_key_id"]; id != "" {
		return credentials{id: id, secret: s.profile["aws_secret_access_key"], token: s.profile["aws_session_token"]}, nil
	}
	address := get("AWS_CONTAINER_CREDENTIALS_FULL_URI")
	if relative := get("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"); address == "" && relative != "" {
		address = "http://169.254.170.2" + relative
	}
	if address != "" { // the service beside a container (ECS, EKS)
		token, err := get("AWS_CONTAINER_AUTHORIZATION_TOKEN"), error(nil)
		if file := get("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"); file != "" {
			var text []byte
			text, err = os.ReadFile(file)
			token = strings.TrimSpace(string(text))
		}
		if err != nil {
			return credentials{}, err
		}
		return askRole(ctx, address, "Authorization", token)
	}
	if !strings.Contains(s.endpoint, ".amazonaws.com") || get("AWS_EC2_METADATA_DISABLED") == "true" {
		return credentials{}, nil
	}
	return fromMachine(ctx)
}

// fromMachine asks the metadata service of a machine at Amazon (IMDSv2). Elsewhere nobody answers.
func fromMachine(ctx context.Context) (credentials, error) {
	const roles, header = "/latest/meta-data/iam/security-credentials/", "X-Aws-Ec2-Metadata-Token"
	host := cmp.Or(os.Getenv("AWS_EC2_METADATA_SERVICE_ENDPOINT"), "http://169.254.169.254")
	ctx, stop := context.WithTimeout(ctx, 2*time.Second)
	defer stop()
	token, err := ask(ctx, http.MethodPut, host+"/latest/api/token", nil, header+"-Ttl-Seconds", "21600")
	if err != nil {
		return credentials{}, nil // this is no such machine
	}
	role, err := ask(ctx, http.MethodGet, host+roles, nil, header, string(token))
	if err != nil {
		return credentials{}, nil // it has no role
	}
	return askRole(ctx, host+roles+strings.TrimSpace(string(role)), header, string(token))
}

func askRole(ctx context.Context, address, header, value string) (credentials, error) {
	text, err := ask(ctx, http.MethodGet, address, nil, header, value)
	var c struct {
		AccessKeyId, SecretAccessKey, Token string
		Expiration                          time.Time
	}
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	return credentials{c.AccessKeyId, c.SecretAccessKey, c.Token, c.Expiration}, err
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
