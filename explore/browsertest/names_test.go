package browsertest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"github.com/topoi-lda/topoi/explore"
	"github.com/topoi-lda/topoi/internal/labelsfile"
	"github.com/topoi-lda/topoi/topic"
)

// Topics are renamed and hidden in the page, survive a reload, and leave it as a
// labels.json that the model takes.
func TestNames(t *testing.T) {
	m := trained(t, storyCorpus(120), 6, 20)
	if err := m.SetLabels(topic.Labels{Names: map[int]string{4: "given"}}); err != nil {
		t.Fatal(err)
	}
	p := openModel(t, m, explore.Options{})
	p.goTo("#/topic/4")
	if got := eval[string](p, `document.getElementById("rename").value`); got != "given" {
		t.Errorf("the model's name is shown as %q", got)
	}
	p.goTo("#/topic/2")
	p.typeInto("#rename", "ships & <b>sails</b>\r")
	p.waitFor(`document.querySelector("h1").textContent.includes("ships & <b>sails</b>")`)
	p.goTo("#/topic/5")
	p.click("#hide")
	p.goTo("#/topics")
	if p.count(`tr[data-topic="5"]`) != 0 || p.count(`tr[data-topic="2"]`) != 1 {
		t.Error("the hidden topic is listed, or another is not")
	}
	if got := p.text(`tr[data-topic="2"] .name`); got != "ships & <b>sails</b>" {
		t.Errorf("the name in the table is %q", got)
	}
	p.run(chromedp.Reload())
	p.waitFor(`document.documentElement.dataset.ready === "yes"`)
	if got := p.text(`tr[data-topic="2"] .name`); got != "ships & <b>sails</b>" {
		t.Errorf("after a reload the name is %q", got)
	}

	labels, err := labelsfile.Read(p.download(t, "#download", "labels.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetLabels(labels); err != nil {
		t.Fatal(err)
	}
	if m.Label(2) != "ships & <b>sails</b>" || m.Label(4) != "given" || !labels.IsHidden(5) || labels.Fingerprint != m.Fingerprint() {
		t.Errorf("labels.json has %+v", labels)
	}
	p.click("#forget")
	if p.count(`tr[data-topic="5"]`) != 1 || strings.Contains(p.text(`tr[data-topic="2"]`), "ships &") {
		t.Error("changes stay after they were discarded")
	}
}

// download clicks a button and returns the path of the file that it gives.
func (p *tab) download(t *testing.T, button, name string) string {
	dir := t.TempDir()
	_, err := chromedp.CallBrowser(p.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir})
	if err != nil {
		t.Fatal(err)
	}
	p.click(button)
	path := filepath.Join(dir, name)
	for range 1000 {
		if _, err := os.Stat(path); err == nil {
			return path
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("no %s was downloaded", name)
	return ""
}
