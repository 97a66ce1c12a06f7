package sweep

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/sealed"
)

// A sweep whose models are measured while the next ones are trained ends as one that does
// one thing after the other, and tells of every run once.
func TestMeasuringBesideTraining(t *testing.T) {
	c, dir := small(t)
	plain := do(t, dir+"/plain", c, smallOptions(), false)
	was := beside
	defer func() { beside = was }()
	beside = func(string) bool { return true }
	var begun, done []Run
	o := smallOptions()
	o.Events.Begin = func(r RunInfo) { begun = append(begun, r.Run) }
	o.Events.Done = func(r RunInfo) { done = append(done, r.Run) }
	do(t, dir+"/beside", c, o, false)
	if got, want := read(t, dir, "beside", "sweep.csv"), read(t, dir, "plain", "sweep.csv"); got != want {
		t.Errorf("sweep.csv is\n%s, want\n%s", got, want)
	}
	if len(plain.Groups) < 2 || !slices.Equal(begun, done) {
		t.Errorf("begun %v, done %v", begun, done)
	}
}

// Damage to what a sweep goes on from is a sentence, never another recommendation: other values, the record of another run or
// sweep, a missing field. Records of earlier versions, which have no checksum, are taken if they can be.
func TestDamagedRecords(t *testing.T) {
	c, dir := small(t)
	o := smallOptions()
	o.Topics, o.Seeds, o.Keep, o.Pages = []int{2, 3}, 1, keepNone, keepNone
	do(t, dir, c, o, false)
	record := filepath.Join(dir, "runs", "k3-seed7.json")
	whole := read(t, dir, "runs/k3-seed7.json")
	unsealed := regexp.MustCompile(`,\s*"checksum": "[0-9a-f]+"`).ReplaceAllString(whole, "")
	unsealed = regexp.MustCompile(`\s*"sweep": "[0-9a-f]+",`).ReplaceAllString(unsealed, "")
	for name, x := range map[string]struct{ content, want string }{
		"as it was":           {whole, ""},
		"of an old version":   {unsealed, ""},
		"another score":       {regexp.MustCompile(`"heldout": -\d`).ReplaceAllString(whole, `"heldout": -1`), "checksum does not match"},
		"another run":         {read(t, dir, "runs/k2-seed7.json"), "it is the record of k2-seed7"},
		"no totals":           {strings.Replace(whole, `"totals"`, `"totale"`, 1), "checksum does not match"},
		"old, no totals":      {strings.Replace(unsealed, `"totals"`, `"totale"`, 1), "it has 0 totals and 3 lists"},
		"old, no words":       {strings.Replace(unsealed, `"top"`, `"tip"`, 1), "it has 3 totals and 0 lists"},
		"old, no values":      {strings.Replace(unsealed, `"values"`, `"volues"`, 1), "it has no measures"},
		"old, no topics":      {strings.Replace(unsealed, `"by_topic"`, `"by_tpoic"`, 1), "it has no measures"},
		"old, other words":    {regexp.MustCompile(`"top": \[\s*\[\s*\d`).ReplaceAllString(unsealed, `"top": [[-5`), "it names word"},
		"old, another run":    {strings.Replace(unsealed, `"seed": 7`, `"seed": 8`, 1), "it is the record of k3-seed8"},
		"no JSON":             {"{", "unexpected end"},
		"of another sweep":    {reseal(t, strings.Replace(unsealed, `"sampler"`, `"sweep": "17", "sampler"`, 1)), "of another sweep"},
		"of no sweep at all":  {reseal(t, unsealed), "of another sweep"},
		"old, tokens missing": {strings.Replace(unsealed, `"tokens": `, `"tokens": 1`, 1), "tokens together"},
	} {
		if err := os.WriteFile(record, []byte(x.content), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Begin(dir, c, o, true)
		if err == nil {
			_, err = s.Run(t.Context())
		}
		if _, fault := Dir(dir).Verify(record); (fault != nil) != (x.want != "") && !strings.Contains(x.want, "names word") {
			t.Errorf("%s: Verify: %v", name, fault)
		}
		if x.want == "" && err != nil || x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)) {
			t.Errorf("%s: %v, want %q", name, err, x.want)
		}
	}
	plan := filepath.Join(dir, planFile)
	if what, err := Dir(dir).Verify(plan); err != nil || what != "the plan of a sweep of 2 runs" || !Dir(dir).Has(plan) ||
		!Dir(dir).Has(record) || Dir(dir).Has(dir) {
		t.Errorf("%q, %v", what, err)
	}
	if err := os.WriteFile(plan, []byte(strings.Replace(read(t, dir, planFile), `"seeds": 1`, `"seeds": 3`, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Begin(dir, c, o, true); err == nil || !strings.Contains(err.Error(), "checksum does not match") {
		t.Errorf("an altered plan: %v", err)
	}
}

// reseal gives JSON a checksum that is right.
func reseal(t *testing.T, text string) string {
	t.Helper()
	b, err := sealed.Marshal(json.RawMessage(text), "\t")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
