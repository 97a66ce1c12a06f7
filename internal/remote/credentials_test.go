package remote

import (
	"crypto/sha1"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// amazonServices answers as Amazon's services that give credentials do: security tokens (STS), single sign-on, the
// metadata service of a machine (IMDSv2), that of a container. The access key says whose credentials they are.
func amazonServices(t *testing.T) *httptest.Server {
	t.Helper()
	const until = "2099-01-02T03:04:05Z"
	role := func(w http.ResponseWriter, name string) {
		fmt.Fprintf(w, `{"Code":"Success","AccessKeyId":%q,"SecretAccessKey":"s","Token":"t","Expiration":%q}`, name, until)
	}
	security := func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		action := r.Form.Get("Action")
		name := ""
		switch {
		case action == "AssumeRoleWithWebIdentity" && r.Form.Get("WebIdentityToken") == "identity":
			name = "web " + r.Form.Get("RoleArn")
		case action == "AssumeRole" && strings.Contains(r.Header.Get("Authorization"), "Credential=base/"):
			name = "assumed " + r.Form.Get("RoleArn")
		default:
			w.WriteHeader(http.StatusForbidden)
			_, _ = w.Write([]byte("<ErrorResponse><Error><Code>AccessDenied</Code><Message>not you</Message></Error></ErrorResponse>"))
			return
		}
		fmt.Fprintf(w, "<%sResponse><%[1]sResult><Credentials><AccessKeyId>%s</AccessKeyId><SecretAccessKey>s</SecretAccessKey>"+
			"<SessionToken>t</SessionToken><Expiration>%s</Expiration></Credentials></%[1]sResult></%[1]sResponse>", action, name, until)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch token := r.Header.Get("X-Aws-Ec2-Metadata-Token"); {
		case r.URL.Path == "/container" && r.Header.Get("Authorization") == "Bearer c":
			role(w, "container")
		case r.Method == http.MethodPut && r.URL.Path == "/latest/api/token":
			w.Header().Set("X-Aws-Ec2-Metadata-Token-Ttl-Seconds", "21600")
			_, _ = w.Write([]byte("T"))
		case token == "T" && strings.HasSuffix(r.URL.Path, "/security-credentials/"):
			_, _ = w.Write([]byte("my-role\n"))
		case token == "T" && strings.HasSuffix(r.URL.Path, "/security-credentials/my-role"):
			role(w, "machine")
		case r.URL.Path == "/federation/credentials" && r.Header.Get("X-Amz-Sso_bearer_token") == "signed in":
			fmt.Fprintf(w, `{"roleCredentials":{"accessKeyId":"sso %s","secretAccessKey":"s","sessionToken":"t","expiration":4070000000000}}`,
				r.URL.Query().Get("role_name"))
		case r.Method == http.MethodPost && r.URL.Path == "/":
			security(w, r)
		default:
			w.WriteHeader(http.StatusForbidden)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// useAmazon sets the environment of Amazon's store to what is given alone, and reads it.
func useAmazon(t *testing.T, set map[string]string) *amazon {
	t.Helper()
	for _, line := range os.Environ() {
		if name, _, _ := strings.Cut(line, "="); strings.HasPrefix(name, "AWS_") {
			t.Setenv(name, "")
			os.Unsetenv(name) // the library takes an empty value for one
		}
	}
	for name, value := range set {
		t.Setenv(name, value)
	}
	before := settings
	settings = sync.OnceValue(readAmazon)
	known.Clear()
	opening.Clear()
	t.Cleanup(func() { settings = before })
	return settings()
}

// Credentials come from the environment, profiles with roles, programs and sign-ons, identities of workloads, containers
// and machines, as Amazon's own programs find them.
func TestAmazonFindsCredentials(t *testing.T) {
	services := amazonServices(t)
	home := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		return name
	}
	program := write("give", "#!/bin/sh\necho '{\"Version\":1,\"AccessKeyId\":\"program\",\"SecretAccessKey\":\"s\"}'\n")
	keys := write(".aws/credentials", "[default]\naws_access_key_id = file\naws_secret_access_key = x\n\n[base]\naws_access_key_id=base\naws_secret_access_key=x\n")
	profiles := write(".aws/config", `[profile reader]
role_arn = arn:aws:iam::123456789012:role/reader
source_profile = base
[profile program]
credential_process = `+program+`
[profile company]
sso_session = company
sso_account_id = 123456789012
sso_role_name = analyst
[sso-session company]
sso_start_url = https://company.example/start
sso_region = eu-west-1
[profile empty]
region = eu-west-1
`)
	write(fmt.Sprintf(".aws/sso/cache/%x.json", sha1.Sum([]byte("company"))), `{"accessToken":"signed in","expiresAt":"2099-01-02T03:04:05Z"}`)
	identity := write("identity", "identity")
	t.Setenv("HOME", home)

	machine := map[string]string{
		"AWS_EC2_METADATA_SERVICE_ENDPOINT": services.URL, "AWS_ENDPOINT_URL_S3": "https://s3.x.amazonaws.com",
		"AWS_ENDPOINT_URL_STS": services.URL, "AWS_ENDPOINT_URL_SSO": services.URL, "AWS_REGION": "eu-west-1",
		"AWS_SHARED_CREDENTIALS_FILE": keys, "AWS_CONFIG_FILE": profiles,
	}
	elsewhere := map[string]string{"AWS_SHARED_CREDENTIALS_FILE": "/none", "AWS_CONFIG_FILE": "/none"}
	for name, c := range map[string]struct {
		sets []map[string]string
		want string // the access key, or a part of the error
	}{
		"machine": {[]map[string]string{elsewhere}, "machine"},
		"container": {[]map[string]string{elsewhere, {
			"AWS_CONTAINER_CREDENTIALS_FULL_URI": services.URL + "/container", "AWS_CONTAINER_AUTHORIZATION_TOKEN": "Bearer c",
		}}, "container"},
		"file":    {nil, "file"},
		"profile": {[]map[string]string{{"AWS_PROFILE": "base"}}, "base"},
		"role":    {[]map[string]string{{"AWS_PROFILE": "reader"}}, "assumed arn:aws:iam::123456789012:role/reader"},
		"program": {[]map[string]string{{"AWS_PROFILE": "program"}}, "program"},
		"sign-on": {[]map[string]string{{"AWS_PROFILE": "company"}}, "sso analyst"},
		"identity of a workload": {[]map[string]string{{
			"AWS_WEB_IDENTITY_TOKEN_FILE": identity, "AWS_ROLE_ARN": "arn:aws:iam::1:role/pod",
		}}, "web arn:aws:iam::1:role/pod"},
		"environment": {[]map[string]string{{"AWS_ACCESS_KEY_ID": "environment", "AWS_SECRET_ACCESS_KEY": "x"}}, "environment"},

		"unknown profile":  {[]map[string]string{{"AWS_PROFILE": "raeder"}}, "raeder"},
		"nobody's profile": {[]map[string]string{{"AWS_PROFILE": "empty", "AWS_EC2_METADATA_DISABLED": "true"}}, `the profile "empty" has no credentials`},
		"half of a key":    {[]map[string]string{{"AWS_ACCESS_KEY_ID": "environment"}}, "AWS_SECRET_ACCESS_KEY is not"},
		"refused identity": {[]map[string]string{{"AWS_WEB_IDENTITY_TOKEN_FILE": program, "AWS_ROLE_ARN": "arn:aws:iam::1:role/pod"}}, "AccessDenied: not you"},
		"no sign-on":       {[]map[string]string{{"AWS_PROFILE": "company", "HOME": t.TempDir()}}, "cached SSO token"},
	} {
		t.Run(name, func(t *testing.T) {
			all := map[string]string{}
			for _, set := range append([]map[string]string{machine}, c.sets...) {
				for name, value := range set {
					all[name] = value
				}
			}
			who, err := useAmazon(t, all).find(t.Context())
			switch {
			case err == nil && who.AccessKeyID == c.want:
			case err != nil && strings.Contains(explain(err).Error(), c.want) && !strings.Contains(explain(err).Error(), "\n"):
			default:
				t.Errorf("got %q, %v; want %q", who.AccessKeyID, err, c.want)
			}
		})
	}
}

// Where nothing is configured requests are not signed, and the metadata service of a machine is asked only for Amazon's
// own store, and once.
func TestAmazonPublic(t *testing.T) {
	asked := 0
	nobody := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.WriteHeader(http.StatusNotFound)
	}))
	defer nobody.Close()
	for endpoint, want := range map[string]bool{"https://s3.x.amazonaws.com": true, nobody.URL: false} {
		asked = 0
		a := useAmazon(t, map[string]string{
			"AWS_EC2_METADATA_SERVICE_ENDPOINT": nobody.URL, "AWS_ENDPOINT_URL": endpoint, "HOME": t.TempDir(),
			"AWS_SHARED_CREDENTIALS_FILE": "/none", "AWS_CONFIG_FILE": "/none",
		})
		for i := range 2 {
			before := asked
			r := httptest.NewRequest(http.MethodGet, endpoint+"/bucket/key", nil)
			if err := a.authorize(r); err != nil || r.Header.Get("Authorization") != "" {
				t.Errorf("%s: %v, %v", endpoint, r.Header, err)
			}
			if first := i == 0; (asked > before) != (want && first) {
				t.Errorf("%s: request %d asked the machine %d times", endpoint, i, asked-before)
			}
		}
	}
}

// Google's workload identity federation exchanges the token of another provider.
func TestGoogleFederation(t *testing.T) {
	tokens := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		if r.Form.Get("subject_token") != "of another provider" || !strings.Contains(r.Form.Get("grant_type"), "token-exchange") {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"error":"invalid_grant","error_description":"who is this?"}`))
			return
		}
		_, _ = w.Write([]byte(`{"access_token":"T4","issued_token_type":"urn:ietf:params:oauth:token-type:access_token","token_type":"Bearer","expires_in":3599}`))
	}))
	defer tokens.Close()
	dir := t.TempDir()
	subject, file := filepath.Join(dir, "subject"), filepath.Join(dir, "file.json")
	text, err := json.Marshal(map[string]any{
		"type": "external_account", "audience": "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q",
		"subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "token_url": tokens.URL, "credential_source": map[string]string{"file": subject},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for said, want := range map[string]string{"of another provider": "T4", "of nobody": ""} {
		if err := os.WriteFile(subject, []byte(said), 0o600); err != nil {
			t.Fatal(err)
		}
		use(t, map[string]string{"GOOGLE_APPLICATION_CREDENTIALS": file})
		token, err := googleSettings().token(t.Context())
		if token != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", said, token, err)
		}
		if err != nil && !strings.Contains(explain(err).Error(), "401") {
			t.Errorf("%s: %v", said, explain(err))
		}
	}
}

// azureServices answers as Azure's services that give tokens do.
func azureServices(t *testing.T) *httptest.Server {
	t.Helper()
	var s *httptest.Server
	s = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		w.Header().Set("Content-Type", "application/json")
		in := `"expires_in":3599`
		switch {
		case r.URL.Path == "/tenant/v2.0/.well-known/openid-configuration":
			fmt.Fprintf(w, `{"token_endpoint":"%s/tenant/oauth2/v2.0/token","authorization_endpoint":"%[1]s/a","issuer":"%[1]s/tenant/v2.0"}`, s.URL)
			return
		case r.URL.Path == "/tenant/oauth2/v2.0/token" && strings.HasPrefix(r.PostForm.Get("scope"), azureScope) &&
			(r.PostForm.Get("client_secret") == "very secret" || strings.TrimSpace(r.PostForm.Get("client_assertion")) == "federated"):
		case r.URL.Path == "/tenant/oauth2/v2.0/token":
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"error":"invalid_client","error_description":"AADSTS7000215: the key is wrong.\r\nTrace ID: 1"}`))
			return
		case r.URL.Path == "/msi" && r.Header.Get("X-Identity-Header") == "H" && strings.HasPrefix(r.Form.Get("resource"), "https://storage.azure.com"):
			in = fmt.Sprintf(`"expires_on":"%d"`, time.Now().Add(time.Hour).Unix())
		default:
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"error":"invalid_request","error_description":"what?"}`))
			return
		}
		fmt.Fprintf(w, `{"access_token":"T3","token_type":"Bearer","resource":"https://storage.azure.com",%s}`, in)
	}))
	t.Cleanup(s.Close)
	azureTransport = s.Client()
	t.Cleanup(func() { azureTransport = nil })
	return s
}

// Azure's identities: an application with a key, a workload in Kubernetes, a container. A key that is wrong is an error,
// not a reason to go on as somebody else.
func TestAzureFindsIdentities(t *testing.T) {
	tokens := azureServices(t)
	t.Setenv("PATH", t.TempDir()) // no login by Azure's own programs
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("federated\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, at := newCloud(t, true, bearer("T3"))
	for name, set := range map[string]map[string]string{
		"application": {"AZURE_CLIENT_SECRET": "very secret", "AZURE_CLIENT_ID": "id", "AZURE_TENANT_ID": "tenant"},
		"workload":    {"AZURE_FEDERATED_TOKEN_FILE": file, "AZURE_CLIENT_ID": "id", "AZURE_TENANT_ID": "tenant"},
		"container":   {"IDENTITY_ENDPOINT": tokens.URL + "/msi", "IDENTITY_HEADER": "H"},
		"wrong key":   {"AZURE_CLIENT_SECRET": "other secret", "AZURE_CLIENT_ID": "id", "AZURE_TENANT_ID": "tenant"},
	} {
		t.Run(name, func(t *testing.T) {
			set["AZURE_AUTHORITY_HOST"], set["AZURE_STORAGE_ACCOUNT"], set["AZURE_STORAGE_SERVICE_ENDPOINT"] = tokens.URL+"/", "news", at
			use(t, set)
			if name == "wrong key" {
				refused(t, "az://container/x", "401 Unauthorized (invalid_client: AADSTS7000215: the key is wrong.)")
				return
			}
			mustUpload(t, "az://container/"+name, []byte(name))
			checkRead(t, "az://container/"+name, []byte(name))
		})
	}
}
