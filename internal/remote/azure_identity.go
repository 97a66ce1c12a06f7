package remote

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
)

// azureIdentity gives tokens as Azure's own library finds them: of an application that the environment describes, of a
// workload in Kubernetes, of the machine or container, of a login by Azure's own program.
type azureIdentity struct {
	mutex  sync.Mutex
	source azcore.TokenCredential
	fault  error              // of the environment
	last   azcore.AccessToken // kept here, since a login's are fetched by another program each time
	public bool               // there is no identity: requests read what is public
}

// azureTransport makes the requests for tokens; nil: that of Azure's library.
var azureTransport policy.Transporter

// azureScope is what tokens are for.
const azureScope = "https://storage.azure.com/.default"

// azureAuthorities are the hosts of Azure's clouds. Others are taken as the environment names them, as private clouds
// need it, without asking Azure whether it knows them.
var azureAuthorities = []string{"", "login.microsoftonline.com", "login.microsoftonline.us", "login.partner.microsoftonline.cn", "login.chinacloudapi.cn"}

func newAzureIdentity() *azureIdentity {
	host := os.Getenv("AZURE_AUTHORITY_HOST")
	if address, err := url.Parse(host); err == nil {
		host = cmp.Or(address.Host, host)
	}
	options := &azidentity.DefaultAzureCredentialOptions{DisableInstanceDiscovery: !slices.Contains(azureAuthorities, host)}
	options.Transport = azureTransport
	found, err := azidentity.NewDefaultAzureCredential(options)
	if err != nil {
		return &azureIdentity{fault: err}
	}
	return &azureIdentity{source: found}
}

// renewBefore is how long before its end a token is not used any more.
const renewBefore = 5 * time.Minute

// token returns a token, and none where nothing was configured and nobody gives one.
func (a *azureIdentity) token(ctx context.Context) (string, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	switch {
	case a.fault != nil:
		return "", a.fault
	case a.public || time.Until(a.last.ExpiresOn) > renewBefore:
		return a.last.Token, nil
	}
	limited, stop := context.WithTimeout(ctx, servicesAnswer)
	defer stop()
	token, err := a.source.GetToken(limited, policy.TokenRequestOptions{Scopes: []string{azureScope}})
	if err == nil {
		a.last = token
		return token.Token, nil
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	_, refused := errors.AsType[*azidentity.AuthenticationFailedError](err)
	if !refused && !azureConfigured() {
		a.public = true
		return "", nil
	}
	return "", err
}

// azureConfigured reports whether the environment describes an application or identity.
func azureConfigured() bool {
	for _, line := range os.Environ() {
		name, value, _ := strings.Cut(line, "=")
		switch name {
		case "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET", "AZURE_CLIENT_CERTIFICATE_PATH", "AZURE_FEDERATED_TOKEN_FILE", "IDENTITY_ENDPOINT":
			if value != "" {
				return true
			}
		}
	}
	return false
}
