package train

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/modelfile"
)

// Outputs that cannot work are refused with a sentence that gives the reason.
func TestCheckOutput(t *testing.T) {
	c := sorted(90)
	dir := t.TempDir()
	file, full, model := filepath.Join(dir, "plain.csv"), filepath.Join(dir, "full"), filepath.Join(dir, "model")
	if err := os.WriteFile(file, []byte("a,b\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(full, "inside"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := mustTrain(t, c, topoi.Options{Topics: 2, Iterations: 1}).Save(model, topoi.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	opts := topoi.Options{Topics: 2}
	lost := opts
	lost.Checkpoint = filepath.Join(dir, "no", "checkpoint")
	for _, test := range []struct {
		path string
		opts topoi.Options
		save topoi.SaveOptions
		want string
	}{
		{filepath.Join(dir, "new"), opts, topoi.SaveOptions{}, ""},
		{model, opts, topoi.SaveOptions{Overwrite: true}, ""},
		{model, opts, topoi.SaveOptions{}, "choose another name or allow overwriting"},
		{file, opts, topoi.SaveOptions{Overwrite: true}, "plain.csv exists and is not a topoi model"},
		{full, opts, topoi.SaveOptions{Overwrite: true}, "full exists and is not a topoi model"},
		{filepath.Join(dir, "no", "new"), opts, topoi.SaveOptions{}, "does not exist; make it first"},
		{filepath.Join(file, "new"), opts, topoi.SaveOptions{}, "cannot write"},
		{filepath.Join(dir, "new"), lost, topoi.SaveOptions{}, "no/checkpoint: the directory"},
	} {
		err := CheckOutput(test.path, c, test.opts, test.save)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", test.path, err, test.want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// The predicted size is the size that is written, without manifest, rows, header and
// padding, and never more: a disk that is a byte too small for it is refused.
func TestCheckRoom(t *testing.T) {
	defer func() { freeBytes = machine.DiskFree }()
	c := zipf(300)
	path := filepath.Join(t.TempDir(), "c.topoi")
	if err := c.Save(path); err != nil {
		t.Fatal(err)
	}
	opts := topoi.Options{Topics: 5, Iterations: 2, Holdout: 0.2, Checkpoint: filepath.Join(t.TempDir(), "ck")}.WithDefaults()
	dir := filepath.Join(t.TempDir(), "model")
	if err := mustTrain(t, c, opts).Save(dir, topoi.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	written := uint64(0)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == modelfile.Manifest || e.Name() == modelfile.Rows {
			continue
		}
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		written += uint64(info.Size())
	}
	model, checkpoint, err := outputBytes(t.TempDir(), c, options{opts})
	if err != nil || model > written || model < written-2000 {
		t.Errorf("predicted %d bytes, written %d, %v", model, written, err)
	}
	if info, err := os.Stat(opts.Checkpoint); err != nil || checkpoint > uint64(info.Size()) || checkpoint < uint64(info.Size())-2000 {
		t.Errorf("predicted a checkpoint of %d bytes: %v, %v", checkpoint, info, err)
	}
	target := filepath.Join(t.TempDir(), "new")
	free := model + checkpoint
	freeBytes = func(string) (uint64, bool) { return free, true }
	if err := CheckOutput(target, c, opts, topoi.SaveOptions{}); err != nil {
		t.Error(err)
	}
	free--
	if err := CheckOutput(target, c, opts, topoi.SaveOptions{}); err == nil || !strings.Contains(err.Error(), "the model and its checkpoint needs at least ") || !strings.HasSuffix(err.Error(), "free some space, or choose another place") {
		t.Error(err)
	}
	freeBytes = func(string) (uint64, bool) { return 0, false }
	if err := CheckOutput(target, c, opts, topoi.SaveOptions{}); err != nil {
		t.Errorf("an unknown disk: %v", err)
	}
}

func TestStartWarnings(t *testing.T) {
	for _, test := range []struct {
		start topoi.StartInfo
		want  int
	}{
		{topoi.StartInfo{Topics: 5, Docs: 5, Words: 5}, 0},
		{topoi.StartInfo{Topics: 6, Docs: 5, Words: 6}, 1},
		{topoi.StartInfo{Topics: 6, Docs: 6, Words: 5}, 1},
		{topoi.StartInfo{Topics: 6, Docs: 5, Words: 5}, 2},
	} {
		if got := test.start.Warnings(); len(got) != test.want {
			t.Errorf("%+v: %q", test.start, got)
		}
	}
}

// Models say which program made them, and their fingerprint does not.
func TestModelRecordsTheProgram(t *testing.T) {
	c := themed(30)
	opts := topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 2}
	plain := mustTrain(t, c, opts)
	opts.Program = "v9.8.7"
	m := mustTrain(t, c, opts)
	if m.Manifest().Program != "v9.8.7" || plain.Manifest().Program == "v9.8.7" || m.Fingerprint() != plain.Fingerprint() {
		t.Errorf("programs %q and %q, fingerprints %s and %s", m.Manifest().Program, plain.Manifest().Program, m.Fingerprint(), plain.Fingerprint())
	}
	dir := filepath.Join(t.TempDir(), "m")
	if err := m.Save(dir, topoi.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	opened, err := topoi.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if opened.Manifest().Program != "v9.8.7" {
		t.Errorf("the saved model was made by %q", opened.Manifest().Program)
	}
	old, err := topoi.Open(filepath.Join("..", "internal", "modelfile", "testdata", "model-v1"))
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if old.Manifest().Program != "" {
		t.Errorf("an old model was made by %q", old.Manifest().Program)
	}
}
