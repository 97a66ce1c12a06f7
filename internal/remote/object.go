package remote

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/objects"
)

const (
	blockSize = 4 << 20 // bytes that are asked for at once
	ahead     = 6       // blocks that are fetched before a sequential reader wants them
	kept      = 16      // blocks in memory
)

// Object is an object that one goroutine at a time reads, in order or at any place. When three blocks in a row were
// read, the next ones are fetched ahead by several requests at once. A request that breaks off continues where it was.
// All requests demand the content that the first one saw.
type Object struct {
	objects.Info
	at     place
	ctx    context.Context
	stop   context.CancelFunc
	mutex  sync.Mutex
	blocks map[int64]*block
	recent []int64   // blocks by use, the latest last
	pos    int64     // of Read
	sum    hash.Hash // of what Read has read; nil: the store gives no checksum
	want   []byte
}

type block struct {
	ready chan struct{}
	data  []byte
	err   error
}

// Open opens an object by fetching its first block. Small objects need no other request.
func Open(path string) (*Object, error) {
	at, err := locate(path)
	if err != nil {
		return nil, err
	}
	o := &Object{at: at, blocks: map[int64]*block{}}
	o.Path = path
	o.ctx, o.stop = context.WithCancel(until())
	header := map[string]string{"Range": fmt.Sprintf("bytes=0-%d", blockSize-1)}
	answer, err := at.send(o.ctx, call{method: http.MethodGet, header: header})
	if fault, ok := errors.AsType[*objects.Fault](err); ok && fault.Status == http.StatusRequestedRangeNotSatisfiable {
		return o, nil // it is empty
	}
	if err == nil {
		err = o.begin(answer)
	}
	if err == nil {
		err = o.compareWithList()
	}
	if err != nil {
		return nil, errors.Join(err, o.Close())
	}
	return o, nil
}

// begin takes what the first answer says about the object, and its content.
func (o *Object) begin(answer *http.Response) (err error) {
	if fault := o.at.foreign(answer.Header); fault != nil {
		answer.Body.Close()
		return fault
	}
	o.ETag, o.Size = answer.Header.Get("ETag"), answer.ContentLength
	if _, total, ranged := strings.Cut(answer.Header.Get("Content-Range"), "/"); ranged {
		o.Size, err = strconv.ParseInt(total, 10, 64)
	} else if o.Size < 0 || o.Size > blockSize {
		err = errors.ErrUnsupported
	}
	if err != nil {
		answer.Body.Close()
		return &objects.Fault{Path: o.Path, Msg: "the server does not give parts of this file", Hint: "download it first"}
	}
	o.expect(answer.Header)
	first := &block{ready: make(chan struct{}), data: make([]byte, min(o.Size, blockSize))}
	o.blocks[0], o.recent = first, []int64{0}
	defer close(first.ready)
	n, _ := read(answer, first.data)
	return o.fill(first.data, 0, n)
}

// expect finds the checksum of the object: a CRC-32C, or an MD5, which may be the ETag of what came in one part.
func (o *Object) expect(header http.Header) {
	crc := header.Get("X-Amz-Checksum-Crc32c")
	if _, after, ok := strings.Cut(strings.Join(header.Values("X-Goog-Hash"), ","), "crc32c="); ok {
		crc, _, _ = strings.Cut(after, ",")
	}
	want, err := base64.StdEncoding.DecodeString(crc)
	if err == nil && len(want) == crc32.Size && header.Get("X-Amz-Checksum-Type") != "COMPOSITE" {
		o.want, o.sum = want, crc32.New(castagnoli)
		return
	}
	if want, err = base64.StdEncoding.DecodeString(header.Get("X-Ms-Blob-Content-Md5")); err != nil || len(want) == 0 {
		want, err = hex.DecodeString(strings.Trim(o.ETag, `"`))
	}
	if err == nil && len(want) == md5.Size && !o.at.web && header.Get("X-Amz-Server-Side-Encryption") != "aws:kms" {
		o.want, o.sum = want, md5.New()
	}
}

// compareWithList returns an error if the object that came is not the one that the store has listed.
func (o *Object) compareWithList() error {
	said, ok := known.Load(o.Path)
	if !ok || said == true {
		return nil
	}
	listed := said.(objects.Info)
	if listed.Size == o.Size && (listed.ETag == "" || o.ETag == "" || bare(listed.ETag) == bare(o.ETag)) {
		return nil
	}
	known.Delete(o.Path) // the next attempt asks anew
	msg := fmt.Sprintf("%d bytes with the ETag %s came, and the store listed %d bytes with %s: the object has changed, or "+
		"something else answers", o.Size, bare(o.ETag), listed.Size, bare(listed.ETag))
	return &objects.Fault{Path: o.Path, Msg: msg, Hint: "run the command again, and " + elsewhere}
}

// fill fetches the rest of a block of which n bytes are there.
func (o *Object) fill(data []byte, offset int64, n int) error {
	for try := 1; n < len(data); try++ {
		header := map[string]string{"Range": fmt.Sprintf("bytes=%d-%d", offset+int64(n), offset+int64(len(data))-1)}
		if o.ETag != "" && !strings.HasPrefix(o.ETag, "W/") {
			header["If-Match"] = o.ETag
		}
		answer, err := o.at.send(o.ctx, call{method: http.MethodGet, header: header})
		if err != nil {
			return err
		}
		if answer.StatusCode != http.StatusPartialContent || answer.Header.Get("ETag") != o.ETag {
			answer.Body.Close()
			return &objects.Fault{Path: o.Path, Msg: changed, Hint: "run the command again"}
		}
		m, err := read(answer, data[n:])
		if n += m; n < len(data) && try == tries {
			return o.at.fault(err)
		} else if n < len(data) {
			pause(o.ctx, try)
		}
	}
	return nil
}

// get returns a block when it is there, and has those behind it fetched if the two before it were read: what is wanted
// of a column may reach into a second block.
func (o *Object) get(i int64) ([]byte, error) {
	o.mutex.Lock()
	b := o.start(i)
	if o.blocks[i-1] != nil && o.blocks[i-2] != nil {
		for next := i + 1; next <= i+ahead && next*blockSize < o.Size; next++ {
			o.start(next)
		}
	}
	for len(o.recent) > kept {
		delete(o.blocks, o.recent[0])
		o.recent = o.recent[1:]
	}
	o.mutex.Unlock()
	<-b.ready
	return b.data, b.err
}

// start begins to fetch a block unless it is there.
func (o *Object) start(i int64) *block {
	if at := slices.Index(o.recent, i); at >= 0 {
		o.recent = append(slices.Delete(o.recent, at, at+1), i)
		return o.blocks[i]
	}
	b := &block{ready: make(chan struct{})}
	o.blocks[i], o.recent = b, append(o.recent, i)
	go func() {
		defer close(b.ready)
		b.err = guard.Try(func() error {
			b.data = make([]byte, min(blockSize, o.Size-i*blockSize))
			return o.fill(b.data, i*blockSize, 0)
		})
	}()
	return b
}

// ReadAt implements io.ReaderAt.
func (o *Object) ReadAt(p []byte, offset int64) (n int, err error) {
	for n < len(p) {
		at := offset + int64(n)
		if at >= o.Size {
			return n, io.EOF
		}
		data, err := o.get(at / blockSize)
		if err != nil {
			return n, err
		}
		n += copy(p[n:], data[at%blockSize:])
	}
	return n, nil
}

// Read reads the object from its beginning. At its end the content is compared with the checksum that the store gave.
func (o *Object) Read(p []byte) (int, error) {
	if o.pos < o.Size {
		n, err := o.ReadAt(p[:min(int64(len(p)), o.Size-o.pos)], o.pos)
		if o.pos += int64(n); o.sum != nil {
			o.sum.Write(p[:n])
		}
		return n, err
	}
	if o.sum != nil && o.Size > 0 && !bytes.Equal(o.sum.Sum(nil), o.want) {
		msg := fmt.Sprintf("its bytes changed on the way: their checksum is %x, the store says %x", o.sum.Sum(nil),
			o.want)
		return 0, &objects.Fault{Path: o.Path, Msg: msg, Hint: "run the command again"}
	}
	return 0, io.EOF
}

// ReadRange fills p from a place of the object by several requests at once, and keeps nothing. Any goroutine may call
// it.
func (o *Object) ReadRange(p []byte, offset int64) error {
	faults := make([]error, (len(p)+blockSize-1)/blockSize)
	var group guard.Group
	slots := make(chan struct{}, ahead)
	for i := range faults {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			begin := i * blockSize
			faults[i] = o.fill(p[begin:min(begin+blockSize, len(p))], offset+int64(begin), 0)
		})
	}
	group.Wait()
	return errors.Join(faults...)
}

// Len returns the size of the object in bytes.
func (o *Object) Len() int64 { return o.Size }

// Close gives up what is still being fetched. It may be called twice.
func (o *Object) Close() error {
	o.stop()
	return nil
}

// opening are objects that will be wanted soon: functions that wait for them, by path.
var opening sync.Map

// Prepare begins to open objects, so that those of many small files do not wait for each other. Take returns each.
func Prepare(paths ...string) {
	for _, path := range paths {
		if _, there := opening.Load(path); objects.Is(path) && !there {
			open := sync.OnceValues(func() (*Object, error) { return Open(path) })
			opening.Store(path, open)
			go open()
		}
	}
}

// Take opens an object, or returns the one that Prepare opened.
func Take(path string) (*Object, error) {
	if open, there := opening.LoadAndDelete(path); there {
		return open.(func() (*Object, error))()
	}
	return Open(path)
}
