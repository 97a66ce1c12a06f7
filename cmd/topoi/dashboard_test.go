package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every metric and label that the Grafana dashboard asks for is one that the program has.
func TestDashboard(t *testing.T) {
	var has strings.Builder
	for _, file := range []string{"serve/metrics.go", "cmd/topoi/internal/metrics/metrics.go"} {
		text, err := os.ReadFile(filepath.Join(repository, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		has.Write(text)
	}
	text, err := os.ReadFile(filepath.Join(repository, "deploy", "grafana", "topoi.json"))
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr, LegendFormat string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	metric := regexp.MustCompile(`topoi_[a-z_]+`)
	label := regexp.MustCompile(`by \(([a-z]+)\)|\{\{([a-z]+)\}\}`)
	shown := map[string]bool{}
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			for _, name := range metric.FindAllString(target.Expr, -1) {
				for _, suffix := range []string{"_bucket", "_sum", "_count"} {
					name = strings.TrimSuffix(name, suffix)
				}
				shown[name] = true
				if !strings.Contains(has.String(), `"`+name+`"`) {
					t.Errorf("%s: there is no metric %s", p.Title, name)
				}
			}
			for _, m := range label.FindAllStringSubmatch(target.Expr+target.LegendFormat, -1) {
				if name := m[1] + m[2]; name != "le" && name != "instance" && !strings.Contains(has.String(), `"`+name+`"`) {
					t.Errorf("%s: no metric has a label %s", p.Title, name)
				}
			}
		}
	}
	for _, name := range regexp.MustCompile(`"(topoi_(?:serve|worker|training)_[a-z_]+)"`).FindAllStringSubmatch(has.String(), -1) {
		if !shown[name[1]] {
			t.Errorf("the dashboard does not show %s", name[1])
		}
	}
}
