package blob

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// Records come back as they were written; other ones, or of another number, are refused.
func TestTokens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := drawID(t, rapid.SampledFrom([]Kind{Tokens, Walked}).Draw(t, "kind"))
		records := rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(t, "records")
		b := FinishTokens(append(BeginTokens([]byte("room of another"), id), records...), 7)
		if len(b) != TokensBytes(len(records)) {
			t.Fatalf("%d bytes, where %d were expected", len(b), TokensBytes(len(records)))
		}
		got, err := OpenTokens(b, id, len(records))
		if err != nil || !bytes.Equal(got, records) {
			t.Fatalf("%v, %v, want %v", got, err, records)
		}
		if _, err := OpenTokens(b, id, len(records)+1); !errors.Is(err, ErrDamaged) {
			t.Fatal(err)
		}
		other := id
		other.Kind = Tokens + Walked - id.Kind
		if _, err := OpenTokens(b, other, len(records)); !errors.Is(err, ErrIdentity) {
			t.Fatal(err)
		}
		b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] ^= 1
		if _, err := OpenTokens(b, id, len(records)); err == nil {
			t.Fatal("damage is not noticed")
		}
	})
}
