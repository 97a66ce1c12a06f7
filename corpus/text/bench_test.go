package text

import (
	"strings"
	"testing"
)

// prose is a piece of ordinary English with the usual punctuation.
const prose = `The river had risen in the night, and by morning it stood a hand's breadth below the bridge.
People came out of their houses to look at it; nobody spoke much. "It won't reach the road," said the
miller, who had seen the flood of 1953 and didn't think this one would match it. Still, sacks of flour were
carried upstairs, cattle were driven to higher ground, and the school (built on a low-lying meadow) was
closed for the day. At noon the rain stopped. `

func benchmark(b *testing.B, o Options, text string) {
	p := mustNew(b, o)
	s := []byte(strings.Repeat(text, 1+100_000/len(text)))
	dst := p.Tokens(nil, s)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		dst = p.Tokens(dst[:0], s)
	}
}

func BenchmarkTokens(b *testing.B) {
	b.Run("english", func(b *testing.B) { benchmark(b, Options{}, prose) })
	b.Run("english-stem", func(b *testing.B) { benchmark(b, Options{Stem: true}, prose) })
	b.Run("english-auto", func(b *testing.B) { benchmark(b, Options{Languages: []string{"auto"}}, prose) })
	b.Run("english-regexp", func(b *testing.B) { benchmark(b, Options{TokenRegexp: `\p{L}[\p{L}\p{P}]+\p{L}`}, prose) })
	b.Run("german", func(b *testing.B) {
		benchmark(b, Options{Languages: []string{"de"}}, "Der Fluß war über Nacht gestiegen, und die Brücke stand schon halb unter Wasser. ")
	})
	b.Run("russian", func(b *testing.B) {
		benchmark(b, Options{Languages: []string{"ru"}}, "За ночь река поднялась, и к утру вода стояла у самого моста. ")
	})
	b.Run("chinese", func(b *testing.B) {
		benchmark(b, Options{}, "一夜之间河水上涨，到早晨已经接近桥面。大家都出来看，没有人说话。")
	})
}
