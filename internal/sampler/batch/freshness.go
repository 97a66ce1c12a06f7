package batch

import (
	"errors"
	"fmt"
	"strings"

	"github.com/topoi-lda/topoi/internal/human"
)

// Freshness says for each of the three counts whether a change is visible at
// once (true) or at the end of the mini-batch: the eight variants of Moon et al.
// (2018, §3 and Fig. 1).
type Freshness struct {
	Doc, Word, Topic bool
}

// String writes f as ParseFreshness reads it.
func (f Freshness) String() string {
	return fmt.Sprintf("doc=%s,word=%s,topic=%s", when(f.Doc), when(f.Word), when(f.Topic))
}

func when(fresh bool) string {
	if fresh {
		return "immediate"
	}
	return "delayed"
}

// batchFreshness is that of batch itself: documents see their own changes at
// once and all others' at the end of the mini-batch.
var batchFreshness = Freshness{Doc: true}

// ParseFreshness reads "doc=immediate,word=delayed,topic=delayed". Counts that
// are left out are as batch has them.
func ParseFreshness(s string) (Freshness, error) {
	f := batchFreshness
	if s == "" {
		return f, nil
	}
	var faults []error
	for _, part := range strings.Split(s, ",") {
		name, value, _ := strings.Cut(part, "=")
		field, ok := map[string]*bool{"doc": &f.Doc, "word": &f.Word, "topic": &f.Topic}[name]
		switch {
		case !ok:
			faults = append(faults, fmt.Errorf("unknown count %q in Tuning.Fresh%s", name, human.Hint(name, []string{"doc", "word", "topic"})))
		case value != "immediate" && value != "delayed":
			faults = append(faults, fmt.Errorf("Tuning.Fresh says of %s %q: it must be immediate or delayed", name, value))
		default:
			*field = value == "immediate"
		}
	}
	return f, errors.Join(faults...)
}
