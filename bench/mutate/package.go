package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// pkg is a package as the Go tool lists it.
type pkg struct {
	ImportPath, Dir                    string
	Module                             struct{ Path string }
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
}

// name returns the path within the module.
func (p *pkg) name() string {
	if rest, ok := strings.CutPrefix(p.ImportPath, p.Module.Path+"/"); ok {
		return rest
	}
	return "."
}

// list returns one package.
func list(ctx context.Context, name string) (*pkg, error) {
	packages, err := listAll(ctx, name)
	if err == nil && len(packages) != 1 {
		return nil, fmt.Errorf("%s stands for %d packages: name each", name, len(packages))
	}
	if err != nil {
		return nil, err
	}
	return packages[0], nil
}

func listAll(ctx context.Context, patterns ...string) ([]*pkg, error) {
	out, err := exec.CommandContext(ctx, "go", append([]string{"list", "-json"}, patterns...)...).Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			return nil, fmt.Errorf("go list: %s", failed.Stderr)
		}
		return nil, err
	}
	var all []*pkg
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		p := new(pkg)
		if err := d.Decode(p); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}
