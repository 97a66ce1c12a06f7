// Package storetest holds the S3 servers of the tests of the package above.
package storetest

import (
	"net/http"
	"os"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/rclone/gofakes3/signature"
)

// TestServe is a server that keeps its objects in memory. It listens at TOPOI_S3_ADDRESS until it is killed. Signatures
// are checked by code of another server, because this one does not look at them.
func TestServe(t *testing.T) {
	address := os.Getenv("TOPOI_S3_ADDRESS")
	if address == "" {
		t.Skip("the tests of the package above start it")
	}
	backend := s3mem.New()
	if err := backend.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	objects := gofakes3.New(backend).Server()
	secret := func(key string) (string, bool) {
		return os.Getenv("ROOT_SECRET_KEY"), key == os.Getenv("ROOT_ACCESS_KEY")
	}
	t.Fatal(http.ListenAndServe(address, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if code := signature.V4SignVerifyWithLookup(r, secret); code != signature.ErrNone {
			fault := signature.GetAPIError(code)
			w.WriteHeader(fault.HTTPStatusCode)
			_, _ = w.Write(signature.EncodeAPIErrorToResponse(fault))
			return
		}
		objects.ServeHTTP(w, r)
	})))
}
