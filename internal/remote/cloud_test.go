package remote

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// cloud is a small store in memory that answers as Google's XML API or as Azure's Blob service does. Lists come in
// pages of two. It refuses what the real ones refuse: wrong signatures and checksums, unknown blocks.
type cloud struct {
	check func(r *http.Request) error // of the signature
	azure bool

	mutex   sync.Mutex
	objects map[string][]byte
	sums    map[string]string // of the whole, as the client said
	parts   map[string][]byte
	asked   int64  // bytes of objects
	lie     string // lose, cut or flip: what it does to uploads that it says it has taken
}

func newCloud(t *testing.T, azure bool, check func(r *http.Request) error) (*cloud, string) {
	t.Helper()
	c := &cloud{check: check, azure: azure, objects: map[string][]byte{}, sums: map[string]string{}, parts: map[string][]byte{}}
	s := httptest.NewServer(c)
	t.Cleanup(s.Close)
	return c, s.URL
}

func (c *cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	body, _ := io.ReadAll(r.Body)
	if err := c.check(r); err != nil {
		c.refuse(w, http.StatusForbidden, "AuthenticationFailed", err.Error()+"\nRequestId:1\nTime:2")
		return
	}
	if c.lie != "" && r.Method == http.MethodPut && len(body) > 100 && r.URL.Query().Get("comp") != "blocklist" {
		c.lies(w, r, body)
		return
	}
	want := md5.Sum(body)
	sum := base64.StdEncoding.EncodeToString(want[:])
	crc := base64.StdEncoding.EncodeToString(binary.BigEndian.AppendUint32(nil, crc32.Checksum(body, castagnoli)))
	if len(body) > 0 && r.Method == http.MethodPut && r.Header.Get("Content-Md5") != sum && r.Header.Get("X-Amz-Checksum-Crc32c") != crc {
		c.refuse(w, http.StatusBadRequest, "BadDigest", "the MD5 is wrong")
		return
	}
	query, key := r.URL.Query(), r.URL.Path
	switch {
	case r.Method == http.MethodGet && (query.Has("list-type") || query.Get("comp") == "list"):
		c.list(w, strings.TrimSuffix(key, "/")+"/", query)
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		c.get(w, r, key)
	case query.Has("uploads"):
		_, _ = io.WriteString(w, "<InitiateMultipartUploadResult><UploadId>u&amp;1</UploadId></InitiateMultipartUploadResult>")
	case query.Has("partNumber") || query.Get("comp") == "block":
		c.parts[key+" "+cmp.Or(query.Get("blockid"), query.Get("partNumber"))] = body
		w.Header().Set("ETag", etag(body))
		w.WriteHeader(http.StatusCreated)
	case query.Get("uploadId") != "" && r.Method == http.MethodPost, query.Get("comp") == "blocklist":
		c.join(w, key, body, r.Header)
	case r.Method == http.MethodPut:
		if c.azure && r.Header.Get("X-Ms-Blob-Type") != "BlockBlob" {
			c.refuse(w, http.StatusBadRequest, "MissingRequiredHeader", "x-ms-blob-type")
			return
		}
		c.objects[key], c.sums[key] = body, r.Header.Get("Content-Md5")
		w.WriteHeader(http.StatusCreated)
	case r.Method == http.MethodDelete:
		delete(c.objects, key)
		w.WriteHeader(http.StatusNoContent)
	}
}

// lies takes an upload and does something to it. What it says it has taken is what it has.
func (c *cloud) lies(w http.ResponseWriter, r *http.Request, body []byte) {
	switch c.lie {
	case "cut":
		body = body[:len(body)/2]
	case "flip":
		body = bytes.Clone(body)
		body[len(body)/3] ^= 4
	}
	sum := md5.Sum(body)
	text := base64.StdEncoding.EncodeToString(sum[:])
	if c.azure {
		w.Header().Set("Content-Md5", text)
	}
	if id := cmp.Or(r.URL.Query().Get("blockid"), r.URL.Query().Get("partNumber")); id != "" {
		c.parts[r.URL.Path+" "+id] = body
		w.Header().Set("ETag", etag(body))
	} else if c.lie != "lose" {
		c.objects[r.URL.Path], c.sums[r.URL.Path] = body, text
	}
	w.WriteHeader(http.StatusCreated)
}

func (c *cloud) refuse(w http.ResponseWriter, status int, code, message string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>%s</Message></Error>", code, message)
}

func etag(b []byte) string { return fmt.Sprintf("%q", fmt.Sprintf("%x", md5.Sum(b))) }

func (c *cloud) get(w http.ResponseWriter, r *http.Request, key string) {
	b, there := c.objects[key]
	if !there {
		c.refuse(w, http.StatusNotFound, "NoSuchKey", "it is not there")
		return
	}
	tag := etag(b)
	if c.azure {
		tag = `"0x` + tag[1:]
		w.Header().Set("X-Ms-Blob-Content-Md5", c.sums[key])
	} else {
		crc := binary.BigEndian.AppendUint32(nil, crc32.Checksum(b, castagnoli))
		w.Header().Add("X-Goog-Hash", "crc32c="+base64.StdEncoding.EncodeToString(crc))
		w.Header().Add("X-Goog-Hash", "md5=AAAA")
	}
	w.Header().Set("ETag", tag)
	var from, to int64
	if n, _ := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to); n == 2 {
		c.asked += min(to+1, int64(len(b))) - from
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b))
}

func (c *cloud) list(w http.ResponseWriter, bucket string, query url.Values) {
	from := cmp.Or(query.Get("continuation-token"), query.Get("marker"))
	var page strings.Builder
	next, n := "", 0
	for _, key := range slices.Sorted(maps.Keys(c.objects)) {
		name, ok := strings.CutPrefix(key, bucket)
		if !ok || !strings.HasPrefix(name, query.Get("prefix")) || name < from {
			continue
		}
		if n++; n > 2 {
			var escaped bytes.Buffer
			_ = xml.EscapeText(&escaped, []byte(name))
			next = escaped.String()
			break
		}
		var escaped bytes.Buffer
		_ = xml.EscapeText(&escaped, []byte(name))
		if c.azure {
			fmt.Fprintf(&page, "<Blob><Name>%s</Name><Properties><Content-Length>%d</Content-Length><Etag>%s</Etag></Properties></Blob>", &escaped, len(c.objects[key]), strings.Trim("0x"+strings.Trim(etag(c.objects[key]), `"`), `"`))
			continue
		}
		fmt.Fprintf(&page, "<Contents><Key>%s</Key><Size>%d</Size><ETag>%s</ETag></Contents>", &escaped, len(c.objects[key]), etag(c.objects[key]))
	}
	if c.azure {
		page.WriteString("<Blob><Name>folder</Name><Properties><ResourceType>directory</ResourceType></Properties></Blob>")
		fmt.Fprintf(w, "<EnumerationResults><Blobs>%s</Blobs><NextMarker>%s</NextMarker></EnumerationResults>", page.String(), next)
		return
	}
	fmt.Fprintf(w, "<ListBucketResult>%s<NextContinuationToken>%s</NextContinuationToken></ListBucketResult>", page.String(), next)
}

// join makes an object of parts.
func (c *cloud) join(w http.ResponseWriter, key string, body []byte, header http.Header) {
	var list struct {
		Part []struct {
			PartNumber string
			ETag       string
		}
		Latest []string
	}
	if err := xml.Unmarshal(body, &list); err != nil {
		c.refuse(w, http.StatusBadRequest, "MalformedXML", err.Error())
		return
	}
	for _, p := range list.Part {
		if etag(c.parts[key+" "+p.PartNumber]) != p.ETag {
			c.refuse(w, http.StatusBadRequest, "InvalidPart", p.PartNumber)
			return
		}
		list.Latest = append(list.Latest, p.PartNumber)
	}
	var whole []byte
	for _, name := range list.Latest {
		b, there := c.parts[key+" "+name]
		if !there {
			c.refuse(w, http.StatusBadRequest, "InvalidBlockList", name)
			return
		}
		whole = append(whole, b...)
	}
	if c.lie != "lose" {
		c.objects[key], c.sums[key] = whole, header.Get("X-Ms-Blob-Content-Md5")
	}
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, "<CompleteMultipartUploadResult><ETag>x</ETag></CompleteMultipartUploadResult>")
}

// bearer demands a token.
func bearer(token string) func(r *http.Request) error {
	return func(r *http.Request) error {
		if r.Header.Get("Authorization") != "Bearer "+token || r.Header.Get("X-Amz-Date") != "" {
			return fmt.Errorf("not the token")
		}
		return nil
	}
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// version4 checks a signature in Amazon's form from what arrived.
func version4(id, secret string) func(r *http.Request) error {
	return func(r *http.Request) error {
		fields := map[string]string{}
		said, ok := strings.CutPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ")
		for field := range strings.SplitSeq(said, ",") {
			name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
			fields[name] = value
		}
		who, scope, _ := strings.Cut(fields["Credential"], "/")
		if !ok || who != id {
			return fmt.Errorf("unknown key")
		}
		parameters, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil {
			return err
		}
		var pairs []string
		for name, values := range parameters {
			pairs = append(pairs, strings.ReplaceAll(url.QueryEscape(name)+"="+url.QueryEscape(values[0]), "+", "%20"))
		}
		slices.Sort(pairs)
		text := r.Method + "\n" + r.URL.EscapedPath() + "\n" + strings.Join(pairs, "&") + "\n"
		for name := range strings.SplitSeq(fields["SignedHeaders"], ";") {
			value := r.Header.Get(name)
			switch name {
			case "host":
				value = r.Host
			case "content-length":
				value = strconv.FormatInt(r.ContentLength, 10)
			}
			text += name + ":" + value + "\n"
		}
		text += "\n" + fields["SignedHeaders"] + "\n" + r.Header.Get("X-Amz-Content-Sha256")
		digest := sha256.Sum256([]byte(text))
		key := []byte("AWS4" + secret)
		for part := range strings.SplitSeq(scope, "/") {
			key = mac(key, part)
		}
		sign := mac(key, "AWS4-HMAC-SHA256\n"+r.Header.Get("X-Amz-Date")+"\n"+scope+"\n"+hex.EncodeToString(digest[:]))
		if hex.EncodeToString(sign) != fields["Signature"] {
			return fmt.Errorf("wrong signature")
		}
		return nil
	}
}

// sharedKey checks a signature by the key of an Azure account, as its documentation defines it.
func sharedKey(account string, key []byte) func(r *http.Request) error {
	return func(r *http.Request) error {
		text := r.Method + "\n"
		for _, name := range []string{"Content-Encoding", "Content-Language", "Content-Length", "Content-MD5", "Content-Type", "Date", "If-Modified-Since", "If-Match", "If-None-Match", "If-Unmodified-Since", "Range"} {
			value := r.Header.Get(name)
			if name == "Content-Length" && r.ContentLength == 0 {
				value = ""
			}
			text += value + "\n"
		}
		named := map[string]string{}
		for name, values := range r.Header {
			if name = strings.ToLower(name); strings.HasPrefix(name, "x-ms-") {
				named[name] = strings.Join(values, ",")
			}
		}
		for _, name := range slices.Sorted(maps.Keys(named)) {
			text += name + ":" + named[name] + "\n"
		}
		text += "/" + account + r.URL.EscapedPath()
		parameters := r.URL.Query()
		for _, name := range slices.Sorted(maps.Keys(parameters)) {
			text += "\n" + strings.ToLower(name) + ":" + strings.Join(parameters[name], ",")
		}
		at, err := http.ParseTime(r.Header.Get("X-Ms-Date"))
		if want := "SharedKey " + account + ":" + base64.StdEncoding.EncodeToString(mac(key, text)); r.Header.Get("Authorization") != want || err != nil || time.Since(at).Abs() > time.Minute {
			return fmt.Errorf("wrong signature")
		}
		return nil
	}
}
