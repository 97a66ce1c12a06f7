package source

import (
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/piece"
)

// Pieces end where paragraphs or sentences do, lose nothing and are about as long as asked for.
func TestPieces(t *testing.T) {
	sentence := "One two three four five six seven eight nine ten. "
	for name, text := range map[string]string{
		"sentences":  strings.Repeat(sentence, 50),
		"paragraphs": strings.Repeat(strings.Repeat(sentence, 3)+"\n\n", 20),
		"words":      strings.Repeat("word ", 500),
		"Chinese":    strings.Repeat("今天天气很好，人们都在讨论经济。", 60),
		"short":      sentence,
		"one word":   strings.Repeat("x", 5000),
		"empty":      "",
	} {
		rest, joined := []byte(text), ""
		for len(rest) > 0 {
			n := piece.Cut(rest, 30)
			piece := string(rest[:n])
			joined += piece
			rest = rest[n:]
			end := strings.TrimRight(piece, " \n")
			if name != "words" && name != "one word" && !strings.HasSuffix(end, ".") && !strings.HasSuffix(end, "。") {
				t.Errorf("%s: a piece ends %q", name, end[max(0, len(end)-20):])
			}
			if words := len(strings.Fields(piece)); words > 50 || len(rest) > 0 && name != "Chinese" && words < 20 {
				t.Errorf("%s: a piece of %d words", name, words)
			}
		}
		if joined != text {
			t.Errorf("%s: pieces make another text", name)
		}
	}
}
