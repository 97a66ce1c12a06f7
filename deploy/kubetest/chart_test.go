package kubetest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"text/template"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

const chart = "../cluster/helm/topoi"

// functions are those of Helm that the chart uses.
var functions = template.FuncMap{
	"quote": func(v any) string { return fmt.Sprintf("%q", fmt.Sprint(v)) },
	"default": func(fallback, v any) any {
		if v == nil || v == "" {
			return fallback
		}
		return v
	},
	"required": func(fault string, v any) (any, error) {
		if v == nil || v == "" {
			return nil, errors.New(fault)
		}
		return v, nil
	},
}

// render makes the objects of the chart with values in place of its own, given as paths and values.
func render(t *testing.T, set map[string]any) (objects, error) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(chart, "values.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]any{}
	if err := yaml.UnmarshalStrict(text, &values); err != nil {
		t.Fatal(err)
	}
	for path, value := range set {
		in, parts := values, strings.Split(path, ".")
		for _, part := range parts[:len(parts)-1] {
			in = in[part].(map[string]any)
		}
		if _, known := in[parts[len(parts)-1]]; !known {
			t.Fatalf("the chart has no value %s", path)
		}
		in[parts[len(parts)-1]] = value
	}
	o := empty()
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*.yaml"))
	if err != nil || len(files) != 6 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		made, err := template.New(filepath.Base(file)).Funcs(functions).Option("missingkey=error").ParseFiles(file)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := made.Execute(&out, map[string]any{"Values": values, "Release": map[string]any{"Name": "topoi"}}); err != nil {
			return o, err
		}
		for _, one := range bytes.Split(out.Bytes(), []byte("\n---\n")) {
			if len(bytes.TrimSpace(one)) == 0 {
				continue
			}
			if err := o.add(one); err != nil {
				t.Errorf("%s: %v\n%s", file, err, one)
			}
		}
	}
	return o, nil
}

// A release called topoi with the values of the chart is what the manifests are.
func TestChart(t *testing.T) {
	got, err := render(t, map[string]any{"image": "topoi", "store.password": "PASSWORD"})
	if err != nil {
		t.Fatal(err)
	}
	for name, j := range got.jobs {
		c := &j.Spec.Template.Spec.Containers[0]
		c.Env = slices.DeleteFunc(c.Env, func(e corev1.EnvVar) bool { return e.Name == "TMPDIR" }) // for copies from stores
		if want := load(t).jobs[name]; !reflect.DeepEqual(j, want) {
			t.Errorf("%s differs:\n%+v\n%+v", name, j, want)
		}
	}
	want := load(t)
	got.jobs, want.jobs = nil, nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the chart makes\n%+v\nnot\n%+v", got, want)
	}
}

func TestChartValues(t *testing.T) {
	for _, missing := range []map[string]any{{"image": "x"}, {"store.password": "x"}} {
		if _, err := render(t, missing); err == nil {
			t.Errorf("%v is enough", missing)
		}
	}
	o, err := render(t, map[string]any{
		"image": "hub/topoi", "store.secret": "mine", "data.claim": "disk", "s3.secret": "keys", "s3.endpoint": "https://s3.example.org", "s3.region": "eu",
		"workers.replicas": 9, "workers.args": []any{"--corpus", "s3://b/c.topoi"}, "options": []any{"--staleness", 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(o.secrets)+len(o.claims) > 0 {
		t.Error("secrets and claims that are there already are made")
	}
	for name, pod := range o.pods() {
		text, _ := yaml.Marshal(pod)
		if !bytes.Contains(text, []byte("name: mine")) || strings.Contains(name, "worker") && !bytes.Contains(text, []byte("claimName: disk")) {
			t.Errorf("%s does not use the secret and the claim:\n%s", name, text)
		}
	}
	worker := o.jobs["topoi-workers"].Spec
	names := []string{}
	for _, e := range worker.Template.Spec.Containers[0].Env {
		names = append(names, e.Name)
	}
	if *worker.Parallelism != 9 || !slices.Contains(names, "AWS_SECRET_ACCESS_KEY") || !slices.Contains(names, "AWS_ENDPOINT_URL") {
		t.Error(*worker.Parallelism, names)
	}
	args := worker.Template.Spec.Containers[0].Args
	if submit := o.jobs["topoi-submit"].Spec.Template.Spec.Containers[0].Args; args[len(args)-1] != "s3://b/c.topoi" || submit[len(submit)-1] != "1" {
		t.Error(args, submit)
	}
}

// Chart.yaml says what Helm wants to know.
func TestChartFile(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(chart, "Chart.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var c struct{ APIVersion, Name, Description, Type, Version, AppVersion string }
	if err := yaml.UnmarshalStrict(text, &c); err != nil || c.APIVersion != "v2" || c.Name != filepath.Base(chart) || c.Version == "" {
		t.Errorf("%+v, %v", c, err)
	}
}

// Pods that run topoi have the service account that is named, and the store has none.
func TestChartServiceAccount(t *testing.T) {
	made, err := render(t, map[string]any{"image": "topoi", "store.password": "PASSWORD", "serviceAccount": "reader"})
	if err != nil {
		t.Fatal(err)
	}
	for name, j := range made.jobs {
		if got := j.Spec.Template.Spec.ServiceAccountName; got != "reader" {
			t.Errorf("%s has the account %q", name, got)
		}
	}
	for name, s := range made.sets {
		if got := s.Spec.Template.Spec.ServiceAccountName; got != "" {
			t.Errorf("%s has the account %q", name, got)
		}
	}
	if len(made.jobs) != 3 {
		t.Errorf("%d jobs", len(made.jobs))
	}
}
