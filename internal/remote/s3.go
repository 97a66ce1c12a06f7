package remote

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/objects"
)

// amazonSum is the header by which Amazon's store compares content.
const amazonSum = "X-Amz-Checksum-Crc32c"

// amazonUpload are the headers that begin an upload at Amazon.
var amazonUpload = map[string]string{"X-Amz-Checksum-Algorithm": "CRC32C"}

// s3 is the common part of Amazon's protocol and Google's.
type s3 struct {
	opening map[string]string // headers that begin an upload
}

// inPath returns the URL of an object with the bucket in its path, as every store understands.
func inPath(endpoint string, p place) string {
	return strings.TrimSuffix(endpoint, "/") + escape("/"+p.bucket+"/"+p.key)
}

func (s3) listing(prefix, mark string) url.Values {
	query := url.Values{"list-type": {"2"}, "prefix": {prefix}}
	if mark != "" {
		query.Set("continuation-token", mark)
	}
	return query
}

func (s3) entries(page io.Reader) (list []objects.Info, mark string, err error) {
	var said struct {
		XMLName  xml.Name `xml:"ListBucketResult"`
		Contents []struct {
			Key, ETag string
			Size      int64
		}
		NextContinuationToken string
	}
	err = xml.NewDecoder(page).Decode(&said)
	for _, c := range said.Contents {
		list = append(list, objects.Info{Path: c.Key, Size: c.Size, ETag: c.ETag})
	}
	return list, said.NextContinuationToken, err
}

func (s3) seal(data []byte) map[string]string {
	crc := binary.BigEndian.AppendUint32(nil, crc32.Checksum(data, castagnoli))
	return map[string]string{amazonSum: base64.StdEncoding.EncodeToString(crc)}
}

func (s s3) begin(p place) (upload string, err error) {
	return p.post(url.Values{"uploads": {""}}, nil, s.opening)
}

func (s3) segment(upload string, number int) url.Values {
	return url.Values{"uploadId": {upload}, "partNumber": {strconv.Itoa(number)}}
}

func (s3) finish(p place, upload string, parts []part, _ *os.File) error {
	list, _ := xml.Marshal(struct {
		XMLName xml.Name `xml:"CompleteMultipartUpload"`
		Part    []part
	}{Part: parts})
	_, err := p.post(url.Values{"uploadId": {upload}}, list, nil)
	return err
}

// cancelWithin is how long an upload that failed may take to be given up.
const cancelWithin = 20 * time.Second

func (s3) cancel(p place, upload string) {
	// Also after an interruption. If it fails, a rule about the age of uploads does it.
	ctx, stop := context.WithTimeout(context.WithoutCancel(until()), cancelWithin)
	defer stop()
	if answer, err := p.send(ctx, call{
		method: http.MethodDelete,
		query:  url.Values{"uploadId": {upload}},
	}); err == nil {
		answer.Body.Close()
	}
}

// post begins or completes an upload, and returns its name in the first case. The store may say OK and then fail.
func (p place) post(query url.Values, body []byte, header map[string]string) (upload string, err error) {
	answer, err := p.send(until(), call{method: http.MethodPost, query: query, header: header, body: body})
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	var said struct{ UploadId, ETag, Code, Message string }
	if err := xml.NewDecoder(answer.Body).Decode(&said); err != nil {
		return "", p.fault(err)
	}
	if said.UploadId+said.ETag == "" {
		msg := fmt.Sprintf("the store did not finish the upload (%s %s)", said.Code, said.Message)
		return "", &objects.Fault{Path: p.path, Msg: msg, Hint: "try again later"}
	}
	return said.UploadId, nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)
