// Package statefile is the form of a checkpoint file, whatever its header says:
//
//	magic, major uint16, minor uint16, length uint32   16 bytes
//	header                                             JSON, then spaces up to length
//	body                                               bytes, of which the header says how many there are
//	checksum                                           XXH3-128 of everything before
package statefile

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/wholefile"
)

const (
	magic = "\x89tpck\r\x1a\n"
	minor = 0 // changes when an old reader may ignore what is new

	Prefix = 16 // bytes before the header
	Digest = 16 // bytes of the checksum
	align  = 8  // of the body, so that it can be seen in a memory map
)

// errOther is returned for a file that begins in another way.
var errOther = errors.New("the file is not a checkpoint; give the one that training wrote")

// Encode writes a file of a major version, whose body each hands over piece by piece, and returns its size.
func Encode(w io.Writer, major int, header any, each func(put func([]byte) error) error) (int64, error) {
	text, err := json.Marshal(header)
	if err != nil {
		return 0, err
	}
	for len(text)%align != 0 {
		text = append(text, ' ')
	}
	prefix := []byte(magic)
	prefix = binary.LittleEndian.AppendUint16(prefix, uint16(major))
	prefix = binary.LittleEndian.AppendUint16(prefix, minor)
	prefix = binary.LittleEndian.AppendUint32(prefix, uint32(len(text)))
	s := wholefile.NewSummed(w)
	if err := s.Put(append(prefix, text...)); err != nil {
		return 0, err
	}
	if err := each(s.Put); err != nil {
		return 0, err
	}
	n, err := w.Write(s.Sum())
	return s.Size + int64(n), err
}

// Decode reads the header of a whole file, whose major version must be 1 to most, and returns the body.
func Decode(b []byte, most int, header any) (body []byte, err error) {
	if !bytes.HasPrefix(b, []byte(magic)) {
		return nil, errOther
	}
	if len(b) < Prefix+Digest {
		return nil, fmt.Errorf("the file is truncated: it has only %d bytes; train from the start", len(b))
	}
	le := binary.LittleEndian
	if major := int(le.Uint16(b[8:])); major < 1 || major > most {
		return nil, fmt.Errorf("it has version %d.%d and this program reads versions 1 to %d; "+
			"resume with the program that wrote it", major, le.Uint16(b[10:]), most)
	}
	all, want := b[:len(b)-Digest], b[len(b)-Digest:]
	if got := xxh3.Hash128(all).Bytes(); !bytes.Equal(got[:], want) {
		return nil, errors.New("the checksum does not match: the file is truncated or was changed; copy it again or train from the start")
	}
	length := int(le.Uint32(b[12:]))
	if length > len(all)-Prefix || length%align != 0 {
		return nil, fmt.Errorf("the header of %d bytes does not fit into the file; train from the start", length)
	}
	if err := json.Unmarshal(all[Prefix:Prefix+length], header); err != nil {
		return nil, fmt.Errorf("the header is not valid (%w); train from the start", err)
	}
	return all[Prefix+length:], nil
}

// Peek reads the header of a file without looking at the rest, and so without its checksum. A nil header is not read.
func Peek(path string, header any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	prefix := make([]byte, Prefix)
	if n, err := io.ReadFull(f, prefix); !bytes.HasPrefix(prefix[:n], []byte(magic)) || err != nil && header != nil {
		return errOther
	}
	if header == nil {
		return nil
	}
	return json.NewDecoder(io.LimitReader(f, int64(binary.LittleEndian.Uint32(prefix[12:])))).Decode(header)
}

// Before names the file that was there before the last one.
func Before(path string) string { return path + ".before" }

// KeepBefore keeps the file that is about to be replaced.
func KeepBefore(path string) error {
	before := Before(path)
	if err := os.Remove(before); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Link(path, before); err != nil && !errors.Is(err, os.ErrNotExist) {
		return wholefile.Explain(before, err)
	}
	return nil
}
