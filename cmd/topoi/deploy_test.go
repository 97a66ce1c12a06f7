package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The commands of the image and of the unit are understood, and the image's build is one
// that links statically.
func TestDeployCommands(t *testing.T) {
	root := newApp(nil, strings.NewReader(""), io.Discard, io.Discard).Root
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(repository, "deploy", "serve", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	image, unit := read("Dockerfile"), read("topoi-serve.service")
	var call []string
	for _, line := range regexp.MustCompile(`(?m)^(?:ENTRYPOINT|CMD) (\[.*\])$`).FindAllStringSubmatch(image, -1) {
		var words []string
		if err := json.Unmarshal([]byte(line[1]), &words); err != nil {
			t.Fatal(err)
		}
		call = append(call, words...)
	}
	start := regexp.MustCompile(`(?m)^ExecStart=(.*)$`).FindStringSubmatch(unit)
	flags := regexp.MustCompile(`(?m)^#   TOPOI_FLAGS=(.*)$`).FindStringSubmatch(unit)
	if len(call) < 5 || start == nil || flags == nil {
		t.Fatalf("%v %v %v", call, start, flags)
	}
	if err := topoiFault(root, call[1:]); err != nil {
		t.Errorf("%v: %v", call, err)
	}
	service := strings.Fields(strings.Replace(start[1], "$TOPOI_FLAGS", flags[1], 1))
	if err := topoiFault(root, service[1:]); err != nil {
		t.Errorf("%v: %v", service, err)
	}
	if !strings.Contains(image, "FROM scratch\n") || !strings.Contains(image, "CGO_ENABLED=0 go build -tags nocuda ") {
		t.Error("the image is not of the program alone")
	}
}
