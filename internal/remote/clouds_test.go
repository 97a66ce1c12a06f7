package remote

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"
)

// use sets the environment of Google's and Azure's stores, and reads it again.
func use(t *testing.T, set map[string]string) {
	t.Helper()
	for _, name := range []string{
		"STORAGE_EMULATOR_HOST", "GS_ACCESS_KEY_ID", "GS_SECRET_ACCESS_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "CLOUDSDK_CONFIG", "GCE_METADATA_HOST", "HOME",
		"AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN", "AZURE_STORAGE_CONNECTION_STRING", "AZURE_STORAGE_SERVICE_ENDPOINT", "AZURE_CLIENT_ID",
		"AZURE_TENANT_ID", "AZURE_CLIENT_SECRET", "AZURE_FEDERATED_TOKEN_FILE", "AZURE_AUTHORITY_HOST", "IDENTITY_ENDPOINT", "IDENTITY_HEADER", "AZURE_POD_IDENTITY_AUTHORITY_HOST",
	} {
		t.Setenv(name, set[name])
		if set[name] == "" {
			os.Unsetenv(name) // Azure's library takes an empty value for one
		}
	}
	beforeGoogle, beforeAzure := googleSettings, azureSettings
	googleSettings, azureSettings = sync.OnceValue(readGoogle), sync.OnceValue(readAzure)
	known.Clear()
	opening.Clear()
	t.Cleanup(func() { googleSettings, azureSettings = beforeGoogle, beforeAzure })
}

// exercise does with a store what the program does.
func exercise(t *testing.T, root string) {
	t.Helper()
	for _, n := range []int{0, 1, blockSize + 1, 2*partSize + 5} {
		b := content(n)
		path := root + "a folder/ü+=%&'*,;:@!()~ " + fmt.Sprint(n)
		mustUpload(t, path, b)
		checkRead(t, path, b)
		if info, err := Stat(path); err != nil || info.Size != int64(n) || info.ETag == "" && n > 0 {
			t.Errorf("Stat says %+v, %v", info, err)
		}
	}
	list, err := List(root + "a fold")
	if err != nil || len(list) != 4 {
		t.Fatal(list, err)
	}
	for _, o := range list {
		known.Clear()
		if info, err := Stat(o.Path); err != nil || info != o {
			t.Errorf("the list says %+v, Stat %+v, %v", o, info, err)
		}
	}
	known.Clear()
	for path, want := range map[string]bool{root + "a folder": true, root: true, list[1].Path: false} {
		if got, err := IsFolder(path); got != want || err != nil {
			t.Errorf("%s is a folder: %v, %v", path, got, err)
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"a", "manifest.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second one removes the manifest first
		if err := Store(dir, root+"model", "manifest.json"); err != nil {
			t.Fatal(err)
		}
	}
	checkRead(t, root+"model/manifest.json", []byte("manifest.json"))
	if _, err := Stat(root + "nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing: %v", err)
	}
}

// refused checks that a store refuses, in one sentence that says what to set and holds no secret.
func refused(t *testing.T, path, hint string) {
	t.Helper()
	known.Clear()
	_, err := readAll(path)
	if err == nil || !strings.Contains(err.Error(), hint) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: got %v, want …%s…", path, err, hint)
	}
}

// keyFile writes the credentials of a service account, and starts the server that gives tokens for them.
func keyFile(t *testing.T) (file string) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	tokens := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		parts := strings.Split(r.PostFormValue("assertion"), ".")
		if r.PostFormValue("grant_type") != "urn:ietf:params:oauth:grant-type:jwt-bearer" || len(parts) != 3 {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
		signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
		text, _ := base64.RawURLEncoding.DecodeString(parts[1])
		var claims struct {
			Iss, Aud, Scope string
			Exp             int64
		}
		err := json.Unmarshal(text, &claims)
		if rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, digest[:], signature) != nil || err != nil || claims.Iss != "me@project" ||
			claims.Aud != "http://"+r.Host+"/token" || !strings.Contains(claims.Scope, "devstorage") || claims.Exp < time.Now().Unix() {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `{"access_token":"T1","expires_in":3599,"token_type":"Bearer"}`)
	}))
	t.Cleanup(tokens.Close)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(map[string]string{
		"type": "service_account", "client_email": "me@project", "token_uri": tokens.URL + "/token",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	})
	file = filepath.Join(t.TempDir(), "key.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Google's store is used with a key file, an HMAC key, or the account of the machine.
func TestGoogle(t *testing.T) {
	t.Run("key file", func(t *testing.T) {
		_, at := newCloud(t, false, bearer("T1"))
		use(t, map[string]string{"STORAGE_EMULATOR_HOST": at, "GOOGLE_APPLICATION_CREDENTIALS": keyFile(t)})
		exercise(t, "gs://bucket/")
	})
	t.Run("HMAC", func(t *testing.T) {
		_, at := newCloud(t, false, version4("GOOG1", "very/secret"))
		use(t, map[string]string{"STORAGE_EMULATOR_HOST": at, "GS_ACCESS_KEY_ID": "GOOG1", "GS_SECRET_ACCESS_KEY": "very/secret"})
		exercise(t, "gs://bucket/")
		use(t, map[string]string{"STORAGE_EMULATOR_HOST": at, "GS_ACCESS_KEY_ID": "GOOG1", "GS_SECRET_ACCESS_KEY": "other secret"})
		refused(t, "gs://bucket/x", "GOOGLE_APPLICATION_CREDENTIALS")
	})
	t.Run("HMAC, a real S3 server", func(t *testing.T) {
		f := server(t)
		use(t, map[string]string{"STORAGE_EMULATOR_HOST": f.address, "GS_ACCESS_KEY_ID": "user", "GS_SECRET_ACCESS_KEY": "very/secret+key"})
		googleRegion = "us-east-1" // Google takes any
		defer func() { googleRegion = "auto" }()
		exercise(t, "gs://bucket/")
	})
	t.Run("machine", func(t *testing.T) {
		metadata := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Metadata-Flavor") == "Google" && r.URL.Path == "/computeMetadata/v1/instance/service-accounts/default/token" {
				fmt.Fprint(w, `{"access_token":"T2","expires_in":3599}`)
			}
		}))
		defer metadata.Close()
		use(t, map[string]string{"GCE_METADATA_HOST": strings.TrimPrefix(metadata.URL, "http://")})
		if token, err := googleSettings().token(t.Context()); err != nil || token != "T2" {
			t.Error(token, err)
		}
	})
	t.Run("faults", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "key.json")
		for text, want := range map[string]string{
			"secret": "is not JSON", `{"type":"nonsense"}`: "nonsense", `{"type":"service_account","private_key":"secret"}`: "private key",
		} {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			use(t, map[string]string{"GOOGLE_APPLICATION_CREDENTIALS": file})
			refused(t, "gs://bucket/x", want)
		}
	})
}

// Azure's store is used with an account's key, a shared access signature, or tokens of applications and machines.
func TestAzure(t *testing.T) {
	key := base64.StdEncoding.EncodeToString([]byte("very secret"))
	_, at := newCloud(t, true, sharedKey("news", []byte("very secret")))
	t.Run("key", func(t *testing.T) {
		use(t, map[string]string{"AZURE_STORAGE_ACCOUNT": "news", "AZURE_STORAGE_KEY": key, "AZURE_STORAGE_SERVICE_ENDPOINT": at})
		exercise(t, "az://container/")
		exercise(t, "abfss://other@news.dfs.core.windows.net/")
		refused(t, "az://container/nothing", "404 NoSuchKey")
	})
	t.Run("connection string", func(t *testing.T) {
		use(t, map[string]string{"AZURE_STORAGE_CONNECTION_STRING": "AccountName=news;AccountKey=" + key + ";BlobEndpoint=" + at})
		exercise(t, "az://third/")
		use(t, map[string]string{"AZURE_STORAGE_CONNECTION_STRING": "AccountName=news;AccountKey=c2VjcmV0;BlobEndpoint=" + at})
		refused(t, "az://third/x", "AZURE_STORAGE_KEY")
	})
	t.Run("signature", func(t *testing.T) {
		_, at := newCloud(t, true, func(r *http.Request) error {
			if r.URL.Query().Get("sig") != "a+b/c=" || r.Header.Get("Authorization") != "" {
				return errors.New("no signature")
			}
			return nil
		})
		use(t, map[string]string{"AZURE_STORAGE_ACCOUNT": "news", "AZURE_STORAGE_SAS_TOKEN": "?sv=2021&sig=a%2Bb%2Fc%3D", "AZURE_STORAGE_SERVICE_ENDPOINT": at})
		exercise(t, "az://container/")
	})
}

// Azurite, Azure's own emulator, accepts the same requests. TOPOI_AZURITE names it (npm install azurite:
// node_modules/.bin/azurite-blob).
func TestAzurite(t *testing.T) {
	program := os.Getenv("TOPOI_AZURITE")
	if program == "" {
		t.Skip("TOPOI_AZURITE does not name an azurite-blob")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	listener.Close()
	key := base64.StdEncoding.EncodeToString([]byte("very secret key"))
	c := exec.CommandContext(t.Context(), program, "--blobPort", port, "--location", t.TempDir(), "--silent", "--skipApiVersionCheck")
	c.Env = append(os.Environ(), "AZURITE_ACCOUNTS=news:"+key)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Process.Kill(); _ = c.Wait() }()
	use(t, map[string]string{"AZURE_STORAGE_ACCOUNT": "news", "AZURE_STORAGE_KEY": key, "AZURE_STORAGE_SERVICE_ENDPOINT": "http://127.0.0.1:" + port + "/news"})
	bucket, err := locate("az://container")
	for range 3 {
		if err == nil {
			_, err = bucket.send(t.Context(), call{method: http.MethodPut, query: map[string][]string{"restype": {"container"}}})
		}
	}
	if err != nil && !strings.Contains(err.Error(), "already exists") {
		t.Fatal(err)
	}
	exercise(t, "az://container/")
	use(t, map[string]string{"AZURE_STORAGE_ACCOUNT": "news", "AZURE_STORAGE_KEY": "c2VjcmV0", "AZURE_STORAGE_SERVICE_ENDPOINT": "http://127.0.0.1:" + port + "/news"})
	refused(t, "az://container/x", "AZURE_STORAGE_KEY")
}

// Requests to Amazon's store have signatures and checksums that a server accepts which knows nothing of the client.
// TestRoundTrip and others do the same with a real server where there is one.
func TestAmazon(t *testing.T) {
	wrong := 0
	check := version4("user", "very/secret+key")
	_, at := newCloud(t, false, func(r *http.Request) error {
		if r.Method == http.MethodPut && r.Header.Get("X-Amz-Checksum-Crc32c") == "" {
			wrong++
		}
		return check(r)
	})
	(&faults{}).use(t, at)
	exercise(t, "s3://bucket/")
	settings().given = credentials.NewStaticCredentialsProvider("user", "other secret", "")
	refused(t, "s3://bucket/x", "AWS_ACCESS_KEY_ID")
	if wrong > 0 {
		t.Errorf("%d uploads had no checksum", wrong)
	}
}
