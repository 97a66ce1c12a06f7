package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

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
	if err := c.call(ctx, http.MethodPost, "/v1/similar", query, map[string]any{"documents": docs}, &answer); err != nil {
		return nil, err
	}
	list := make([][]SimilarDocument, len(answer.Documents))
	for i, d := range answer.Documents {
		list[i] = d.Similar
	}
	return list, nil
}
