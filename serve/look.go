package serve

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/explore"
	"github.com/topoi-lda/topoi/internal/lists"
)

// ModelInfo describes a model that is served.
type ModelInfo struct {
	Name        string `json:"name"`
	Fingerprint string `json:"fingerprint"`
	Topics      int    `json:"topics"`  // K
	Words       int    `json:"words"`   // V
	Docs        int    `json:"docs"`    // training documents
	Tokens      int    `json:"tokens"`  // training tokens
	Similar     bool   `json:"similar"` // whether similar documents can be found
	Default     bool   `json:"default"` // whether requests that name no model get this one
}

// info describes the version.
func (v *version) info(first bool) ModelInfo {
	m := v.model.Manifest()
	return ModelInfo{
		Name: v.name, Fingerprint: v.fingerprint, Topics: m.Topics, Words: m.Words, Docs: m.Docs, Tokens: m.Tokens,
		Similar: v.docs != nil, Default: first,
	}
}

func (s catalog) getModels(a *answer, _ *http.Request, _ *params) error {
	return writeJSON(a, map[string]any{"models": s.Models()})
}

func (s catalog) getModel(a *answer, _ *http.Request, _ *params, v *version) error {
	return writeJSON(a, v.info(v.name == s.models.list[0].source.Name))
}

// getTopics answers with a range of topics.
func (s catalog) getTopics(a *answer, r *http.Request, p *params, v *version) error {
	p.count, p.limit = cmp.Or(p.count, 10), cmp.Or(p.limit, 1000)
	end := min(v.model.NumTopics(), p.offset+p.limit)
	topics := lists.Upto(end)[min(end, p.offset):]
	if done, err := s.unchanged(a, r, v.tagFor("topics", p.count, p.offset, p.limit)); done || err != nil {
		return err
	}
	cost := int64(len(topics)) * (docBytes + escaped*int64(v.label()) + int64(p.count)*wordBytes)
	release, err := s.afford(cost, "set limit or words")
	defer release()
	if err != nil {
		return err
	}
	list, err := s.summaries(r.Context(), v, topics, p.count)
	if err != nil {
		return err
	}
	return writeJSON(a, struct {
		Model       string               `json:"model"`
		Fingerprint string               `json:"fingerprint"`
		Total       int                  `json:"total"`
		Topics      []topoi.TopicSummary `json:"topics"`
	}{v.name, v.fingerprint, v.model.NumTopics(), list})
}

func (s catalog) getTopic(a *answer, r *http.Request, p *params, v *version) error {
	p.count = cmp.Or(p.count, 30)
	k, err := strconv.Atoi(r.PathValue("topic"))
	if err != nil || k < 0 || k >= v.model.NumTopics() {
		return notFound("there is no topic %s: the topics of the model are 0 to %d", shown(r.PathValue("topic")),
			v.model.NumTopics()-1)
	}
	if done, err := s.unchanged(a, r, v.tagFor("topic", k, p.count)); done || err != nil {
		return err
	}
	list, err := s.summaries(r.Context(), v, []int{k}, p.count)
	if err != nil {
		return err
	}
	return writeJSON(a, list[0])
}

// summaries describes topics. It reads all counts of the model, so only a few requests may do it at a time.
func (s catalog) summaries(ctx context.Context, v *version, topics []int, words int) ([]topoi.TopicSummary, error) {
	wait, cancel := context.WithTimeout(ctx, s.limits.Time)
	defer cancel()
	if err := s.looks.Acquire(wait, 1); err != nil {
		return nil, err
	}
	defer s.looks.Release(1)
	list := []topoi.TopicSummary{}
	if len(topics) > 0 {
		for t := range v.model.Summary(topics, words) {
			t.Words = v.model.Manifest().MeanCounts(t.Words)
			list = append(list, t)
		}
	}
	return list, nil
}

func (s catalog) getLive(a *answer, _ *http.Request, _ *params) error { return writeText(a, "ok\n") }

func (s catalog) getReady(a *answer, _ *http.Request, _ *params) error {
	if s.draining.Load() {
		return notReady(1, "the server is shutting down")
	}
	return writeText(a, "ok\n")
}

func (s catalog) getMetrics(a *answer, r *http.Request, _ *params) error {
	s.metrics.handler().ServeHTTP(a, r)
	return nil
}

// wordTopic describes which topic a word of a document belongs to.
type wordTopic struct {
	Word  string  `json:"word"`
	Count int     `json:"count"` // occurrences in the document
	Topic int     `json:"topic"` // the topic with the largest φ_wk θ_dk; the lowest of equal ones
	Share float32 `json:"share"` // φ_wk θ_dk / Σ_j φ_wj θ_dj
}

// wordTopics returns the topics of a document's distinct words, by falling count, then by word. It takes
// O(K) time for a word.
func wordTopics(t *tools, m *topoi.Model, words []uint32, d *topoi.DocTopics) []wordTopic {
	t.theta = d.Theta(t.theta)
	list := []wordTopic{}
	for i := 0; i < len(words); {
		j := i + 1
		for j < len(words) && words[j] == words[i] {
			j++
		}
		topic, share := topicOf(m, int(words[i]), t.theta)
		list = append(list, wordTopic{
			Word: m.Words().At(int(words[i])), Count: j - i, Topic: topic,
			Share: float32(share),
		})
		i = j
	}
	slices.SortStableFunc(list, func(a, b wordTopic) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Word, b.Word))
	})
	return list
}

// topicOf returns the most likely topic of a word in a document, and its probability. The conversions
// prevent fused multiply-add, so that all machines give the same bits.
func topicOf(m *topoi.Model, word int, theta []float64) (topic int, share float64) {
	row, totals := m.Row(word), m.TopicTotals()
	vbeta := float64(float64(m.NumWords()) * m.Beta())
	sum, best := 0.0, -1.0
	for k, n := range totals {
		count := m.Beta()
		if len(row) > 0 && int(row[0].Topic) == k {
			count, row = count+float64(row[0].Count), row[1:]
		}
		weight := float64(theta[k] * (count / (float64(n) + vbeta)))
		sum += weight
		if weight > best {
			topic, best = k, weight
		}
	}
	return topic, best / sum
}

// withWords adds the topics of words to the end of a document's line.
func withWords(line []byte, list []wordTopic) []byte {
	words, _ := json.Marshal(list) // encoding these values never fails
	line = append(line[:len(line)-len("}\n")], `,"words":`...)
	return append(append(line, words...), "}\n"...)
}

// getPage answers with the page of a model.
func (s catalog) getPage(a *answer, r *http.Request, _ *params, v *version) error {
	if v.docs == nil {
		return newProblem(http.StatusNotFound, "no_documents",
			"there is no page: the model %q has no documents to show; /openapi.yaml lists what there is", v.name)
	}
	if done, err := s.unchanged(a, r, v.tagFor("page", s.options.Version)); done || err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.limits.Time)
	defer cancel()
	page, err := v.page.get(ctx, v, func() ([]byte, error) {
		var b bytes.Buffer
		err := explore.Write(context.Background(), v.model, &b,
			explore.Options{Name: v.name, Served: true, Threads: s.options.Threads})
		return b.Bytes(), err
	})
	if errors.Is(err, context.DeadlineExceeded) {
		return notReady(10, "the page is not ready yet")
	}
	if err != nil {
		return err
	}
	a.Header().Set("Content-Length", strconv.Itoa(len(page)))
	a.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
	return send(a, "text/html; charset=utf-8", page)
}

// openAPI describes all requests and answers in machine-readable form.
//
//go:embed openapi.yaml
var openAPI []byte

func (s catalog) getOpenAPI(a *answer, _ *http.Request, _ *params) error {
	return send(a, "application/yaml", openAPI)
}

// catalog answers questions about models, topics and the server.
type catalog struct{ *Server }

// model returns the model that the path or the query names. The caller must call its done.
func (s catalog) model(r *http.Request, p *params) (*version, error) {
	return s.models.use(cmp.Or(r.PathValue("model"), p.model))
}

func quoteTag(h *xxh3.Hasher) string {
	sum := h.Sum128().Bytes()
	return `"` + hex.EncodeToString(sum[:]) + `"`
}

// unchanged sets the answer's tag. It reports whether the client already has the answer, and then tells it so.
func (s *Server) unchanged(a *answer, r *http.Request, tag string) (bool, error) {
	a.Header().Set("ETag", tag)
	a.Header().Set("Cache-Control", "no-cache")
	if !matches(r.Header.Values("If-None-Match"), tag) {
		return false, nil
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return true, newProblem(http.StatusPreconditionFailed, "answer_unchanged",
			"the answer is the one that If-None-Match names")
	}
	a.WriteHeader(http.StatusNotModified)
	return true, nil
}

// matches reports whether one of the tags in the headers is the given one.
func matches(headers []string, tag string) bool {
	return slices.ContainsFunc(strings.Split(strings.Join(headers, ","), ","), func(one string) bool {
		one = strings.TrimPrefix(strings.TrimSpace(one), "W/")
		return one == tag || one == "*"
	})
}

// tagFor returns a tag that depends on the version and the given values.
func (v *version) tagFor(values ...any) string {
	h := xxh3.New()
	fmt.Fprint(h, v.tag, " ", values)
	return quoteTag(h)
}
