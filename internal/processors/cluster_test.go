package processors

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/redistest"
)

// Workers on different processors train one job, and make the model that one machine makes alone.
func TestWorkersOnDifferentProcessors(t *testing.T) {
	processors := named(t)
	store := redistest.Start(t, redistest.Config{}).URL()
	here, dir := native(t), t.TempDir()
	run := func(m *machine, arguments string) string {
		t.Helper()
		c := m.command(t, strings.Fields(arguments)...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil {
			t.Errorf("%s: topoi %s: %v\n%s", m.name, arguments, err, out)
		}
		return string(out)
	}
	run(here, "generate -o c.topoi --docs 3000 --words 3000 --topics 40 --quiet") // several parts
	for _, processor := range processors {
		for _, sampler := range []string{"batch", "warp"} {
			t.Run(processor+"/"+sampler, func(t *testing.T) {
				options := "c.topoi -k 40 --iterations 6 --burn-in 2 --tolerance 0 --quiet --sampler " + sampler
				job := " --store " + store + " --job " + processor + "." + sampler
				run(here, "train -o one.model --overwrite "+options)
				run(here, "cluster submit --workers 2 "+options+job)
				done := make(chan string)
				for _, worker := range []*machine{here, emulated(t, processor)} {
					go func() { done <- run(worker, "cluster work --threads 1 --log text --name "+worker.name+job) }()
				}
				run(here, "cluster result -o both.model --wait --overwrite"+job)
				logs := <-done + <-done
				for _, worker := range []string{here.name, processor} {
					if !strings.Contains(logs, "worker="+worker) {
						t.Errorf("%s did no work:\n%s", worker, logs)
					}
				}
				for _, name := range []string{"topics.u16", "rows.u32", "alpha.f64"} {
					one, errOne := os.ReadFile(filepath.Join(dir, "one.model", name))
					both, errBoth := os.ReadFile(filepath.Join(dir, "both.model", name))
					if errOne != nil || errBoth != nil || !bytes.Equal(one, both) {
						t.Errorf("%s differs from that of one machine: %v, %v", name, errOne, errBoth)
					}
				}
			})
		}
	}
}
