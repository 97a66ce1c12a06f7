package remote

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// amazon holds the settings for S3 from environment and files, in the order of Amazon's own programs.
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
	endpoint := cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), p["endpoint_url"],
		"https://s3."+region+".amazonaws.com")
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
		return credentials{id: id, secret: s.profile["aws_secret_access_key"], token: s.profile["aws_session_token"]},
			nil
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
