package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/lists"
)

// The Open Inference Protocol, version 2: https://github.com/kserve/open-inference-protocol

// tensor is a tensor of the protocol. Data holds its content, row by row.
type tensor struct {
	Name     string `json:"name"`
	Shape    []int  `json:"shape"`
	Datatype string `json:"datatype"`
	Data     any    `json:"data,omitempty"`
}

// tensorRequest is a request for inference. Other members are ignored.
type tensorRequest struct {
	ID         string                     `json:"id"`
	Parameters map[string]json.RawMessage `json:"parameters"`
	Inputs     []struct {
		Name       string                     `json:"name"`
		Shape      []int                      `json:"shape"`
		Datatype   string                     `json:"datatype"`
		Parameters map[string]json.RawMessage `json:"parameters"`
		Data       json.RawMessage            `json:"data"`
	} `json:"inputs"`
	Outputs []tensorOutput `json:"outputs"`
}

type tensorOutput struct {
	Name string `json:"name"`
}

// outputs are the tensors that can be requested.
var outputs = []string{"theta", "topic", "tokens"}

// tensors answers by the Open Inference Protocol.
type tensors struct{ *Server }

func (s tensors) getServer(a *answer, _ *http.Request, _ *params) error {
	return writeJSON(a, map[string]any{"name": "topoi", "version": s.options.Version, "extensions": []string{}})
}

func (s tensors) getLiveTensor(a *answer, _ *http.Request, _ *params) error {
	return writeJSON(a, map[string]bool{"live": true})
}

func (s tensors) getReadyTensor(a *answer, _ *http.Request, _ *params) error {
	if s.draining.Load() {
		return notReady(1, "the server is shutting down")
	}
	return writeJSON(a, map[string]bool{"ready": true})
}

// model returns the model that a path names. Its only version is its fingerprint. The caller must call its done.
// Clients generated from the protocol's own description write a $ before both names, because its paths have one.
func (s tensors) model(r *http.Request, _ *params) (*version, error) {
	v, err := s.models.use(strings.TrimPrefix(r.PathValue("model"), "$"))
	if err != nil {
		return nil, err
	}
	if asked := strings.TrimPrefix(r.PathValue("version"), "$"); asked != "" && asked != v.fingerprint {
		defer v.done()
		return nil, notFound("the model %s has no version %s: its version is its fingerprint, %s", v.name, shown(asked),
			v.fingerprint)
	}
	return v, nil
}

func (s tensors) getTensorModelReady(a *answer, _ *http.Request, _ *params, v *version) error {
	return writeJSON(a, map[string]any{"name": v.name, "ready": true})
}

func (s tensors) getTensorModel(a *answer, _ *http.Request, _ *params, v *version) error {
	return writeJSON(a, map[string]any{
		"name": v.name, "versions": []string{v.fingerprint}, "platform": "topoi",
		"inputs": []tensor{{Name: "text", Shape: []int{-1}, Datatype: "BYTES"}},
		"outputs": []tensor{
			{Name: "theta", Shape: []int{-1, v.model.NumTopics()}, Datatype: "FP32"},
			{Name: "topic", Shape: []int{-1}, Datatype: "INT64"},
			{Name: "tokens", Shape: []int{-1}, Datatype: "INT64"},
		},
	})
}

// postTensors infers the topics of texts.
func (s tensors) postTensors(a *answer, r *http.Request, _ *params) error {
	if r.Header.Get("Inference-Header-Content-Length") != "" {
		return unsupported("tensors must be JSON: binary data is not read")
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.limits.Time)
	defer cancel()
	v, err := s.model(r, nil)
	if err != nil {
		return err
	}
	defer v.done()
	in, err := openBody(r, s.limits.Body)
	if err != nil {
		return err
	}
	data, release, err := s.readAll(ctx, a, in)
	defer release()
	if err != nil {
		return err
	}
	request, p, docs, err := s.parseTensors(data)
	if err != nil {
		return err
	}
	return s.answerTensors(ctx, a, v, request, p, docs)
}

// parseTensors reads a request.
func (s tensors) parseTensors(data []byte) (*tensorRequest, *params, []document, error) {
	if at := invalidUTF8(data); at >= 0 {
		return nil, nil, nil, badRequest("byte %d of the body is not UTF-8", at+1)
	}
	var request tensorRequest
	if err := json.Unmarshal(data, &request); err != nil {
		return nil, nil, nil, badRequest("the body is not a request of the Open Inference Protocol: %v", err)
	}
	if err := distinctNames(data, 2, "inputs", "outputs", "parameters"); err != nil {
		return nil, nil, nil, err
	}
	var p params
	for _, option := range drawParams {
		if raw, given := request.Parameters[option.name]; given {
			if err := p.fromJSON(option.name, raw, drawParams, s.limits); err != nil {
				return nil, nil, nil, err
			}
		}
	}
	if err := p.check(); err != nil {
		return nil, nil, nil, err
	}
	for i, o := range request.Outputs {
		if slices.Contains(request.Outputs[:i], o) {
			return nil, nil, nil, badRequest("the output %s is asked for twice", shown(o.Name))
		}
		if !slices.Contains(outputs, o.Name) {
			return nil, nil, nil, badRequest("there is no output %s: outputs are %s", shown(o.Name),
				strings.Join(outputs, ", "))
		}
	}
	docs, err := s.tensorDocs(&request)
	return &request, &p, docs, err
}

// tensorDocs returns the texts of the only input.
func (s tensors) tensorDocs(request *tensorRequest) ([]document, error) {
	if len(request.Inputs) != 1 || request.Inputs[0].Name != "text" || request.Inputs[0].Datatype != "BYTES" {
		return nil, badRequest(`there must be one input, "text", of datatype BYTES`)
	}
	in := request.Inputs[0]
	if _, binary := in.Parameters["binary_data_size"]; binary {
		return nil, badRequest("tensors must be JSON: binary data is not read")
	}
	texts, ok := flatten(nil, in.Data, 2)
	if !ok {
		return nil, badRequest("the data of the input must be an array of strings")
	}
	if len(in.Shape) < 1 || len(in.Shape) > 2 || in.Shape[0] != len(texts) || len(in.Shape) == 2 && in.Shape[1] != 1 {
		return nil, badRequest("the shape of the input is %v and it has %d texts: it must be [%d] or [%d, 1]", in.Shape,
			len(texts), len(texts), len(texts))
	}
	if len(texts) > s.limits.Docs {
		return nil, tooLarge("there are %d documents: at most %d are allowed", len(texts), s.limits.Docs)
	}
	docs := make([]document, len(texts))
	for i, text := range texts {
		if strings.IndexByte(text, 0) >= 0 {
			return nil, badRequest("text %d holds \\u0000, which text never contains: remove it", i)
		}
		docs[i].text = []byte(text)
	}
	return docs, nil
}

// flatten appends the strings of an array, which may contain nested arrays.
func flatten(dst []string, raw json.RawMessage, depth int) ([]string, bool) {
	var list []json.RawMessage
	if depth == 0 || len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		return nil, false
	}
	for _, e := range list {
		if e[0] == '"' {
			var text string
			if json.Unmarshal(e, &text) != nil {
				return nil, false
			}
			dst = append(dst, text)
			continue
		}
		var ok bool
		if dst, ok = flatten(dst, e, depth-1); !ok {
			return nil, false
		}
	}
	return dst, true
}

// answerTensors finds the topics of texts and answers with tensors.
func (s tensors) answerTensors(ctx context.Context, a *answer, v *version, request *tensorRequest, p *params,
	docs []document,
) error {
	k := v.model.NumTopics()
	names := lists.Of(request.Outputs, func(o tensorOutput) string { return o.Name })
	if len(names) == 0 {
		names = outputs
	}
	shares := k
	if !slices.Contains(names, "theta") {
		shares = 0
	}
	cost := int64(len(docs)) * int64(tensorBytes*(shares+2))
	release, err := s.afford(cost+escaped*int64(len(request.ID)), "ask for fewer documents, or use /v1/infer")
	defer release()
	if err != nil {
		return err
	}
	theta, topic, tokens := make([]float32, len(docs)*shares), make([]int, len(docs)), make([]int, len(docs))
	_, err = s.run(ctx, v, p, docs, func(t *tools, it *item, d *topoi.DocTopics) {
		t.theta = d.Theta(t.theta)
		best := 0
		for i, share := range t.theta {
			if share > t.theta[best] {
				best = i
			}
		}
		for i := range shares {
			theta[it.number*k+i] = float32(t.theta[i])
		}
		topic[it.number], tokens[it.number] = best, d.Tokens
	})
	if err != nil {
		return err
	}
	n := len(docs)
	all := map[string]tensor{
		"theta":  {"theta", []int{n, k}, "FP32", theta},
		"topic":  {"topic", []int{n}, "INT64", topic},
		"tokens": {"tokens", []int{n}, "INT64", tokens},
	}
	list := lists.Of(names, func(name string) tensor { return all[name] })
	answer := map[string]any{"model_name": v.name, "model_version": v.fingerprint, "outputs": list}
	if request.ID != "" {
		answer["id"] = request.ID
	}
	a.Header().Set("Topoi-Fingerprint", v.fingerprint)
	return writeJSON(a, answer)
}
