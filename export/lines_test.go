package export

import (
	"bytes"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
)

// Single lines are those that a stream writes, by any goroutine's copy, whatever was
// written before.
func TestLinesAgreeWithStream(t *testing.T) {
	m := heldOutModel(t)
	held, err := m.Heldout()
	if err != nil {
		t.Fatal(err)
	}
	first, err := NewLines(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{}, {Top: 2}, {MinTheta: 0.2}} {
		var want bytes.Buffer
		s, err := NewStream(m, "jsonl", &want, topoi.InferOptions{}, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Write(t.Context(), held); err != nil {
			t.Fatal(err)
		}
		for _, lines := range []*Lines{first, first.Clone()} {
			var got []byte
			err := m.Infer(t.Context(), held, topoi.InferOptions{}, func(d *topoi.DocTopics) error {
				head := corpus.Document{ID: held.ID(d.Doc), Label: held.Label(d.Doc), Time: held.Time(d.Doc)}
				got = lines.Append(got, held.Number(d.Doc), head, d, o)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want.Bytes()) {
				t.Errorf("%+v: got\n%s\nwant\n%s", o, got, want.Bytes())
			}
		}
	}
}
