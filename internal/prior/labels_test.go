package prior

import (
	"reflect"
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
)

func TestLabels(t *testing.T) {
	texts := []string{"b", "a; b", "", "b;a;b", " ", "c"}
	l, err := NewLabels(len(texts), func(d int) string { return texts[d] }, 2)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a", "b", "c"}; !reflect.DeepEqual(l.Names, want) || l.Topics != 5 {
		t.Errorf("labels %q and %d topics", l.Names, l.Topics)
	}
	if want := []uint32{0, 1, 2, 3, 4, 5}; !reflect.DeepEqual(l.Groups, want) {
		t.Errorf("groups %v, want %v", l.Groups, want)
	}
	all := l.Of([]float64{1, 2, 3, 4, 5})
	got := append(all[:3:3], all[5])
	want := []sampler.Group{
		{Topics: []uint32{1, 3, 4}, Alpha: []float64{2, 4, 5}},
		{Topics: []uint32{0, 1, 3, 4}, Alpha: []float64{1, 2, 4, 5}},
		{Topics: []uint32{0, 1, 2, 3, 4}, Alpha: []float64{1, 2, 3, 4, 5}},
		{Topics: []uint32{2, 3, 4}, Alpha: []float64{3, 4, 5}},
	}
	if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(all[3], want[1]) || !reflect.DeepEqual(all[4], want[2]) {
		t.Errorf("%v, want %v", all, want)
	}
	if _, err := NewLabels(2, func(int) string { return "; " }, 1); err == nil {
		t.Error("documents without labels are accepted")
	}
}
