package explore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

func petModel(t *testing.T, docs, topics int) *topoi.Model {
	t.Helper()
	var b corpus.Builder
	for d := range docs {
		text := []string{"cat kitten purr whisker cat", "dog puppy bark leash dog"}[d%2]
		b.Add(corpus.Document{Label: []string{"cats", "dogs"}[d%2], Time: fmt.Sprintf("2001-%02d-01", 1+d%12), Tokens: strings.Fields(text), Snippet: text})
	}
	m, err := train.Run(t.Context(), b.Corpus(), topoi.Options{Topics: topics, Iterations: 5, OptimizeInterval: -1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The page is a function of the model alone, not of threads.
func TestPageIsRepeatable(t *testing.T) {
	m := petModel(t, 40, 3)
	var first, second bytes.Buffer
	if err := Write(t.Context(), m, &first, Options{Threads: 1}); err != nil {
		t.Fatal(err)
	}
	if err := Write(t.Context(), m, &second, Options{Threads: 7}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two threads make another page than one")
	}
}

// The policy names the hashes of exactly the script and the style that the page has, and
// nothing in them ends their elements early.
func TestPolicy(t *testing.T) {
	var b bytes.Buffer
	if err := Write(t.Context(), petModel(t, 10, 2), &b, Options{Name: `"><script>`}); err != nil {
		t.Fatal(err)
	}
	checkPolicy(t, b.String())
}

// With more documents than fit, those stay that lead a topic, a group or a period.
func TestSampledDocuments(t *testing.T) {
	var b bytes.Buffer
	if err := Write(t.Context(), petModel(t, 200, 3), &b, Options{Docs: 30}); err != nil {
		t.Fatal(err)
	}
	info, arrays := directoryOf(t, b.String())
	if info["docs"] != 200.0 || arrays["docNumbers"].Length != 30 || arrays["docSnippets"].Length != 30 || arrays["docGroups"].Length != 30 {
		t.Errorf("of %v documents the page has %+v", info["docs"], arrays["docNumbers"])
	}
	if calendars := info["calendars"].([]any); len(calendars) != 3 {
		t.Errorf("the calendars are %v", calendars)
	}
}

func TestFaults(t *testing.T) {
	m := petModel(t, 10, 2)
	for _, o := range []Options{{Docs: -1}, {Interval: 1}, {Interval: -0.5}, {Replicates: -1}} {
		if err := Write(t.Context(), m, io.Discard, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var page strings.Builder
	if err := Write(ctx, m, &page, Options{}); !errors.Is(err, context.Canceled) || page.Len() > 0 {
		t.Errorf("a cancelled page gives %v and %d bytes", err, page.Len())
	}
}
