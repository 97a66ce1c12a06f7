package serve

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/doctopics"
)

// openapi.yaml and the routes are the same, and so are its codes and those of the program.
func TestOpenAPI(t *testing.T) {
	s := start(t, Options{})
	if r := s.get("/openapi.yaml"); r.body != string(openAPI) || r.header.Get("Content-Type") != "application/yaml" {
		t.Errorf("got %d %v", r.status, r.header)
	}
	var have, want []string
	_, paths, _ := strings.Cut(string(openAPI), "\npaths:\n")
	paths, _, _ = strings.Cut(paths, "\ncomponents:\n")
	path := ""
	for _, line := range strings.Split(paths, "\n") {
		if m := regexp.MustCompile(`^  (/.*):$`).FindStringSubmatch(line); m != nil {
			path = m[1]
		} else if m := regexp.MustCompile(`^    (get|post|put|delete|head|options|patch):$`).FindStringSubmatch(line); m != nil {
			have = append(have, strings.ToUpper(m[1])+" "+path)
		}
	}
	for _, r := range routes {
		want = append(want, r.method+" "+r.path)
	}
	slices.Sort(have)
	slices.Sort(want)
	if !slices.Equal(have, want) {
		t.Errorf("openapi.yaml has\n%s\nthe program\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
	for _, p := range slices.Concat(textParams, similarParams) {
		if !strings.Contains(string(openAPI), "name: "+p.name+", in: query") {
			t.Errorf("the parameter %s is not in openapi.yaml", p.name)
		}
	}
}

// openapi.yaml is valid for a validator that others wrote. Without npx or npm's registry the test is
// skipped, or fails if TOPOI_REQUIRE_NODE=1.
func TestOpenAPIIsValid(t *testing.T) {
	lack := func(what any) {
		if os.Getenv("TOPOI_REQUIRE_NODE") == "1" {
			t.Fatalf("the validator of npm does not run: %v", what)
		}
		t.Skipf("skipped: the validator of npm does not run: %v (TOPOI_REQUIRE_NODE=1 makes this a failure)", what)
	}
	npx, err := exec.LookPath("npx")
	if err != nil {
		lack(err)
	}
	out, err := exec.CommandContext(t.Context(), npx, "--yes", "--package", "@seriousme/openapi-schema-validator@2.11.0", "validate-api", "openapi.yaml").Output()
	if err != nil || len(out) == 0 {
		lack(err)
	}
	if !strings.Contains(string(out), `"valid": true`) {
		t.Errorf("openapi.yaml is not valid: %s", out)
	}
}

// The codes of errors are the same in the program, in openapi.yaml and in the
// documentation.
func TestCodes(t *testing.T) {
	page, err := os.ReadFile("../docs/serving.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`code: \{.*enum: \[(.*)\]\}`).FindStringSubmatch(string(openAPI))
	listed := strings.Split(m[1], ", ")
	var documented []string
	for _, row := range regexp.MustCompile("(?m)^\\| [0-9]{3} \\| `([a-z_]+)`").FindAllStringSubmatch(string(page), -1) {
		documented = append(documented, row[1])
	}
	files, _ := os.ReadDir(".")
	var used []string
	for _, f := range files {
		if strings.HasSuffix(f.Name(), "_test.go") || !strings.HasSuffix(f.Name(), ".go") {
			continue
		}
		source, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range regexp.MustCompile(`newProblem\(http\.\w+, "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
			used = append(used, call[1])
		}
	}
	for _, list := range []*[]string{&listed, &documented, &used} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	if !slices.Equal(listed, used) || !slices.Equal(documented, used) {
		t.Errorf("openapi.yaml  %v\nserving.md    %v\nthe program   %v", listed, documented, used)
	}
}

// Several models answer under their names.
func TestSeveralModels(t *testing.T) {
	other := t.TempDir() + "/other"
	saveModel(t, other, 5)
	s := start(t, Options{Models: []Source{{"first", model(t)}, {"second", other}}})
	a, b, c := s.get("/v1/infer?text=garden"), s.get("/v1/infer?text=garden&model=second"), s.get("/v1/infer?text=garden&model=first")
	if a.body != c.body || a.body == b.body || !strings.HasPrefix(b.body, `{"model":"second"`) {
		t.Errorf("got\n%s%s%s", a.body, b.body, c.body)
	}
	var list struct{ Models []ModelInfo }
	if err := json.Unmarshal([]byte(s.get("/v1/models").body), &list); err != nil || len(list.Models) != 2 || !list.Models[0].Default || list.Models[1].Default {
		t.Errorf("got %v %v", list, err)
	}
	var one ModelInfo
	if err := json.Unmarshal([]byte(s.get("/v1/models/second").body), &one); err != nil || one != list.Models[1] {
		t.Errorf("got %v %v", one, err)
	}
	if r := s.get("/v1/topics?model=seconds"); r.status != 404 || !strings.Contains(r.body, `did you mean \"second\"?`) {
		t.Errorf("got %s", r.body)
	}
}

// Topics are those of the model.
func TestTopics(t *testing.T) {
	s := start(t, Options{})
	m := openModel(t)
	want, _ := json.Marshal(slices.Collect(m.Summary([]int{1, 2}, 4)))
	r := s.get("/v1/topics?words=4&offset=1&limit=2")
	if !strings.HasSuffix(r.body, fmt.Sprintf(`"total":5,"topics":%s}`+"\n", want)) {
		t.Errorf("got %s, want %s", r.body, want)
	}
	if again := s.get("/v1/topics?words=4&offset=1&limit=2", "If-None-Match", r.header.Get("ETag")); again.status != 304 {
		t.Error(again)
	}
	one, _ := json.Marshal(slices.Collect(m.Summary(nil, 7))[1])
	if r := s.get("/v1/topics/1?words=7"); r.body != string(one)+"\n" || !strings.Contains(r.body, `"topic_label":"one"`) {
		t.Errorf("got %s, want %s", r.body, one)
	}
	if r := s.get("/v1/topics?offset=9"); !strings.Contains(r.body, `"topics":[]`) {
		t.Errorf("got %s", r.body)
	}
}

func openModel(t *testing.T) *topoi.Model {
	t.Helper()
	m, err := topoi.Open(model(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// Words have the topics that the definition gives them.
func TestWords(t *testing.T) {
	s := start(t, Options{})
	m := openModel(t)
	plain, full := s.get("/v1/infer?text=garden+ship+garden+nowhere+oven"), s.get("/v1/infer?text=garden+ship+garden+nowhere+oven&words=true")
	var got struct {
		Documents []struct {
			Topics []struct {
				Topic int
				Theta float64
			}
			Words []wordTopic
		}
	}
	if err := json.Unmarshal([]byte(full.body), &got); err != nil {
		t.Fatal(err)
	}
	doc := got.Documents[0]
	if without := regexp.MustCompile(`,"words":\[.*?\]`).ReplaceAllString(full.body, ""); without != plain.body {
		t.Errorf("got %s, want %s", without, plain.body)
	}
	var order []string
	for _, w := range doc.Words {
		order = append(order, fmt.Sprint(w.Word, w.Count))
		id := -1
		for i := range m.NumWords() {
			if m.Words().At(i) == w.Word {
				id = i
			}
		}
		best, sum, weights := 0, 0.0, make([]float64, m.NumTopics())
		for _, k := range doc.Topics {
			n := m.Beta()
			for _, e := range m.Row(id) {
				if int(e.Topic) == k.Topic {
					n += float64(e.Count)
				}
			}
			weights[k.Topic] = k.Theta * n / (float64(m.TopicTotals()[k.Topic]) + float64(m.NumWords())*m.Beta())
			sum += weights[k.Topic]
		}
		for k := range weights {
			if weights[k] > weights[best] {
				best = k
			}
		}
		if w.Topic != best || math.Abs(float64(w.Share)-weights[best]/sum) > 1e-5 {
			t.Errorf("%s: got topic %d, %v, want %d, %v", w.Word, w.Topic, w.Share, best, weights[best]/sum)
		}
	}
	if fmt.Sprint(order) != "[garden2 oven1 ship1]" {
		t.Errorf("got %v", order)
	}
}

// Similar documents are those of the definition.
func TestSimilar(t *testing.T) {
	s := start(t, Options{})
	m := openModel(t)
	docs, err := m.Docs()
	if err != nil {
		t.Fatal(err)
	}
	text := "garden soil seed plant flower ship"
	var inferred struct {
		Documents []struct {
			Topics []struct {
				Topic int
				Theta float64
			}
		}
	}
	if err := json.Unmarshal([]byte(s.get("/v1/infer?text="+url.QueryEscape(text)).body), &inferred); err != nil {
		t.Fatal(err)
	}
	theta, sum := make([]float64, m.NumTopics()), 0.0
	for _, k := range inferred.Documents[0].Topics {
		theta[k.Topic] = k.Theta
	}
	for _, a := range m.Alpha() {
		sum += a
	}
	want := make([]neighbour, docs.NumDocs())
	reader := doctopics.NewReader(m, docs)
	for d := range want {
		counts := make([]float64, m.NumTopics())
		for _, e := range reader.Read(d) {
			counts[e.Topic] = float64(e.Count)
		}
		want[d].doc = d
		for k, n := range counts {
			want[d].similarity += math.Sqrt(theta[k] * (n + m.Alpha()[k]) / (float64(reader.Tokens()) + sum))
		}
	}
	slices.SortFunc(want, closer)
	r := s.postJSON("/v1/similar", fmt.Sprintf(`{"documents":[{"id":"q","text":%q}, "ship"],"count":7}`, text))
	var got struct{ Documents []similarTo }
	if err := json.Unmarshal([]byte(r.body), &got); err != nil || len(got.Documents) != 2 || got.Documents[0].ID != "q" || len(got.Documents[0].Similar) != 7 {
		t.Fatal(err, r.body)
	}
	for i, d := range got.Documents[0].Similar {
		if math.Abs(float64(d.Similarity)-want[i].similarity) > 1e-5 {
			t.Errorf("place %d: document %d with %v, want %v", i, d.Doc, d.Similarity, want[i])
		}
		if d.ID != fmt.Sprint("d", d.Doc) || d.Title != fmt.Sprint("Title ", d.Doc) || d.Snippet == "" || d.Label == "" {
			t.Errorf("got %+v", d)
		}
	}
	if all := s.postJSON("/v1/similar?count=1000", `{"documents":["ship"]}`); strings.Count(all.body, `"similarity"`) != 60 {
		t.Errorf("got %.300s", all.body)
	}
}

// The Open Inference Protocol gives the same shares.
func TestTensors(t *testing.T) {
	s := start(t, Options{})
	var about struct {
		Name     string
		Versions []string
		Outputs  []tensor
	}
	if err := json.Unmarshal([]byte(s.get("/v2/models/stories").body), &about); err != nil || about.Name != "stories" || len(about.Outputs) != 3 || fmt.Sprint(about.Outputs[0].Shape) != "[-1 5]" {
		t.Errorf("got %v %v", about, err)
	}
	r := s.postJSON("/v2/models/stories/infer", `{"id":"42","inputs":[{"name":"text","datatype":"BYTES","shape":[2,1],"data":[["garden soil"],["ship"]]}],"parameters":{"seed":3,"unknown":1}}`)
	var got struct {
		ID      string
		Model   string `json:"model_name"`
		Version string `json:"model_version"`
		Outputs []struct {
			Name, Datatype string
			Shape          []int
			Data           []float64
		}
	}
	if err := json.Unmarshal([]byte(r.body), &got); err != nil || r.status != 200 || got.ID != "42" || got.Model != "stories" || got.Version != about.Versions[0] || len(got.Outputs) != 3 {
		t.Fatal(err, r.body)
	}
	if o := got.Outputs[0]; o.Name != "theta" || o.Datatype != "FP32" || fmt.Sprint(o.Shape) != "[2 5]" || len(o.Data) != 10 {
		t.Errorf("got %v", o)
	}
	if o := got.Outputs[2]; o.Name != "tokens" || fmt.Sprint(o.Data) != "[2 1]" {
		t.Errorf("got %v", o)
	}
	var lines struct {
		Documents []struct {
			Topics []struct {
				Topic int
				Theta float64
			}
		}
	}
	if err := json.Unmarshal([]byte(s.postJSON("/v1/infer", `{"documents":["garden soil","ship"],"seed":3}`).body), &lines); err != nil {
		t.Fatal(err)
	}
	for d, doc := range lines.Documents {
		if got.Outputs[1].Data[d] != float64(doc.Topics[0].Topic) {
			t.Errorf("topic %v, want %d", got.Outputs[1].Data[d], doc.Topics[0].Topic)
		}
		for _, k := range doc.Topics {
			if have := got.Outputs[0].Data[5*d+k.Topic]; have != k.Theta {
				t.Errorf("document %d, topic %d: %v, want %v", d, k.Topic, have, k.Theta)
			}
		}
	}
	at := "/versions/" + about.Versions[0]
	for _, path := range []string{"/v2/models/stories" + at, "/v2/models/$stories/versions/$" + about.Versions[0]} {
		if a, b := s.get(path), s.get("/v2/models/stories"); a.body != b.body || a.status != 200 {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	if a, b := s.get("/v2/"), s.get("/v2"); a.body != b.body || a.status != 200 {
		t.Errorf("/v2/: %d %s", a.status, a.body)
	}
	question := `{"inputs":[{"name":"text","datatype":"BYTES","shape":[1],"data":["garden"]}]}`
	if a, b := s.postJSON("/v2/models/stories"+at+"/infer", question), s.postJSON("/v2/models/stories/infer", question); a.body != b.body || a.status != 200 {
		t.Errorf("a version: %d %s", a.status, a.body)
	}
	if r := s.get("/v2/models/stories/versions/1/ready"); r.status != 404 || !strings.Contains(r.body, about.Versions[0]) {
		t.Errorf("another version: %d %s", r.status, r.body)
	}
	if r := s.get("/v2/models/stories" + at + "/ready"); r.status != 200 {
		t.Errorf("the version: %d %s", r.status, r.body)
	}
	if only := s.postJSON("/v2/models/stories/infer", `{"inputs":[{"name":"text","datatype":"BYTES","shape":[1],"data":["a"]}],"outputs":[{"name":"tokens"}]}`); strings.Contains(only.body, "theta") {
		t.Errorf("got %s", only.body)
	}
	for body, says := range map[string]string{
		`{`:             "not a request of the Open Inference Protocol",
		`{"inputs":[]}`: "one input",
		`{"inputs":[{"name":"text","datatype":"BYTES","shape":[2],"data":["a"]}]}`:                                    "the shape of the input is [2] and it has 1 texts",
		`{"inputs":[{"name":"text","datatype":"BYTES","shape":[1],"data":[1]}]}`:                                      "array of strings",
		`{"inputs":[{"name":"text","datatype":"FP32","shape":[1],"data":["a"]}]}`:                                     "BYTES",
		`{"inputs":[{"name":"text","datatype":"BYTES","shape":[1],"data":["a"]}],"outputs":[{"name":"x"}]}`:           "there is no output",
		`{"inputs":[{"name":"text","datatype":"BYTES","shape":[1],"parameters":{"binary_data_size":3}}]}`:             "binary",
		`{"inputs":[{"name":"text","datatype":"BYTES","shape":[1],"data":["a"]}],"parameters":{"iterations":"many"}}`: "iterations is",
	} {
		if r := s.postJSON("/v2/models/stories/infer", body); r.status != 400 || !strings.Contains(r.body, says) {
			t.Errorf("%s: got %d %s", body, r.status, r.body)
		}
	}
}

// The page comes with a policy that lets it ask this server and nobody else.
func TestPage(t *testing.T) {
	s := start(t, Options{})
	r := s.get("/?model=stories")
	if r.status != 200 || !strings.Contains(r.body, "form-action 'none'; connect-src 'self'\"") || r.header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("got %d %v %.300s", r.status, r.header, r.body)
	}
	if again := s.get("/", "If-None-Match", r.header.Get("ETag")); again.status != 304 {
		t.Error(again.status)
	}
	if r.header.Get("X-Frame-Options") != "DENY" || r.header.Get("Content-Security-Policy") != "frame-ancestors 'none'" {
		t.Errorf("got %v", r.header)
	}
}
