package topoi

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// The checkpoint file, version 1. docs/formats.md has the grammar:
//
//	magic, major uint16, minor uint16, length uint32   16 bytes
//	header                                             JSON, then spaces up to length
//	z                                                  uint16[N] if K ≤ 65536, else uint32[N]
//	extra                                              the sampler's own bytes, usually none
//	checksum                                           XXH3-128 of everything before
const (
	checkpointMagic  = "\x89tpck\r\x1a\n"
	checkpointMajor  = 1 // changes when an old reader could misread the file
	checkpointParts  = 2 // the major version of files whose z is elsewhere
	checkpointSample = 2 // is added to the version where the held-out documents are a sample
	checkpointMinor  = 0 // changes when an old reader may ignore what is new
	checkpointPrefix = 16
	checkpointDigest = 16
	checkpointAlign  = 8 // of z, so that it can be seen in a memory map
)

// ErrCheckpoint is wrapped by every error about a checkpoint file that can be
// opened but not used: something else, damaged, or of another version.
var ErrCheckpoint = errors.New("unusable checkpoint")

// checkpointHeader is the JSON part: the checkpoint without z.
type checkpointHeader struct {
	Options   Options    `json:"options"`
	Corpus    string     `json:"corpus_fingerprint"`
	Pseudo    string     `json:"pseudo_counts,omitempty"`
	Iteration int        `json:"iteration"`
	Stopped   StopReason `json:"stopped,omitempty"`
	Alpha     []float64  `json:"alpha"`
	Beta      float64    `json:"beta"`

	Columns *Covariates `json:"covariates,omitempty"`
	History []Score     `json:"history"`
	Tokens  int         `json:"tokens"`
	Extra   int         `json:"extra_bytes,omitempty"`

	// Parts names the files of a run that keeps its tokens in files; there is no z
	// then.
	Parts json.RawMessage `json:"parts,omitempty"`
}

// writeCheckpoint replaces the checkpoint at path, whole or not at all, and
// returns the file's size. However the process or the machine stops meanwhile,
// the old checkpoint or the new one is there afterwards.
func writeCheckpoint(path string, c *checkpoint) (int64, error) {
	f, err := wholefile.CreateShared(path)
	if err != nil {
		return 0, err
	}
	defer f.Abort()
	size, err := encodeCheckpoint(wholefile.Early(f.File), c)
	if err != nil {
		return 0, wholefile.Explain(path, err)
	}
	return size, f.Commit()
}

func encodeCheckpoint(w io.Writer, c *checkpoint) (int64, error) {
	header, err := json.Marshal(checkpointHeader{
		Options: c.Options, Corpus: c.Corpus, Pseudo: c.Pseudo, Iteration: c.Iteration, Stopped: c.Stopped,
		Alpha: c.Alpha, Beta: c.Beta, Columns: c.Columns, History: c.History, Tokens: c.Topics.Len(), Extra: len(c.Extra), Parts: c.Parts,
	})
	if err != nil {
		return 0, err
	}
	for len(header)%checkpointAlign != 0 {
		header = append(header, ' ')
	}
	prefix := []byte(checkpointMagic)
	major := uint16(checkpointMajor)
	if c.Parts != nil {
		major = checkpointParts
	}
	if c.Options.sampled() {
		major += checkpointSample
	}
	prefix = binary.LittleEndian.AppendUint16(prefix, major)
	prefix = binary.LittleEndian.AppendUint16(prefix, checkpointMinor)
	prefix = binary.LittleEndian.AppendUint32(prefix, uint32(len(header)))

	s := wholefile.NewSummed(w)
	if err := s.Put(append(prefix, header...)); err != nil {
		return 0, err
	}
	if err := c.Topics.EachChunk(len(c.Alpha), s.Put); err != nil {
		return 0, err
	}
	if err := s.Put(c.Extra); err != nil {
		return 0, err
	}
	n, err := w.Write(s.Sum())
	return s.Size + int64(n), err
}

// readCheckpoint reads a checkpoint file. A file that cannot be opened gives
// an error of package os, any other fault one that wraps ErrCheckpoint.
func readCheckpoint(path string) (*checkpoint, error) {
	f, err := mapfile.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no checkpoint at %s: %w", path, os.ErrNotExist)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the checkpoint: %w", err)
	}
	defer f.Close()
	c, err := decodeCheckpoint(f.Data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrCheckpoint, err)
	}
	return c, nil
}

// peekCheckpoint returns the options in the header of a checkpoint, without looking at the rest, and so without its
// checksum.
func peekCheckpoint(path string) (Options, error) {
	f, err := os.Open(path)
	if err != nil {
		return Options{}, err
	}
	defer f.Close()
	prefix := make([]byte, checkpointPrefix)
	if _, err := io.ReadFull(f, prefix); err != nil || !bytes.HasPrefix(prefix, []byte(checkpointMagic)) {
		return Options{}, ErrCheckpoint
	}
	var h checkpointHeader
	err = json.NewDecoder(io.LimitReader(f, int64(binary.LittleEndian.Uint32(prefix[12:])))).Decode(&h)
	return h.Options, err
}

// decodeCheckpoint takes the whole file, which must be aligned as memory maps are.
func decodeCheckpoint(b []byte) (*checkpoint, error) {
	if !bytes.HasPrefix(b, []byte(checkpointMagic)) {
		return nil, errors.New("the file is not a checkpoint; give the one that training wrote")
	}
	if len(b) < checkpointPrefix+checkpointDigest {
		return nil, fmt.Errorf("the file is truncated: it has only %d bytes; train from the start", len(b))
	}
	le := binary.LittleEndian
	if major := le.Uint16(b[8:]); major < checkpointMajor || major > checkpointParts+checkpointSample {
		return nil, fmt.Errorf("it has version %d.%d and this program reads versions %d to %d; resume with the program that wrote it",
			major, le.Uint16(b[10:]), checkpointMajor, checkpointParts+checkpointSample)
	}
	body, want := b[:len(b)-checkpointDigest], b[len(b)-checkpointDigest:]
	if got := xxh3.Hash128(body).Bytes(); !bytes.Equal(got[:], want) {
		return nil, errors.New("the checksum does not match: the file is truncated or was changed; copy it again or train from the start")
	}
	length := int(le.Uint32(b[12:]))
	if length > len(body)-checkpointPrefix || length%checkpointAlign != 0 {
		return nil, fmt.Errorf("the header of %d bytes does not fit into the file; train from the start", length)
	}
	var h checkpointHeader
	if err := json.Unmarshal(body[checkpointPrefix:checkpointPrefix+length], &h); err != nil {
		return nil, fmt.Errorf("the header is not valid (%w); train from the start", err)
	}
	if string(h.Parts) == "null" {
		h.Parts = nil
	}
	rest := body[checkpointPrefix+length:]
	if h.Extra < 0 || h.Extra > len(rest) {
		return nil, fmt.Errorf("the sampler's %d bytes do not fit into the file; train from the start", h.Extra)
	}
	split := len(rest) - h.Extra
	z, err := topics.Decode(rest[:split], h.Tokens, len(h.Alpha))
	if err != nil {
		return nil, fmt.Errorf("%w; train from the start", err)
	}
	return &checkpoint{
		Options: h.Options, Corpus: h.Corpus, Pseudo: h.Pseudo, Iteration: h.Iteration, Stopped: h.Stopped,
		Alpha: h.Alpha, Beta: h.Beta, Columns: h.Columns, History: h.History, Topics: topics.List{Wide: z}, Parts: h.Parts,
		Extra: append([]byte(nil), rest[split:]...),
	}, nil
}
