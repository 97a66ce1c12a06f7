package export

import (
	"cmp"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/modelfile"
)

// object is a JSON object, written with its keys in order.
type object map[string]any

func (o object) write(j *job, w io.Writer) error {
	if err := j.ctx.Err(); err != nil {
		return err
	}
	text, err := indented(o, "")
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// facts returns what is known about the run that made a model, and a UUID of the model.
func facts(m *topoi.Model) (f modelfile.Facts, id uuid.UUID) {
	f.Began = time.Unix(0, 0).UTC()
	_ = json.Unmarshal(m.Run(), &f) // a program may have written something else
	return f, uuid.NewSHA1(uuid.NameSpaceURL, []byte("topoi:"+m.Fingerprint()))
}

// openLineage writes the event by which OpenLineage knows that a run has ended: what it read, did and wrote.
func openLineage(j *job, w io.Writer) error {
	const schema = "https://openlineage.io/spec/2-0-2/OpenLineage.json"
	const producer = "https://github.com/topoi-lda/topoi"
	facet := func(values object) object {
		values["_producer"], values["_schemaURL"] = producer, schema
		return values
	}
	f, id := facts(j.model)
	inputs := []object{}
	for _, in := range f.Inputs {
		inputs = append(inputs, dataset(in.Path, object{"topoi_file": facet(object{
			"bytes":    in.Bytes,
			"checksum": in.Checksum,
		})}))
	}
	m := j.model.Manifest()
	run := facet(object{
		"program": m.Program, "options": m.Options, "iterations": m.Iterations, "corpus": m.Corpus, "documents": m.Docs,
		"tokens":  m.Tokens,
		"seconds": f.Seconds, "system": f.System, "cores": f.Cores, "memory_bytes": f.Memory,
	})
	made := dataset(cmp.Or(f.Model, j.model.Fingerprint()), object{
		"version":     facet(object{"datasetVersion": j.model.Fingerprint()}),
		"topoi_model": facet(object{"topics": m.Topics, "words": m.Words}),
	})
	return object{
		"eventType": "COMPLETE", "producer": producer, "schemaURL": schema + "#/$defs/RunEvent",
		"eventTime": f.Began.Add(time.Duration(f.Seconds * float64(time.Second))).Format(time.RFC3339Nano),
		"job":       object{"namespace": "topoi", "name": "train", "facets": object{}},
		"run":       object{"runId": id, "facets": object{"topoi_run": run}},
		"inputs":    inputs, "outputs": []object{made},
	}.write(j, w)
}

// dataset names a file or an object as OpenLineage does: a bucket is a name space.
func dataset(path string, facets object) object {
	if scheme, rest, remote := strings.Cut(path, "://"); remote {
		place, key, _ := strings.Cut(rest, "/")
		return object{"namespace": scheme + "://" + place, "name": key, "facets": facets}
	}
	return object{"namespace": "file", "name": path, "facets": facets}
}

// mlflowModel writes MLmodel, which says how the pyfunc of MLflow loads the folder: by the Python package topoi.
func mlflowModel(j *job, w io.Writer) error {
	f, id := facts(j.model)
	m := j.model.Manifest()
	outputs := make([]object, m.Topics)
	for k := range outputs {
		outputs[k] = object{"type": "float", "name": "topic_" + strconv.Itoa(k), "required": true}
	}
	params := make([]object, 0, 3)
	for _, name := range []string{"iterations", "seed", "threads"} {
		params = append(params, object{"name": name, "type": "long", "default": nil, "shape": nil})
	}
	signature := object{}
	for name, columns := range map[string][]object{
		"inputs":  {{"type": "string", "required": true}}, // without a name, so that lists are taken as well as frames
		"outputs": outputs,
		"params":  params,
	} {
		text, err := json.Marshal(columns)
		if err != nil {
			return err
		}
		signature[name] = string(text)
	}
	return object{ // JSON is YAML, too
		"artifact_path": "model",
		"flavors": object{
			"python_function": object{
				"loader_module": "topoi.mlflow", "data": "model",
				"env": object{"virtualenv": "python_env.yaml"},
			},
			"topoi": object{"data": "model", "fingerprint": j.model.Fingerprint(), "program": m.Program},
		},
		"metadata":         object{"topics": m.Topics, "words": m.Words, "documents": m.Docs, "options": m.Options},
		"model_uuid":       strings.ReplaceAll(id.String(), "-", ""),
		"signature":        signature,
		"utc_time_created": f.Began.Format("2006-01-02 15:04:05.000000"),
	}.write(j, w)
}

func constant(text string) func(*job, io.Writer) error {
	return func(_ *job, w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}
