package remote

import (
	"cmp"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/objects"
)

// azure is Azure's Blob Storage. A bucket is a container there, a key a blob's name.
type azure struct {
	account, endpoint string
	key, sas          string // the account's key, a shared access signature; both "": a token
	identity          *azureIdentity
}

// azureSettings reads the environment once, by the names of Azure's own program.
var azureSettings = sync.OnceValue(readAzure)

func readAzure() *azure {
	text := map[string]string{}
	for item := range strings.SplitSeq(os.Getenv("AZURE_STORAGE_CONNECTION_STRING"), ";") {
		name, value, _ := strings.Cut(item, "=")
		text[name] = value
	}
	a := &azure{
		account:  cmp.Or(os.Getenv("AZURE_STORAGE_ACCOUNT"), text["AccountName"]),
		key:      cmp.Or(os.Getenv("AZURE_STORAGE_KEY"), text["AccountKey"]),
		sas:      strings.TrimPrefix(cmp.Or(os.Getenv("AZURE_STORAGE_SAS_TOKEN"), text["SharedAccessSignature"]), "?"),
		identity: newAzureIdentity(),
	}
	ends := cmp.Or(text["EndpointSuffix"], "core.windows.net")
	a.endpoint = cmp.Or(os.Getenv("AZURE_STORAGE_SERVICE_ENDPOINT"), text["BlobEndpoint"],
		"https://"+a.account+".blob."+ends)
	return a
}

// at returns the settings for the account of a host, such as news.dfs.core.windows.net. Keys belong to one account.
func (a *azure) at(host string) *azure {
	account, ends, _ := strings.Cut(host, ".")
	if account == "" || account == a.account {
		return a
	}
	ends = strings.Replace(ends, "dfs.", "blob.", 1)
	return &azure{account: account, endpoint: "https://" + account + "." + ends, identity: a.identity}
}

func (a *azure) address(p place) string { return strings.TrimSuffix(inPath(a.endpoint, p), "/") }

func (a *azure) authorize(r *http.Request) error {
	r.Header.Set("X-Ms-Version", "2021-12-02")
	r.Header.Set("X-Ms-Date", time.Now().UTC().Format(http.TimeFormat))
	if r.Method == http.MethodPut && r.URL.Query().Get("comp") == "" {
		r.Header.Set("X-Ms-Blob-Type", "BlockBlob")
	}
	switch {
	case a.key != "":
		key, err := base64.StdEncoding.DecodeString(a.key)
		if err != nil {
			return errors.New("the account's key is not in base64")
		}
		h := hmac.New(sha256.New, key)
		h.Write([]byte(a.statement(r)))
		r.Header.Set("Authorization", "SharedKey "+a.account+":"+base64.StdEncoding.EncodeToString(h.Sum(nil)))
	case a.sas != "":
		r.URL.RawQuery = strings.TrimPrefix(r.URL.RawQuery+"&"+a.sas, "&")
	default:
		token, err := a.identity.token(r.Context())
		if err != nil {
			return err
		}
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
	}
	return nil
}

// statement returns what the signature of a request is made of.
func (a *azure) statement(r *http.Request) string {
	length := ""
	if r.ContentLength > 0 {
		length = fmt.Sprint(r.ContentLength)
	}
	h := r.Header
	lines := []string{
		r.Method, "", "", length, h.Get("Content-Md5"), h.Get("Content-Type"),
		"", "", h.Get("If-Match"), "", "", h.Get("Range"),
	}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if strings.HasPrefix(name, "X-Ms-") {
			lines = append(lines, strings.ToLower(name)+":"+h.Get(name))
		}
	}
	lines = append(lines, "/"+a.account+r.URL.EscapedPath())
	query := r.URL.Query()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		lines = append(lines, name+":"+query.Get(name))
	}
	return strings.Join(lines, "\n")
}

func (a *azure) credentials() string {
	return "set AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN, or give this machine's identity a role for the container"
}

func (a *azure) listing(prefix, mark string) url.Values {
	query := url.Values{"restype": {"container"}, "comp": {"list"}, "prefix": {prefix}}
	if mark != "" {
		query.Set("marker", mark)
	}
	return query
}

func (a *azure) entries(page io.Reader) (list []objects.Info, mark string, err error) {
	var said struct {
		XMLName xml.Name `xml:"EnumerationResults"`
		Blobs   struct {
			Blob []struct {
				Name       string
				Properties struct {
					Etag, ResourceType string
					Size               int64 `xml:"Content-Length"`
				}
			}
		}
		NextMarker string
	}
	err = xml.NewDecoder(page).Decode(&said)
	for _, b := range said.Blobs.Blob {
		if p := b.Properties; p.ResourceType != "directory" {
			list = append(list, objects.Info{Path: b.Name, Size: p.Size, ETag: `"` + strings.Trim(p.Etag, `"`) + `"`})
		}
	}
	return list, said.NextMarker, err
}

func (a *azure) seal(data []byte) map[string]string { return sealMD5(data) }

// begin chooses a name: two uploads to the same blob must not mix their blocks.
func (a *azure) begin(place) (upload string, err error) {
	return fmt.Sprintf("%016x", rand.Uint64()), nil
}

func blockName(upload string, number int) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%s%08d", upload, number))
}

func (a *azure) segment(upload string, number int) url.Values {
	return url.Values{"comp": {"block"}, "blockid": {blockName(upload, number)}}
}

// finish tells the store the MD5 of the whole, which it cannot know.
func (a *azure) finish(p place, upload string, parts []part, f *os.File) error {
	sum := md5.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, 1<<62)); err != nil {
		return err
	}
	body := []byte("<BlockList>")
	for _, b := range parts {
		body = fmt.Appendf(body, "<Latest>%s</Latest>", blockName(upload, b.PartNumber))
	}
	body = append(body, "</BlockList>"...)
	header := a.seal(body)
	header["X-Ms-Blob-Content-Md5"] = base64.StdEncoding.EncodeToString(sum.Sum(nil))
	return p.do(call{method: http.MethodPut, query: url.Values{"comp": {"blocklist"}}, header: header, body: body})
}

// cancel does nothing: the store forgets blocks of no list after a week.
func (a *azure) cancel(place, string) {}
