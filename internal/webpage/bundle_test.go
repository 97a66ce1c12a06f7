package webpage

import (
	"strings"
	"testing"
	"testing/fstest"
)

// Modules keep their names to themselves and run in the order of their imports.
func TestBundle(t *testing.T) {
	files := fstest.MapFS{
		"main.js": {Data: []byte("import { a, B } from \"./a.js\";\nimport { b } from \"./b.js\";\nconst hidden = a() + b + B.x;\n")},
		"a.js":    {Data: []byte("import { b } from \"./b.js\";\nconst hidden = 1;\nexport function a() {\n\treturn b + hidden;\n}\nexport class B {}\n")},
		"b.js":    {Data: []byte("export const b = 2;\n")},
	}
	script, err := bundle(files, "main.js")
	if err != nil {
		t.Fatal(err)
	}
	b, a, main := strings.Index(script, "const module_b ="), strings.Index(script, "const module_a ="), strings.Index(script, "const module_main =")
	if b < 0 || a < b || main < a || strings.Count(script, "const module_b =") != 1 {
		t.Errorf("the modules come in another order:\n%s", script)
	}
	if !strings.Contains(script, "return {B, a};") || strings.Contains(script, "export ") || strings.Contains(script, "import ") {
		t.Errorf("exports are not returned:\n%s", script)
	}
	for name, code := range map[string]string{
		"cannot join":           "export default 1;\n",
		"only plain names":      "import { a as c } from \"./a.js\";\n",
		"imports itself":        "import { a } from \"./main.js\";\n",
		"file does not exist":   "import { a } from \"./none.js\";\n",
		`cannot join "import "`: "import \"./a.js\";\n",
	} {
		files["main.js"] = &fstest.MapFile{Data: []byte(code)}
		want := strings.TrimSuffix(name, ` "import "`)
		if _, err := bundle(files, "main.js"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v", code, err)
		}
	}
}
