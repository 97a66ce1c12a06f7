package webpage

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// bundle joins the ES modules that main needs into one script. Every module becomes
// a function that is called once and returns what the module exports, so that names
// of different modules never meet. It knows the one form of import and the one form
// of export that package webpage uses:
//
//	import { a, b } from "./other.js";
//	export function a() …, export class A …, export const a = …
//
// and names the line of anything else.
func bundle(files fs.FS, main string) (string, error) {
	b := bundler{files: files, state: map[string]int{}}
	if err := b.visit(main); err != nil {
		return "", err
	}
	return "\"use strict\";\n" + b.out.String(), nil
}

type bundler struct {
	files fs.FS
	state map[string]int // by name of the module: one of the following
	out   strings.Builder
}

const (
	unseen = iota
	open   // its imports are being joined
	joined
)

var (
	importForm = regexp.MustCompile(`(?m)^import \{([^}]*)\} from "\./([\w.-]+\.js)";\n`)
	exportForm = regexp.MustCompile(`(?m)^export (?:async )?(?:function\*?|class|const) (\w+)`)
	otherForm  = regexp.MustCompile(`(?m)^(import|export)\b.*$`)
	nameForm   = regexp.MustCompile(`^\w+$`)
)

// visit joins a module after those that it imports.
func (b *bundler) visit(name string) error {
	switch b.state[name] {
	case joined:
		return nil
	case open:
		return fmt.Errorf("module %s imports itself through others", name)
	}
	b.state[name] = open
	source, err := fs.ReadFile(b.files, name)
	if err != nil {
		return err
	}
	code := string(source)
	for _, m := range importForm.FindAllStringSubmatch(code, -1) {
		if err := b.visit(path.Join(path.Dir(name), m[2])); err != nil {
			return err
		}
	}
	body, err := module(name, code)
	if err != nil {
		return err
	}
	b.out.WriteString(body)
	b.state[name] = joined
	return nil
}

// module turns a module into an assignment of its exports to a variable of its own.
func module(name, code string) (string, error) {
	var fault error
	code = importForm.ReplaceAllStringFunc(code, func(s string) string {
		m := importForm.FindStringSubmatch(s)
		for _, imported := range strings.Split(strings.TrimSuffix(strings.TrimSpace(m[1]), ","), ",") {
			if !nameForm.MatchString(strings.TrimSpace(imported)) {
				fault = fmt.Errorf("module %s: cannot import %q: only plain names", name, imported)
			}
		}
		return fmt.Sprintf("const {%s} = %s;\n", m[1], variable(path.Join(path.Dir(name), m[2])))
	})
	if fault != nil {
		return "", fault
	}
	var names []string
	code = exportForm.ReplaceAllStringFunc(code, func(s string) string {
		names = append(names, exportForm.FindStringSubmatch(s)[1])
		return strings.TrimPrefix(s, "export ")
	})
	if line := otherForm.FindString(code); line != "" {
		return "", fmt.Errorf("module %s: cannot join %q", name, line)
	}
	slices.Sort(names)
	return fmt.Sprintf("const %s = (() => {\n%s\nreturn {%s};\n})();\n", variable(name), code, strings.Join(names, ", ")), nil
}

// variable returns the name that holds the exports of a module.
func variable(name string) string {
	return "module_" + strings.NewReplacer(".js", "", "/", "_", "-", "_", ".", "_").Replace(name)
}
