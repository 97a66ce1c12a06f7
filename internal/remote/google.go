package remote

import (
	"cmp"
	"context"
	"crypto"
	"crypto/md5"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// google is Google Cloud Storage, asked in the form that is Amazon's (its XML API).
type google struct {
	s3
	endpoint string
	keys     keys
}

// googleRegion is the region in signatures: Google takes any.
var googleRegion = "auto"

// googleSettings reads the environment once.
var googleSettings = sync.OnceValue(readGoogle)

func readGoogle() *google {
	endpoint := os.Getenv("STORAGE_EMULATOR_HOST")
	if endpoint != "" && !strings.Contains(endpoint, "://") {
		endpoint = "http://" + endpoint
	}
	return &google{endpoint: cmp.Or(endpoint, "https://storage.googleapis.com")}
}

func (g *google) address(p place) string { return inPath(g.endpoint, p) }

func (g *google) authorize(r *http.Request) error {
	r.Header.Set("Accept-Encoding", "gzip") // what is stored, not what is packed in it
	who, err := g.keys.get(r.Context(), g.find)
	switch {
	case err != nil:
		return err
	case who.id != "":
		sign(r, who, googleRegion, time.Now())
	case who.token != "":
		r.Header.Set("Authorization", "Bearer "+who.token)
	}
	return nil
}

func (g *google) credentials() string {
	return "set GOOGLE_APPLICATION_CREDENTIALS to the key file of an account that may use this bucket"
}

func (g *google) seal(data []byte) map[string]string { return sealMD5(data) }

func sealMD5(data []byte) map[string]string {
	sum := md5.Sum(data)
	return map[string]string{"Content-Md5": base64.StdEncoding.EncodeToString(sum[:])}
}

// find returns an HMAC key of the environment, or a token: by the file that GOOGLE_APPLICATION_CREDENTIALS names, by
// that of gcloud's login, or of the machine. Elsewhere there are none.
func (g *google) find(ctx context.Context) (credentials, error) {
	if id, secret := os.Getenv("GS_ACCESS_KEY_ID"), os.Getenv("GS_SECRET_ACCESS_KEY"); id != "" && secret != "" {
		return credentials{id: id, secret: secret}, nil
	}
	named := os.Getenv("GOOGLE_APPLICATION_CREDENTIALS")
	folder := cmp.Or(os.Getenv("CLOUDSDK_CONFIG"), filepath.Join(os.Getenv("HOME"), ".config", "gcloud"))
	text, err := os.ReadFile(cmp.Or(named, filepath.Join(folder, "application_default_credentials.json")))
	switch {
	case err == nil:
		return fromGoogleFile(ctx, text)
	case named != "":
		return credentials{}, err
	case os.Getenv("STORAGE_EMULATOR_HOST") != "":
		return credentials{}, nil
	}
	host := cmp.Or(os.Getenv("GCE_METADATA_HOST"), "metadata.google.internal")
	ctx, stop := context.WithTimeout(ctx, 2*time.Second)
	defer stop()
	address := "http://" + host + "/computeMetadata/v1/instance/service-accounts/default/token"
	c, err := askToken(ctx, address, nil, "Metadata-Flavor", "Google")
	if err != nil {
		return credentials{}, nil // this is no machine of Google's, or it has no account
	}
	return c, nil
}

// fromGoogleFile gets a token by a file: with the key of a service account, or with what a login left.
func fromGoogleFile(ctx context.Context, text []byte) (credentials, error) {
	var file struct {
		Type    string
		Email   string `json:"client_email"`
		Key     string `json:"private_key"`
		KeyID   string `json:"private_key_id"`
		Token   string `json:"token_uri"`
		ID      string `json:"client_id"`
		Secret  string `json:"client_secret"`
		Refresh string `json:"refresh_token"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return credentials{}, errors.New("the file of Google's credentials is not JSON")
	}
	address := cmp.Or(file.Token, "https://oauth2.googleapis.com/token")
	switch file.Type {
	case "authorized_user":
		form := url.Values{
			"grant_type": {"refresh_token"}, "refresh_token": {file.Refresh},
			"client_id": {file.ID}, "client_secret": {file.Secret},
		}
		return askToken(ctx, address, form, "Accept", "application/json")
	case "service_account":
		assertion, err := googleAssertion(file.Email, file.Key, file.KeyID, address, time.Now())
		if err != nil {
			return credentials{}, err
		}
		form := url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:jwt-bearer"}, "assertion": {assertion}}
		return askToken(ctx, address, form, "Accept", "application/json")
	}
	return credentials{}, fmt.Errorf("the type %q of Google's credentials is not known: "+
		"service_account and authorized_user are", file.Type)
}

// googleAssertion returns the signed statement (a JWT, RFC 7523) that an account wants to use the store.
func googleAssertion(email, key, id, audience string, now time.Time) (string, error) {
	block, _ := pem.Decode([]byte(key))
	if block == nil {
		return "", errors.New("the file of Google's credentials holds no private key")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	private, ok := parsed.(*rsa.PrivateKey)
	if err != nil || !ok {
		return "", errors.New("the private key in the file of Google's credentials cannot be read")
	}
	head, _ := json.Marshal(map[string]string{"alg": "RS256", "typ": "JWT", "kid": id})
	claims, _ := json.Marshal(map[string]any{
		"iss": email, "aud": audience, "scope": "https://www.googleapis.com/auth/devstorage.read_write",
		"iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	})
	text := base64.RawURLEncoding.EncodeToString(head) + "." + base64.RawURLEncoding.EncodeToString(claims)
	digest := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, private, crypto.SHA256, digest[:])
	return text + "." + base64.RawURLEncoding.EncodeToString(signature), err
}
