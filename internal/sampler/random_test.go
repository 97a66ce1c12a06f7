package sampler

import (
	"testing"

	"github.com/topoi-lda/topoi/internal/rng"
)

// Words drawn for a run of tokens are those that each token would read alone,
// wherever the run begins and ends.
func TestWordsOfTokens(t *testing.T) {
	d := Draws{rng.NewKey(11), 3, ForDraw}
	var buffer Words
	for begin := range 9 {
		for end := begin; end < begin+80; end++ {
			got := buffer.Tokens(d, begin, end)
			if len(got) != end-begin {
				t.Fatalf("tokens %d … %d: %d words", begin, end-1, len(got))
			}
			for i, x := range got {
				if want := d.Word(uint64(begin + i)); x != want {
					t.Fatalf("tokens %d … %d: token %d got %08x, want %08x", begin, end-1, begin+i, x, want)
				}
			}
		}
	}
}
