package sweep

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/human"
)

// Verifiable reports whether path is a file that Verify knows: the plan of a sweep, or the record of one of its runs.
func Verifiable(path string) bool {
	if filepath.Base(path) == planFile {
		return true
	}
	_, ok := recordOf(path)
	return ok && Has(filepath.Dir(filepath.Dir(path)))
}

// recordOf returns the run whose record has the given path.
func recordOf(path string) (r Run, ok bool) {
	name := filepath.Base(path)
	_, err := fmt.Sscanf(name, "k%d-seed%d.json", &r.Topics, &r.Seed)
	return r, err == nil && name == r.Name()+".json"
}

// Verify compares a file with its checksum and with the sweep that it is in, and returns in words what it is. A record must
// belong to the model that was kept of its run.
func Verify(path string) (what string, err error) {
	r, ok := recordOf(path)
	if !ok {
		p, err := readPlan(filepath.Dir(path))
		return fmt.Sprintf("the plan of a sweep of %s", human.Of(len(p.Topics)*p.Seeds, "run")), err
	}
	dir := filepath.Dir(filepath.Dir(path))
	p, err := readPlan(dir)
	if err != nil {
		return "", err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	rec, err := parseRecord(b, r, p.digest())
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	s := Sweep{dir: dir}
	if m, err := topoi.Open(s.modelDir(r)); err == nil { // a model that is damaged has a line of its own
		defer m.Close()
		if m.Fingerprint() != rec.Fingerprint {
			return "", fmt.Errorf("%s: it is the record of a model with fingerprint %s, and %s has %s", path, rec.Fingerprint, s.modelDir(r), m.Fingerprint())
		}
	}
	return "the record of a run with " + human.Of(r.Topics, "topic"), nil
}
