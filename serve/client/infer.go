package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
)

// Document is a document whose topics are requested. Set one of Text, Tokens and Counts.
type Document struct {
	ID, Label, Time string // returned with the answer

	Text   string         // cut into words as the training documents were
	Tokens []string       // words of the vocabulary as they are
	Counts map[string]int // number of occurrences by word
}

// MarshalJSON implements json.Marshaler.
func (d Document) MarshalJSON() ([]byte, error) {
	if d.Tokens != nil && d.Counts != nil {
		return nil, errors.New("a document has both tokens and counts")
	}
	out := struct {
		ID     string         `json:"id,omitempty"`
		Label  string         `json:"label,omitempty"`
		Time   string         `json:"time,omitempty"`
		Text   *string        `json:"text,omitempty"`
		Tokens *[]string      `json:"tokens,omitempty"`
		Counts map[string]int `json:"counts,omitempty"`
	}{ID: d.ID, Label: d.Label, Time: d.Time}
	switch {
	case d.Tokens != nil:
		out.Tokens = &d.Tokens
	case len(d.Counts) > 0:
		out.Counts = d.Counts
	default:
		out.Text = &d.Text
	}
	return json.Marshal(out)
}

// InferOptions are the options of a request. The zero value means the server's defaults.
type InferOptions struct {
	Model      string  // name; empty means the server's first model
	Top        int     // largest number of topics per document; 0 means all
	MinTheta   float64 // leave out topics with a smaller share
	Words      bool    // return the topic of each word
	Iterations int     // sweeps that draw topics; 0 computes the expected topics without draws
	BurnIn     int     // sweeps that do not count; 0 means a fifth of them, negative none
	Seed       uint64
}

// query returns the options as a query of a URL.
func (o InferOptions) query() url.Values {
	q := url.Values{}
	set := func(name, value string, given bool) {
		if given {
			q.Set(name, value)
		}
	}
	set("model", o.Model, o.Model != "")
	set("top", strconv.Itoa(o.Top), o.Top != 0)
	set("min_theta", strconv.FormatFloat(o.MinTheta, 'g', -1, 64), o.MinTheta != 0)
	set("words", "true", o.Words)
	set("iterations", strconv.Itoa(o.Iterations), o.Iterations != 0)
	set("burn_in", strconv.Itoa(max(0, o.BurnIn)), o.BurnIn != 0)
	set("seed", strconv.FormatUint(o.Seed, 10), o.Seed != 0)
	return q
}

// Answer is the server's answer for documents.
type Answer struct {
	Model       string           `json:"model"`
	Fingerprint string           `json:"fingerprint"` // of the model
	Documents   []DocumentTopics `json:"documents"`   // in the order of the request
	Unknown     []int            `json:"unknown_tokens"`
}

// DocumentTopics are the topics of a document.
type DocumentTopics struct {
	Doc    int          `json:"doc"` // its number in the request
	ID     string       `json:"id"`
	Label  string       `json:"label"`
	Time   string       `json:"time"`
	Tokens int          `json:"doc_tokens"` // number of known words
	Topics []TopicShare `json:"topics"`     // by falling share
	Words  []WordTopic  `json:"words"`      // if asked for
}

// TopicShare is a topic's share of a document.
type TopicShare struct {
	Topic  int     `json:"topic"`
	Theta  float64 `json:"theta"`
	Tokens float64 `json:"tokens"` // tokens of the document, averaged over sweeps
	Label  string  `json:"topic_label"`
}

// WordTopic describes which topic a word of a document belongs to.
type WordTopic struct {
	Word  string  `json:"word"`
	Count int     `json:"count"` // occurrences in the document
	Topic int     `json:"topic"` // the most likely one
	Share float64 `json:"share"` // its probability
}

// Infer finds the topics of documents, all in one request.
func (c *Client) Infer(ctx context.Context, docs []Document, o InferOptions) (*Answer, error) {
	var answer Answer
	err := c.call(ctx, http.MethodPost, "/v1/infer", o.query(), map[string]any{"documents": docs}, &answer)
	return &answer, err
}

// Stream finds the topics of any number of documents in one request, which sends and receives them one by one.
// It yields the answers in the order of docs. After an error it yields nothing more. Documents are sent before
// earlier answers have arrived, so another goroutine iterates over docs; it has ended when the sequence ends.
func (c *Client) Stream(ctx context.Context, docs iter.Seq[Document],
	o InferOptions,
) iter.Seq2[*DocumentTopics, error] {
	return func(yield func(*DocumentTopics, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		body, to := io.Pipe()
		sent := make(chan struct{})
		go func() {
			defer close(sent)
			to.CloseWithError(sendAll(to, docs))
		}()
		defer func() { <-sent }()
		defer body.Close()
		defer cancel()
		r, err := c.request(ctx, http.MethodPost, "/v1/infer", o.query(), "application/x-ndjson", body)
		if err != nil {
			yield(nil, err)
			return
		}
		answer, err := c.options.HTTP.Do(r)
		if err != nil {
			yield(nil, err)
			return
		}
		defer answer.Body.Close()
		receiveAll(answer, yield)
	}
}

// sendAll writes documents as lines of JSON.
func sendAll(to io.Writer, docs iter.Seq[Document]) error {
	e := json.NewEncoder(to)
	for d := range docs {
		if err := e.Encode(d); err != nil {
			return err
		}
	}
	return nil
}

// receiveAll yields the lines of an answer.
func receiveAll(answer *http.Response, yield func(*DocumentTopics, error) bool) {
	if answer.StatusCode != http.StatusOK {
		yield(nil, errorOf(answer))
		return
	}
	lines := json.NewDecoder(answer.Body)
	for {
		var line struct {
			DocumentTopics
			Error string `json:"error"`
			Code  string `json:"code"`
		}
		err := lines.Decode(&line)
		switch {
		case err == io.EOF:
			return
		case err != nil:
			err = fmt.Errorf("the answer ends too early: %w", err)
		case line.Error != "":
			err = &Error{Status: answer.StatusCode, Code: line.Code, Message: line.Error, Doc: &line.Doc}
		}
		if !yield(&line.DocumentTopics, err) || err != nil {
			return
		}
	}
}

// Model describes a model on the server.
type Model struct {
	Name        string `json:"name"`
	Fingerprint string `json:"fingerprint"`
	Topics      int    `json:"topics"`
	Words       int    `json:"words"`
	Docs        int    `json:"docs"`
	Tokens      int    `json:"tokens"`
	Similar     bool   `json:"similar"` // whether Similar works for it
	Default     bool   `json:"default"`
}

// Models lists the models of the server.
func (c *Client) Models(ctx context.Context) ([]Model, error) {
	var answer struct {
		Models []Model `json:"models"`
	}
	err := c.call(ctx, http.MethodGet, "/v1/models", nil, nil, &answer)
	return answer.Models, err
}

// Topic describes a topic.
type Topic struct {
	Topic  int     `json:"topic"`
	Label  string  `json:"topic_label"`
	Alpha  float64 `json:"alpha"`
	Tokens uint64  `json:"tokens"` // tokens of the training documents
	Share  float64 `json:"share"`  // share of all these tokens
	Words  []Word  `json:"words"`  // the top words
}

// Word is a word of a topic.
type Word struct {
	Word  int     `json:"word"` // id in the vocabulary
	Term  string  `json:"term"`
	Count uint32  `json:"count"`
	Phi   float64 `json:"phi"` // its probability in the topic
}

// Topics lists all topics of a model with the given number of top words each. An empty name means the
// server's first model, and 0 words mean the server's default. It sends one request per page.
func (c *Client) Topics(ctx context.Context, model string, words int) ([]Topic, error) {
	var list []Topic
	for {
		query := topicQuery(model, words)
		query.Set("offset", strconv.Itoa(len(list)))
		var page struct {
			Total  int     `json:"total"`
			Topics []Topic `json:"topics"`
		}
		if err := c.call(ctx, http.MethodGet, "/v1/topics", query, nil, &page); err != nil {
			return nil, err
		}
		list = append(list, page.Topics...)
		if len(page.Topics) == 0 || len(list) >= page.Total {
			return list, nil
		}
	}
}

// Topic describes a topic of a model with the given number of top words.
func (c *Client) Topic(ctx context.Context, model string, topic, words int) (*Topic, error) {
	var t Topic
	err := c.call(ctx, http.MethodGet, "/v1/topics/"+strconv.Itoa(topic), topicQuery(model, words), nil, &t)
	return &t, err
}

func topicQuery(model string, words int) url.Values {
	query := url.Values{}
	if model != "" {
		query.Set("model", model)
	}
	if words > 0 {
		query.Set("words", strconv.Itoa(words))
	}
	return query
}

// SimilarDocument is a training document that is similar to a given one.
type SimilarDocument struct {
	Doc        int     `json:"doc"`
	ID         string  `json:"id"`
	Label      string  `json:"label"`
	Time       string  `json:"time"`
	Title      string  `json:"title"`
	Snippet    string  `json:"snippet"`
	Similarity float64 `json:"similarity"` // Σ_k √(θ_dk θ_d'k): 1 for equal shares, 0 for disjoint ones
}

// Similar finds for every document the count training documents with the most similar topics, best first. A
// count of 0 means the server's default. Options Top, MinTheta and Words are ignored.
func (c *Client) Similar(ctx context.Context, docs []Document, count int, o InferOptions) ([][]SimilarDocument, error) {
	o.Top, o.MinTheta, o.Words = 0, 0, false
	query := o.query()
	if count > 0 {
		query.Set("count", strconv.Itoa(count))
	}
	var answer struct {
		Documents []struct {
			Similar []SimilarDocument `json:"similar"`
		} `json:"documents"`
	}
	if err := c.call(ctx, http.MethodPost, "/v1/similar", query, map[string]any{"documents": docs},
		&answer); err != nil {
		return nil, err
	}
	list := make([][]SimilarDocument, len(answer.Documents))
	for i, d := range answer.Documents {
		list[i] = d.Similar
	}
	return list, nil
}
