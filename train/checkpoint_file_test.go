package train

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zeebo/xxh3"
	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/statefile"
	"github.com/topoi-lda/topoi/internal/topics"
)

// drawCheckpoint draws any checkpoint with K topics.
func drawCheckpoint(t *rapid.T) *checkpoint {
	k := rapid.SampledFrom([]int{1, 2, 100, 65536, 65537}).Draw(t, "k")
	n := rapid.IntRange(0, 300).Draw(t, "n")
	c := &checkpoint{
		Options:   topoi.Options{Sampler: "sparse", Seed: rapid.Uint64().Draw(t, "seed"), Beta: 0.01},
		Corpus:    rapid.StringMatching("[0-9a-f]{32}").Draw(t, "corpus"),
		Iteration: rapid.IntRange(0, 1<<40).Draw(t, "iteration"),
		Alpha:     make([]float64, k),
		Beta:      rapid.Float64Range(1e-300, 1e300).Draw(t, "beta"),
		Topics:    topics.List{Wide: make([]uint32, n)},
	}
	for i := range c.Alpha {
		c.Alpha[i] = 1 / float64(i+1)
	}
	c.Alpha[0] = rapid.Float64Range(1e-300, 1e300).Draw(t, "alpha")
	for i := range c.Topics.Wide {
		c.Topics.Wide[i] = rapid.Uint32Range(0, uint32(k-1)).Draw(t, "z")
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "scores") {
		heldout := rapid.Float64Range(-20, 0).Draw(t, "heldout")
		c.History = append(c.History, topoi.Score{Iteration: i, LogLikelihood: -1 / float64(i+3), Heldout: &heldout})
	}
	return c
}

func TestCheckpointRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.checkpoint")
	rapid.Check(t, func(t *rapid.T) {
		want := drawCheckpoint(t)
		size, err := writeCheckpoint(path, want)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() != size {
			t.Fatalf("said %d bytes, wrote %v, %v", size, info, err)
		}
		got, err := readCheckpoint(path)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("read %+v, wrote %+v", got, want)
		}
	})
}

// TestCheckpointDamage cuts a checkpoint at every length and flips every byte.
func TestCheckpointDamage(t *testing.T) {
	c := &checkpoint{Options: topoi.Options{Sampler: "gibbs"}, Iteration: 7, Alpha: []float64{1, 2, 3}, Beta: 0.5, Topics: topics.List{Wide: []uint32{0, 1, 2, 2, 1}}}
	var whole bytes.Buffer
	if _, err := encodeCheckpoint(&whole, c); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "c")
	refuse := func(b []byte, what string, i int) {
		t.Helper()
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := readCheckpoint(path)
		if !errors.Is(err, ErrCheckpoint) {
			t.Fatalf("%s at %d: %v", what, i, err)
		}
		if strings.Count(err.Error(), "\n") > 0 || !strings.HasPrefix(err.Error(), path+": ") {
			t.Fatalf("%s at %d: not one sentence that names the file: %v", what, i, err)
		}
	}
	for i := range whole.Len() {
		refuse(whole.Bytes()[:i], "cut", i)
		b := bytes.Clone(whole.Bytes())
		b[i] ^= 0x10
		refuse(b, "altered", i)
	}
	refuse(append(bytes.Clone(whole.Bytes()), 0), "longer", whole.Len())
}

func TestCheckpointMessages(t *testing.T) {
	var b bytes.Buffer
	if _, err := encodeCheckpoint(&b, &checkpoint{Alpha: []float64{1}, Beta: 1}); err != nil {
		t.Fatal(err)
	}
	newer := bytes.Clone(b.Bytes())
	newer[8] = 5
	altered := bytes.Clone(b.Bytes())
	altered[20]++
	for _, test := range []struct {
		content []byte
		want    string
	}{
		{[]byte("docword"), "unusable checkpoint: the file is not a checkpoint; give the one that training wrote"},
		{nil, "unusable checkpoint: the file is not a checkpoint; give the one that training wrote"},
		{b.Bytes()[:20], "unusable checkpoint: the file is truncated: it has only 20 bytes; train from the start"},
		{newer, "unusable checkpoint: it has version 5.0 and this program reads versions 1 to 4; resume with the program that wrote it"},
		{altered, "unusable checkpoint: the checksum does not match: the file is truncated or was changed; copy it again or train from the start"},
	} {
		path := filepath.Join(t.TempDir(), "c")
		if err := os.WriteFile(path, test.content, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readCheckpoint(path); err == nil || err.Error() != path+": "+test.want {
			t.Errorf("%v\nwant %s: %s", err, path, test.want)
		}
	}
	_, err := readCheckpoint(filepath.Join(t.TempDir(), "none"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "there is no checkpoint at ") {
		t.Errorf("missing: %v", err)
	}
	if _, err := writeCheckpoint(filepath.Join(t.TempDir(), "no", "c"), &checkpoint{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing directory: %v", err)
	}
}

// FuzzReadCheckpoint checks that no bytes make a checkpoint that promises more than
// it holds. Without a checksum that is right no mutation would get far.
func FuzzReadCheckpoint(f *testing.F) {
	var b bytes.Buffer
	if _, err := encodeCheckpoint(&b, &checkpoint{Alpha: []float64{1, 2}, Beta: 1, Topics: topics.List{Wide: []uint32{1, 0, 1}}}); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:30])
	f.Fuzz(func(t *testing.T, content []byte) {
		aligned := mapfile.Aligned(len(content))
		copy(aligned, content)
		if n := len(aligned) - statefile.Digest; n >= statefile.Prefix {
			sum := xxh3.Hash128(aligned[:n]).Bytes()
			copy(aligned[n:], sum[:])
		}
		c, err := decodeCheckpoint(aligned)
		if err == nil && c.Topics.Len() > len(content) {
			t.Fatalf("%d topics out of %d bytes", c.Topics.Len(), len(content))
		}
	})
}

// killedCheckpoint names the file that a test process writes until it is killed.
const killedCheckpoint = "TOPOI_TEST_CHECKPOINT"

// bigCheckpoint is large enough that a kill often falls into its writing.
func bigCheckpoint(iteration int) *checkpoint {
	c := &checkpoint{Iteration: iteration, Alpha: make([]float64, 1000), Beta: 0.01, Topics: topics.List{Wide: make([]uint32, 1<<18)}}
	for i := range c.Topics.Wide {
		c.Topics.Wide[i] = uint32(i+iteration) % 1000
	}
	return c
}

// TestCheckpointSurvivesKill writes checkpoints in another process, kills that
// one at random moments, and must find a whole checkpoint each time.
func TestCheckpointSurvivesKill(t *testing.T) {
	if path := os.Getenv(killedCheckpoint); path != "" {
		for i := 1; ; i++ {
			if _, err := writeCheckpoint(path, bigCheckpoint(i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	program, err := os.Executable()
	if err != nil {
		t.Skip("the test program cannot find itself: ", err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "run.checkpoint")
	if _, err := writeCheckpoint(path, bigCheckpoint(0)); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for kill := range 12 {
		cmd := exec.Command(program, "-test.run=^TestCheckpointSurvivesKill$")
		cmd.Env = append(os.Environ(), killedCheckpoint+"="+path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.IntN(60)) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed, as it says
		got, err := readCheckpoint(path)
		if err != nil {
			t.Fatalf("after kill %d: %v", kill, err)
		}
		if !reflect.DeepEqual(got.Topics, bigCheckpoint(got.Iteration).Topics) {
			t.Fatalf("after kill %d: the topics are not those of iteration %d", kill, got.Iteration)
		}
	}
}
