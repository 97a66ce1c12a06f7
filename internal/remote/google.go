package remote

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"cloud.google.com/go/compute/metadata"
	"github.com/aws/aws-sdk-go-v2/aws"
	"golang.org/x/oauth2"
	googleauth "golang.org/x/oauth2/google"
)

// google is Google Cloud Storage, asked in the form that is Amazon's (its XML API).
type google struct {
	s3
	endpoint string
	key      aws.Credentials // an HMAC key of the environment, if it has one
	fault    error           // what is wrong with the environment; every request says so

	mutex  sync.Mutex
	tokens oauth2.TokenSource // gives the same token until it expires
	public bool               // there are no credentials: requests read what is public
}

// googleRegion is the region in signatures: Google takes any.
var googleRegion = "auto"

// googleScope is what tokens are for.
const googleScope = "https://www.googleapis.com/auth/devstorage.read_write"

// googleSettings reads the environment once.
var googleSettings = sync.OnceValue(readGoogle)

func readGoogle() *google {
	endpoint := os.Getenv("STORAGE_EMULATOR_HOST")
	if endpoint != "" && !strings.Contains(endpoint, "://") {
		endpoint = "http://" + endpoint
	}
	return &google{
		endpoint: cmp.Or(endpoint, "https://storage.googleapis.com"),
		key:      aws.Credentials{AccessKeyID: os.Getenv("GS_ACCESS_KEY_ID"), SecretAccessKey: os.Getenv("GS_SECRET_ACCESS_KEY")},
		fault:    halfSet("GS_ACCESS_KEY_ID", "GS_SECRET_ACCESS_KEY"),
	}
}

func (g *google) address(p place) string { return inPath(g.endpoint, p) }

func (g *google) authorize(r *http.Request) error {
	// What is stored is asked for, not what is packed in it. Google's servers change this header, so it is not signed.
	defer r.Header.Set("Accept-Encoding", "gzip")
	if g.fault != nil {
		return g.fault
	}
	if g.key.HasKeys() {
		return sign(r, g.key, googleRegion)
	}
	token, err := g.token(r.Context())
	if err == nil && token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return err
}

func (g *google) credentials() string {
	return "set GOOGLE_APPLICATION_CREDENTIALS to the key file of an account that may use this bucket"
}

func (g *google) seal(data []byte) map[string]string { return sealMD5(data) }

func sealMD5(data []byte) map[string]string {
	sum := md5.Sum(data)
	return map[string]string{"Content-Md5": base64.StdEncoding.EncodeToString(sum[:])}
}

// token returns a token, and none where nothing was configured and the machine has no account.
func (g *google) token(ctx context.Context) (string, error) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.public {
		return "", nil
	}
	if g.tokens == nil {
		tokens, err := googleTokens(ctx)
		if err != nil {
			return "", err
		}
		g.tokens, g.public = tokens, tokens == nil
		if g.public {
			return "", nil
		}
	}
	token, err := g.tokens.Token()
	if err != nil {
		return "", err
	}
	return token.AccessToken, nil
}

// googleTokens gets tokens by the file that GOOGLE_APPLICATION_CREDENTIALS names, by that of gcloud's login, or of the
// machine. Elsewhere it returns nil.
func googleTokens(ctx context.Context) (oauth2.TokenSource, error) {
	named := os.Getenv("GOOGLE_APPLICATION_CREDENTIALS")
	name := cmp.Or(named, filepath.Join(gcloudFolder(), "application_default_credentials.json"))
	text, err := os.ReadFile(name)
	switch {
	case err == nil:
		return fromGoogleFile(name, text)
	case named != "" || !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case os.Getenv("STORAGE_EMULATOR_HOST") != "":
		return nil, nil
	}
	ctx, stop := context.WithTimeout(ctx, machineAnswers)
	defer stop()
	if !metadata.NewClient(client()).OnGCEWithContext(ctx) {
		return nil, nil
	}
	tokens := googleauth.ComputeTokenSource("", googleScope)
	if _, err := tokens.Token(); err != nil {
		return nil, nil // the machine has no account
	}
	return tokens, nil
}

// gcloudFolder returns where Google's own program keeps what a login left.
func gcloudFolder() string {
	if folder := os.Getenv("CLOUDSDK_CONFIG"); folder != "" {
		return folder
	}
	if runtime.GOOS == "windows" {
		return filepath.Join(os.Getenv("APPDATA"), "gcloud")
	}
	return filepath.Join(os.Getenv("HOME"), ".config", "gcloud")
}

// fromGoogleFile gets tokens by a file: with the key of a service account, with what a login left, by the identity that
// another provider gives (workload identity federation), or as an account that may be impersonated.
func fromGoogleFile(name string, text []byte) (oauth2.TokenSource, error) {
	var file struct{ Type googleauth.CredentialsType }
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s is not JSON", name)
	}
	params := googleauth.CredentialsParams{Scopes: []string{googleScope}}
	found, err := googleauth.CredentialsFromJSONWithTypeAndParams(until(), text, file.Type, params)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return found.TokenSource, nil
}
