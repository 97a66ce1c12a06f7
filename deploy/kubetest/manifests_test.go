// Package kubetest checks the manifests in deploy/cluster/kubernetes against the types of
// Kubernetes: every field is one, of the right type, and what they name is there. It is a
// module of its own, so that nobody who uses topoi depends on Kubernetes.
package kubetest

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"sigs.k8s.io/yaml"
)

// objects are all that the manifests define, by kind.
type objects struct {
	jobs     map[string]*batchv1.Job
	sets     map[string]*appsv1.StatefulSet
	services map[string]*corev1.Service
	secrets  map[string]*corev1.Secret
	claims   map[string]*corev1.PersistentVolumeClaim
	policies map[string]*networkingv1.NetworkPolicy
}

func empty() objects {
	return objects{
		map[string]*batchv1.Job{},
		map[string]*appsv1.StatefulSet{},
		map[string]*corev1.Service{},
		map[string]*corev1.Secret{},
		map[string]*corev1.PersistentVolumeClaim{},
		map[string]*networkingv1.NetworkPolicy{},
	}
}

// load reads the manifests.
func load(t *testing.T) objects {
	t.Helper()
	o := empty()
	files, err := filepath.Glob("../cluster/kubernetes/*.yaml")
	if err != nil || len(files) < 6 {
		t.Fatalf("%v %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, one := range bytes.Split(text, []byte("\n---\n")) {
			if err := o.add(one); err != nil {
				t.Errorf("%s, object %d: %v", filepath.Base(file), i, err)
			}
		}
	}
	return o
}

// unknownKind is a kind that no manifest should have.
type unknownKind string

func (u unknownKind) Error() string { return "unknown kind " + string(u) }

// add takes one object, all of whose fields must be known.
func (o objects) add(text []byte) error {
	var head struct{ APIVersion, Kind string }
	if err := yaml.Unmarshal(text, &head); err != nil {
		return err
	}
	switch kind := head.APIVersion + " " + head.Kind; kind {
	case "batch/v1 Job":
		return strict(text, o.jobs, func(x *batchv1.Job) string { return x.Name })
	case "apps/v1 StatefulSet":
		return strict(text, o.sets, func(x *appsv1.StatefulSet) string { return x.Name })
	case "v1 Service":
		return strict(text, o.services, func(x *corev1.Service) string { return x.Name })
	case "v1 Secret":
		return strict(text, o.secrets, func(x *corev1.Secret) string { return x.Name })
	case "v1 PersistentVolumeClaim":
		return strict(text, o.claims, func(x *corev1.PersistentVolumeClaim) string { return x.Name })
	case "networking.k8s.io/v1 NetworkPolicy":
		return strict(text, o.policies, func(x *networkingv1.NetworkPolicy) string { return x.Name })
	default:
		return unknownKind(kind)
	}
}

// strict reads an object into its type and keeps it by its name.
func strict[T any](text []byte, to map[string]*T, name func(*T) string) error {
	x := new(T)
	err := yaml.UnmarshalStrict(text, x)
	to[name(x)] = x
	return err
}

// pods are the templates of all pods, by the name of what makes them.
func (o objects) pods() map[string]corev1.PodTemplateSpec {
	pods := map[string]corev1.PodTemplateSpec{}
	for name, j := range o.jobs {
		pods[name] = j.Spec.Template
	}
	for name, s := range o.sets {
		pods[name] = s.Spec.Template
	}
	return pods
}

// A field that is misspelt or of another type is found.
func TestStrict(t *testing.T) {
	o := load(t)
	for _, bad := range []string{"paralelism: 4", "parallelism: four", "parallelism: 4\n  parallelism: 5"} {
		if err := o.add([]byte("apiVersion: batch/v1\nkind: Job\nspec:\n  " + bad)); err == nil {
			t.Errorf("%q passes", bad)
		}
	}
	if err := o.add([]byte("apiVersion: batch/v1beta1\nkind: Job\n")); err == nil {
		t.Error("a version that is no more passes")
	}
}

// What pods name is there: secrets with their keys, claims, volumes and ports.
func TestReferences(t *testing.T) {
	o := load(t)
	for name, pod := range o.pods() {
		volumes := map[string]bool{}
		for _, v := range pod.Spec.Volumes {
			volumes[v.Name] = true
			if c := v.PersistentVolumeClaim; c != nil && o.claims[c.ClaimName] == nil {
				t.Errorf("%s: there is no claim %s", name, c.ClaimName)
			}
		}
		for _, c := range pod.Spec.Containers {
			o.checkContainer(t, name, c, volumes)
		}
	}
	for name, s := range o.services {
		matches := func(p corev1.PodTemplateSpec) bool { return contains(p.Labels, s.Spec.Selector) }
		if n := count(o.pods(), matches); n != 1 {
			t.Errorf("the service %s selects %d kinds of pods", name, n)
		}
		if !strings.Contains(o.secrets["topoi-store"].StringData["url"], "@"+name+":6379") {
			t.Errorf("the address in the secret is not that of the service %s", name)
		}
	}
	for name, s := range o.sets {
		if o.services[s.Spec.ServiceName] == nil || !contains(s.Spec.Template.Labels, s.Spec.Selector.MatchLabels) {
			t.Errorf("%s: its service or its labels are missing", name)
		}
	}
	for name, p := range o.policies {
		from := p.Spec.Ingress[0].From[0].PodSelector.MatchLabels
		if n := count(o.pods(), func(pod corev1.PodTemplateSpec) bool { return contains(pod.Labels, from) }); n != len(o.pods()) {
			t.Errorf("the policy %s lets %d of %d kinds of pods in", name, n, len(o.pods()))
		}
	}
}

// checkContainer checks what a container names.
func (o objects) checkContainer(t *testing.T, pod string, c corev1.Container, volumes map[string]bool) {
	t.Helper()
	variables := []string{}
	for _, e := range c.Env {
		variables = append(variables, "$("+e.Name+")")
		if from := e.ValueFrom; from != nil && from.SecretKeyRef != nil {
			secret := o.secrets[from.SecretKeyRef.Name]
			if secret == nil || secret.StringData[from.SecretKeyRef.Key] == "" {
				t.Errorf("%s: there is no secret %s with %s", pod, from.SecretKeyRef.Name, from.SecretKeyRef.Key)
			}
		}
	}
	for _, a := range c.Args {
		if strings.HasPrefix(a, "$(") && !slices.Contains(variables, a) {
			t.Errorf("%s: %s is not set", pod, a)
		}
	}
	for _, m := range c.VolumeMounts {
		if !volumes[m.Name] {
			t.Errorf("%s: there is no volume %s", pod, m.Name)
		}
	}
	ports := map[string]bool{}
	for _, p := range c.Ports {
		ports[p.Name] = true
	}
	for _, probe := range []*corev1.Probe{c.ReadinessProbe, c.LivenessProbe} {
		if probe != nil && probe.HTTPGet != nil && !ports[probe.HTTPGet.Port.StrVal] || probe != nil && probe.TCPSocket != nil && !ports[probe.TCPSocket.Port.StrVal] {
			t.Errorf("%s: a probe asks a port that there is not", pod)
		}
	}
}

// No pod has more rights than it needs.
func TestRights(t *testing.T) {
	for name, pod := range load(t).pods() {
		if s := pod.Spec.SecurityContext; s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.RunAsUser == nil || *s.RunAsUser == 0 || s.SeccompProfile == nil {
			t.Errorf("%s may be root", name)
		}
		for _, c := range pod.Spec.Containers {
			s := c.SecurityContext
			if s == nil || s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation || s.ReadOnlyRootFilesystem == nil || !*s.ReadOnlyRootFilesystem || s.Capabilities == nil || !slices.Contains(s.Capabilities.Drop, "ALL") {
				t.Errorf("%s: the container %s has rights that it does not need", name, c.Name)
			}
			if c.Resources.Requests.Memory().IsZero() {
				t.Errorf("%s: the container %s asks for no memory", name, c.Name)
			}
		}
	}
}

// Workers may be evicted and scaled: leaving is no failure, and one that has seen the end is
// not replaced.
func TestWorkers(t *testing.T) {
	w := load(t).jobs["topoi-workers"].Spec
	if w.Completions != nil || w.Parallelism == nil || w.Template.Spec.RestartPolicy != corev1.RestartPolicyNever {
		t.Errorf("%+v", w)
	}
	ignored := map[string]bool{}
	for _, r := range w.PodFailurePolicy.Rules {
		if r.Action != batchv1.PodFailurePolicyActionIgnore {
			continue
		}
		for _, c := range r.OnPodConditions {
			ignored[string(c.Type)] = c.Status == corev1.ConditionTrue
		}
		if e := r.OnExitCodes; e != nil && *e.ContainerName == w.Template.Spec.Containers[0].Name && e.Operator == batchv1.PodFailurePolicyOnExitCodesOpIn {
			ignored["left"] = slices.Equal(e.Values, []int32{130})
		}
	}
	if !maps.Equal(ignored, map[string]bool{"DisruptionTarget": true, "left": true}) {
		t.Errorf("what is no failure: %v", ignored)
	}
	if g := w.Template.Spec.TerminationGracePeriodSeconds; g == nil || *g < 30 {
		t.Error("workers have no time to leave")
	}
	a, port := w.Template.Annotations, w.Template.Spec.Containers[0].Ports[0]
	if a["prometheus.io/scrape"] != "true" || a["prometheus.io/path"] != "/metrics" || a["prometheus.io/port"] != "9100" || port.ContainerPort != 9100 {
		t.Errorf("Prometheus is told %v", a)
	}
}

// contains reports whether labels have all of a selector's.
func contains(labels, selector map[string]string) bool {
	for k, v := range selector {
		if labels[k] != v {
			return false
		}
	}
	return len(selector) > 0
}

func count(pods map[string]corev1.PodTemplateSpec, is func(corev1.PodTemplateSpec) bool) (n int) {
	for _, p := range pods {
		if is(p) {
			n++
		}
	}
	return n
}
