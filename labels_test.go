package topoi

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/topoi-lda/topoi/internal/labelsfile"
	"github.com/topoi-lda/topoi/topic"
)

// A model whose labels.json is gone is refused until it is back, or until somebody removes the mark.
func TestLostLabels(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m")
	m := handModel(3)
	if err := errors.Join(m.SetLabels(topic.Labels{Names: map[int]string{1: "energy"}}), m.Save(dir, SaveOptions{})); err != nil {
		t.Fatal(err)
	}
	labels, mark := filepath.Join(dir, labelsfile.Name), filepath.Join(dir, labelsfile.Mark)
	text, err := os.ReadFile(labels)
	if err == nil {
		err = os.Remove(labels)
	}
	if err != nil {
		t.Fatal(err)
	}
	const want = "labels.json is missing, and topics of the model have names"
	if _, err := Open(dir); !errors.Is(err, ErrModelDamaged) || !strings.Contains(err.Error(), want) {
		t.Errorf("opened: %v", err)
	}
	if err := os.WriteFile(labels, text, 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := Open(dir)
	if err != nil || again.Label(1) != "energy" {
		t.Fatal(err)
	}
	defer again.Close()
	if err := os.Remove(labels); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Labels(); err != nil {
		t.Error(err) // they were read already
	}
	if err := os.Remove(mark); err != nil {
		t.Fatal(err)
	}
	without, err := Open(dir)
	if err != nil || without.Label(1) != "" {
		t.Fatal(err)
	}
	if err := errors.Join(without.SetLabels(topic.Labels{Hidden: []int{0}}), without.SetLabels(topic.Labels{}), without.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the mark stays without labels")
	}
}

// openGolden opens a copy of the frozen model, which tests may write to.
func openGolden(t *testing.T) (*Model, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "model")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("internal", "modelfile", "testdata", "model-v1"))); err != nil {
		t.Fatal(err)
	}
	m, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m, dir
}

func TestLabelsAreKeptBesideTheModel(t *testing.T) {
	m, dir := openGolden(t)
	fingerprint := m.Fingerprint()
	if l, err := m.Labels(); err != nil || !l.Empty() || m.Label(1) != "" {
		t.Fatalf("%+v, %v", l, err)
	}
	err := m.SetLabels(topic.Labels{Names: map[int]string{1: " energy & climate ", 2: ""}, Hidden: []int{2, 0, 2}})
	if err != nil {
		t.Fatal(err)
	}
	want := topic.Labels{Fingerprint: fingerprint, Names: map[int]string{1: "energy & climate"}, Hidden: []int{0, 2}}
	again, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	for _, m := range []*Model{m, again} {
		if l, err := m.Labels(); err != nil || !reflect.DeepEqual(l, want) || m.Label(1) != "energy & climate" || m.Fingerprint() != fingerprint {
			t.Errorf("%+v, %v; want %+v", l, err, want)
		}
	}
	if s := slices.Collect(again.Summary(nil, 1)); s[1].Label != "energy & climate" || s[0].Label != "" {
		t.Errorf("summary: %+v", s)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "labels.json")); string(b) != "{\n  \"fingerprint\": \""+fingerprint+"\",\n  \"labels\": {\n    \"1\": \"energy & climate\"\n  },\n  \"hidden\": [\n    0,\n    2\n  ],\n  \"checksum\": \"b16daf599675d1f008d3b4d97d0168cc\"\n}\n" {
		t.Errorf("labels.json is %s", b)
	}
	if err := m.SetLabels(topic.Labels{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "labels.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("empty labels leave a file: %v", err)
	}
}

// Labels go along when a model is saved, and keep a labelled model from being replaced.
func TestLabelsAreSavedWithTheModel(t *testing.T) {
	m, dir := openGolden(t)
	if err := m.SetLabels(topic.Labels{Names: map[int]string{0: "energy"}}); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "copy")
	if err := m.Save(to, SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	again, err := Open(to)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Label(0) != "energy" {
		t.Error("the copy has lost its labels")
	}
	if err := m.Save(dir, SaveOptions{Overwrite: true}); err == nil || !strings.Contains(err.Error(), "move that file first") {
		t.Errorf("a model with labels was replaced: %v", err)
	}
}

func TestLabelsRefused(t *testing.T) {
	m, dir := openGolden(t)
	for _, test := range []struct {
		labels topic.Labels
		want   string
	}{
		{topic.Labels{Fingerprint: "00"}, "names for topics of another model: they were made for the model with fingerprint 00, and this one has "},
		{topic.Labels{Names: map[int]string{3: "x", -1: "y"}}, "there is no topic -1: the model's topics are 0 to 2\nthere is no topic 3: the model's topics are 0 to 2"},
		{topic.Labels{Hidden: []int{3}}, "there is no topic 3"},
		{topic.Labels{Names: map[int]string{0: "a\x1b[31m"}}, `the name of topic 0 holds control characters or bytes that are not UTF-8: "a\x1b[31m"`},
		{topic.Labels{Names: map[int]string{0: "\xff"}}, "not UTF-8"},
		{topic.Labels{Names: map[int]string{0: strings.Repeat("ä", 201)}}, "the name of topic 0 has 201 characters: at most 200 are allowed"},
	} {
		if err := m.SetLabels(test.labels); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %s", test.labels, err, test.want)
		}
	}
	if err := m.SetLabels(topic.Labels{Fingerprint: "00"}); !errors.Is(err, topic.ErrOtherModel) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "labels.json")); err == nil {
		t.Error("refused labels were written")
	}
}

// A broken labels.json is an error of Labels, and does not keep a model from being opened.
func TestBrokenLabels(t *testing.T) {
	for content, want := range map[string]string{
		"{":                             "line 1: not valid JSON",
		"":                              "not valid JSON",
		"[1]":                           "this is not a file of names",
		`{"labels": {"x": "y"}}`:        "this is not a file of names",
		"{}":                            "this is not a file of names: it has neither",
		`{"labels": {"9": "y"}}`:        "there is no topic 9",
		`{"labels": {}} {"labels": {}}`: "not valid JSON",
	} {
		m, dir := openGolden(t)
		path := filepath.Join(dir, "labels.json")
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Labels(); err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), "; correct or remove that file") {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
		if m.Label(0) != "" {
			t.Errorf("%q gives topic 0 the name %q", content, m.Label(0))
		}
	}
}

func TestLabelsFromManyGoroutines(t *testing.T) {
	m, _ := openGolden(t)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if err := m.SetLabels(topic.Labels{Names: map[int]string{0: "energy"}}); err != nil {
				t.Error(err)
			}
			m.Label(0)
		})
	}
	group.Wait()
	if m.Label(0) != "energy" {
		t.Error("no label")
	}
}

// A flipped bit in labels.json is refused, or names are as they were.
func TestDamagedLabels(t *testing.T) {
	m, dir := openGolden(t)
	want := topic.Labels{Names: map[int]string{0: "energy", 1: "sports"}, Hidden: []int{1}}
	if err := m.SetLabels(want); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "labels.json")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 * len(whole) {
		b := slices.Clone(whole)
		b[i/8] ^= 1 << (i % 8)
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		l, err := m.labelStore.read()
		if err == nil && (!maps.Equal(l.Names, want.Names) || !slices.Equal(l.Hidden, want.Hidden)) {
			t.Errorf("silent: %s", b)
		}
		if i%97 == 0 {
			opened, fault := Open(dir)
			if fault == nil {
				_, fault = opened.Labels()
				fault = errors.Join(fault, opened.Close())
			}
			if (fault == nil) != (err == nil) {
				t.Errorf("a model that is opened says %v of %s", fault, b)
			}
		}
	}
}
