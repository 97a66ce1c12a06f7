package remote

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/objects"
)

// seenWithin is how long an object that was uploaded may take to be seen.
var seenWithin = 5 * time.Second

// verify compares what the store says it holds with the file that was sent. parts are those of an upload in parts.
func (p place) verify(f *os.File, size int64, parts []part) error {
	answer, err := p.head()
	for end := time.Now().Add(seenWithin); errors.Is(err, fs.ErrNotExist) && time.Now().Before(end); {
		pause(until(), 1)
		answer, err = p.head()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return p.notHeld("nothing")
	}
	if err != nil {
		return err
	}
	if answer.ContentLength >= 0 && answer.ContentLength != size {
		return p.notHeld(fmt.Sprintf("%d bytes instead of %d", answer.ContentLength, size))
	}
	o := Object{at: p}
	o.ETag = answer.Header.Get("ETag")
	if sum := answer.Header.Get("Content-Md5"); sum != "" { // Azure's, of the whole
		answer.Header.Set("X-Ms-Blob-Content-Md5", sum)
	}
	if o.expect(answer.Header); o.sum != nil {
		if _, err := io.Copy(o.sum, io.NewSectionReader(f, 0, size)); err != nil {
			return err
		}
		if got := o.sum.Sum(nil); !bytes.Equal(got, o.want) {
			return p.notHeld(fmt.Sprintf("an object with the checksum %x instead of %x", o.want, got))
		}
		return nil
	}
	if want, ok := etagOfParts(parts); ok && plainETag(answer.Header) && strings.Contains(o.ETag, "-") &&
		bare(o.ETag) != want {
		return p.notHeld(fmt.Sprintf("an object with the ETag %s instead of %s", bare(o.ETag), want))
	}
	return nil
}

// notHeld returns the error about an upload that the store has lost, cut or changed.
func (p place) notHeld(what string) error {
	return &objects.Fault{Path: p.path, Msg: "the store took the upload and holds " + what, Hint: "save it again, and " +
		elsewhere}
}

// plainETag reports whether an ETag of Amazon's protocol is made of MD5s: not of what the store encrypts with keys.
func plainETag(header http.Header) bool {
	secret := header.Get("X-Amz-Server-Side-Encryption")
	return secret != "aws:kms" && secret != "aws:kms:dsse" &&
		header.Get("X-Amz-Server-Side-Encryption-Customer-Algorithm") == ""
}

// etagOfParts returns the ETag that Amazon's protocol gives to an object of several parts: the MD5 of their MD5s, and
// their number. ok is false if the MD5s are not known.
func etagOfParts(parts []part) (etag string, ok bool) {
	all := md5.New()
	for _, b := range parts {
		if len(b.md5) == 0 {
			return "", false
		}
		all.Write(b.md5)
	}
	return fmt.Sprintf("%x-%d", all.Sum(nil), len(parts)), len(parts) > 0
}

// verifyPart compares the answer to an upload with what was sent, as far as the answer tells.
func (p place) verifyPart(header http.Header, sent part) error {
	if p.web || !plainETag(header) {
		return nil
	}
	if want, err := base64.StdEncoding.DecodeString(header.Get("Content-Md5")); err == nil && len(want) == md5.Size {
		if !bytes.Equal(sent.md5, want) {
			return p.notHeld(fmt.Sprintf("content with the MD5 %x instead of %x", want, sent.md5))
		}
	}
	if sum := header.Get(amazonSum); sum != "" && sent.ChecksumCRC32C != "" && sum != sent.ChecksumCRC32C {
		return p.notHeld(fmt.Sprintf("content with the CRC-32C %s instead of %s", sum, sent.ChecksumCRC32C))
	}
	want, err := hex.DecodeString(bare(header.Get("ETag")))
	if _, azure := p.in.(*azure); err != nil || len(want) != md5.Size || azure {
		return nil
	}
	if !bytes.Equal(sent.md5, want) {
		return p.notHeld(fmt.Sprintf("content with the MD5 %x instead of %x", want, sent.md5))
	}
	return nil
}
