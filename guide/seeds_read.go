package guide

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/topoi-lda/topoi/internal/human"
)

// SeedTopic is one seeded topic.
type SeedTopic struct {
	Name   string
	Words  []SeedWord
	Weight float64 // weight of words without a weight of their own; 0 means the weight of the run
}

// SeedWord is a seed word.
type SeedWord struct {
	Pattern string  // a word, a phrase of several words, or a pattern such as econom*
	Weight  float64 // 0 means the weight of the topic
}

// ReadSeeds reads seeded topics from a file: YAML (.yaml, .yml), a table with the columns topic, word and weight
// (.csv, .tsv), or else plain text with one topic a line, "name: word, word, two words, pre*".
func ReadSeeds(path string) ([]SeedTopic, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the seeds: %w", err)
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	var p parser
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yaml", ".yml":
		err = p.yaml(b)
	case ".csv":
		err = p.table(b, ',')
	case ".tsv":
		err = p.table(b, '\t')
	default:
		err = p.lines(b)
	}
	if err == nil && len(p.topics) == 0 {
		err = errors.New(`there is no topic in it: write lines such as "space: orbit, nasa, moon"`)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p.topics, nil
}

// parser collects topics.
type parser struct {
	topics []SeedTopic
	at     map[string]int // topics by name
}

// add adds a topic that begins in a line of the file.
func (p *parser) add(line int, t SeedTopic) error {
	t.Name = strings.Join(strings.Fields(t.Name), " ")
	switch {
	case t.Name == "":
		return fmt.Errorf("line %d: a topic needs a name", line)
	case p.find(t.Name) != nil:
		return fmt.Errorf("line %d: there are two topics %q: join their words or rename one", line, t.Name)
	case len(t.Words) == 0:
		return fmt.Errorf("line %d: topic %q has no words", line, t.Name)
	}
	if p.at == nil {
		p.at = map[string]int{}
	}
	p.at[t.Name] = len(p.topics)
	p.topics = append(p.topics, t)
	return nil
}

func (p *parser) find(name string) *SeedTopic {
	i, found := p.at[name]
	if !found {
		return nil
	}
	return &p.topics[i]
}

// weight reads a weight, which must be above 0.
func weight(line int, text string) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(x > 0) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("line %d: the weight %q must be a number above 0, such as 0.5 or 2", line, text)
	}
	return x, nil
}

// lines reads plain text.
func (p *parser) lines(b []byte) error {
	s := bufio.NewScanner(bytes.NewReader(b))
	s.Buffer(nil, 16<<20)
	for line := 1; s.Scan(); line++ {
		text := strings.TrimSpace(s.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		name, list, ok := strings.Cut(text, ":")
		if !ok {
			return fmt.Errorf(`line %d: expected "name: word, word, …", and there is no colon`, line)
		}
		t := SeedTopic{Name: name}
		split := strings.Fields
		if strings.ContainsAny(list, ",;") {
			split = func(s string) []string {
				return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ';' })
			}
		}
		for _, pattern := range split(list) {
			w := SeedWord{Pattern: strings.TrimSpace(pattern)}
			if word, x, ok := strings.Cut(w.Pattern, "^"); ok {
				var err error
				if w.Weight, err = weight(line, x); err != nil {
					return err
				}
				w.Pattern = strings.TrimSpace(word)
			}
			if w.Pattern != "" {
				t.Words = append(t.Words, w)
			}
		}
		if err := p.add(line, t); err != nil {
			return err
		}
	}
	return s.Err()
}

// table reads CSV or TSV with a header.
func (p *parser) table(b []byte, comma rune) error {
	r := csv.NewReader(bytes.NewReader(b))
	r.Comma, r.FieldsPerRecord, r.TrimLeadingSpace = comma, -1, true
	column := map[string]int{"topic": -1, "word": -1, "weight": -1}
	header, err := r.Read()
	if err != nil {
		return fmt.Errorf("line 1: expected a header with the columns topic and word, and optionally weight")
	}
	for i, name := range header {
		name = strings.ToLower(strings.TrimSpace(name))
		if _, ok := column[name]; !ok {
			return fmt.Errorf("line 1: unknown column %q: the columns are topic, word and weight", name)
		}
		column[name] = i
	}
	if column["topic"] < 0 || column["word"] < 0 {
		return errors.New("line 1: the header must name the columns topic and word")
	}
	for {
		record, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err // which has no fields to tell the line by, but names it
		}
		line, _ := r.FieldPos(0)
		field := func(name string) string {
			if i := column[name]; i >= 0 && i < len(record) {
				return strings.TrimSpace(record[i])
			}
			return ""
		}
		w := SeedWord{Pattern: field("word")}
		if w.Pattern == "" {
			return fmt.Errorf("line %d: the word is missing", line)
		}
		if x := field("weight"); x != "" {
			if w.Weight, err = weight(line, x); err != nil {
				return err
			}
		}
		if t := p.find(field("topic")); t != nil {
			t.Words = append(t.Words, w)
		} else if err := p.add(line, SeedTopic{Name: field("topic"), Words: []SeedWord{w}}); err != nil {
			return err
		}
	}
}

// yaml reads a mapping from names to words, or a list of topics with name, words and weight, which may be
// under the key topics.
func (p *parser) yaml(b []byte) error {
	var root yaml.Node
	if err := yaml.Unmarshal(b, &root); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(root.Content) == 0 {
		return nil
	}
	resolve(&root)
	top := root.Content[0]
	if top.Kind == yaml.MappingNode && len(top.Content) == 2 && top.Content[0].Value == "topics" {
		top = top.Content[1]
	}
	switch top.Kind {
	case yaml.MappingNode:
		for i := 0; i < len(top.Content); i += 2 {
			t := SeedTopic{Name: top.Content[i].Value}
			if err := p.words(&t, top.Content[i+1]); err != nil {
				return err
			}
			if err := p.add(top.Content[i].Line, t); err != nil {
				return err
			}
		}
		return nil
	case yaml.SequenceNode:
		for _, n := range top.Content {
			t, err := p.topic(n)
			if err == nil {
				err = p.add(n.Line, t)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("line %d: expected a list of topics, or names with lists of words", top.Line)
}

// resolve puts what an alias stands for in its place. It does not follow what it puts there, which the tree has elsewhere.
func resolve(n *yaml.Node) {
	for i, c := range n.Content {
		if c.Kind == yaml.AliasNode {
			n.Content[i] = c.Alias
			continue
		}
		resolve(c)
	}
}

// topic reads an entry of a list of topics.
func (p *parser) topic(n *yaml.Node) (t SeedTopic, err error) {
	err = fields(n, map[string]func(*yaml.Node) error{
		"name":   func(v *yaml.Node) error { t.Name = v.Value; return nil },
		"words":  func(v *yaml.Node) error { return p.words(&t, v) },
		"weight": func(v *yaml.Node) (err error) { t.Weight, err = weight(v.Line, v.Value); return err },
	})
	return t, err
}

// words reads a list of words, each a text or a mapping with word and weight, or one text.
func (p *parser) words(t *SeedTopic, list *yaml.Node) error {
	entries := []*yaml.Node{list}
	if list.Kind == yaml.SequenceNode {
		entries = list.Content
	}
	for _, n := range entries {
		w := SeedWord{Pattern: n.Value}
		if n.Kind == yaml.MappingNode {
			err := fields(n, map[string]func(*yaml.Node) error{
				"word":   func(v *yaml.Node) error { w.Pattern = v.Value; return nil },
				"weight": func(v *yaml.Node) (err error) { w.Weight, err = weight(v.Line, v.Value); return err },
			})
			if err != nil {
				return err
			}
		}
		if w.Pattern = strings.TrimSpace(w.Pattern); w.Pattern == "" {
			return fmt.Errorf("line %d: expected a word", n.Line)
		}
		t.Words = append(t.Words, w)
	}
	return nil
}

// fields reads a mapping with the given keys.
func fields(n *yaml.Node, of map[string]func(*yaml.Node) error) error {
	names := slices.Collect(maps.Keys(of))
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: expected a topic with name and words", n.Line)
	}
	for i := 0; i < len(n.Content); i += 2 {
		read, ok := of[n.Content[i].Value]
		if !ok {
			return fmt.Errorf("line %d: unknown key %q%s", n.Content[i].Line, n.Content[i].Value,
				human.Hint(n.Content[i].Value, names))
		}
		if err := read(n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}
