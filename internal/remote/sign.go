package remote

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// unsigned stands for the body, which has a checksum in a header of its own.
const unsigned = "UNSIGNED-PAYLOAD"

// sign adds a signature in Amazon's form (Version 4) to the headers of a request. Its path is escaped already. The signer
// is a new one each time, because signers keep what they derived from a key's secret by the name of the key alone.
func sign(r *http.Request, who aws.Credentials, region string) error {
	r.Header.Set("X-Amz-Content-Sha256", unsigned)
	signer := v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true })
	return signer.SignHTTP(r.Context(), who, r, unsigned, "s3", region, time.Now())
}

// escape writes text as signatures want it in a URL: all but letters, digits and -_.~/ as %XX.
func escape(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.~/", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
