package registry

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/batch"
	"github.com/topoi-lda/topoi/internal/sampler/cvb"
	"github.com/topoi-lda/topoi/internal/sampler/gibbs"
	"github.com/topoi-lda/topoi/internal/sampler/warp"
)

// These constants determine the choice of "auto". The comparisons auto-100, auto-300 and auto-1000 of the
// program bench have the held-out scores over time from which they were read, docs/performance.md the tables.
const (
	// exactTopics is the largest K for which exact draws are chosen among samplers, and exactTopicsSmall that of
	// corpora of at most shareTokens. A sweep of batch costs O(K) and is worth three to four of warp, which cost the
	// same for any K, but wait for memory where the model outgrows the caches.
	exactTopics      = 256
	exactTopicsSmall = 512

	// shareTopics, shareTokens and shareBytes are the most topics, tokens and memory for which
	// responsibilities (cvb) are chosen. They cost O(K) like batch, and stream through memory if they outgrow
	// the caches: with 20 million tokens, 50 topics and learnt priors they are ahead by at most a fourth.
	shareTopics = 1024
	shareTokens = 1 << 23
	shareBytes  = 1_500_000_000

	// fixedTokens and fixedBytes are the most tokens and memory where priors are fixed:
	// there responsibilities are half as soon again with 20 million tokens and 100 topics.
	fixedTokens = 1 << 25
	fixedBytes  = 2_000_000_000

	// shareWords is the least mean number of distinct words in a document for which responsibilities are chosen where
	// priors are learnt. Independent probabilities cannot say that all words of a title have one topic, whichever it
	// is; fixed priors leave less of that to find out.
	shareWords = 25

	// longWords is the mean number of distinct words from which on more than exactTopicsSmall topics are drawn where
	// priors are learnt: topics of responsibilities fit long documents one by one, and predict papers worse than exact
	// draws by 0.003 to 0.05. From half of it on cvb has all its exact sweeps, after which it may stay with exact draws.
	longWords = 700

	// exactSweeps are drawn before responsibilities where priors are learnt, and exactSweepsMany with more than
	// ManyTopics: they cost O(K), topics part sooner where there are many, and the end is no lower.
	exactSweeps     = 40
	exactSweepsMany = 15

	// startLift is Tuning.StartLift of warp for more than exactTopicsSmall topics, more than shareTokens and at most
	// fixedTokens tokens, and fixed priors. Topics then part in half the sweeps. A larger one parts them sooner, but
	// generated documents end up to 0.04 lower. Smaller corpora end up to 0.01 higher or lower, larger ones up to 0.02
	// lower.
	startLift = 20
)

// ManyTopics is the number above which topics separate sooner, and take longer to settle.
const ManyTopics = 300

// Run holds what a choice depends on besides the problem.
type Run struct {
	Learnt    bool // whether α and β are estimated
	Drawn     bool // whether the prior needs topics that are drawn
	Guided    bool // whether pseudo-counts guide topics
	ByWorkers bool // whether a cluster is to train, whose samplers work on parts of a corpus
}

// Choice is the decision of "auto".
type Choice struct {
	Sampler sampler.Info
	Tuning  sampler.Tuning
	Reason  string // a phrase for people

	run Run
}

// Choose picks the sampler for "auto" from the corpus, K and the options alone. It does not depend on the
// machine, since two machines would then give two models.
func Choose(p *sampler.Problem, r Run) Choice {
	sampled := drawn(p, float64(p.N()), r)
	asked := p.Tuning
	if asked.Staleness == 0 {
		asked.Parts = 0 // changes nothing
	}
	switch {
	case p.Groups != nil && !r.ByWorkers && (p.N() < sampler.GroupTokens || p.K > batch.Info.MaxK) &&
		asked == (sampler.Tuning{}):
		return Choice{
			gibbs.Info, p.Tuning,
			"a small corpus of documents in groups is drawn token by token, with every count fresh", r,
		}
	case p.Groups != nil:
		return Choice{batch.Info, p.Tuning, "it draws by the prior of a document's group, with all cores", r}
	case p.K > shareTopics || r.Drawn || asked != (sampler.Tuning{}): // its choices are about drawing
		return sampled
	case r.ByWorkers:
		sampled.Reason = "workers share a corpus by drawing topics: " + sampled.Reason
		return sampled
	}
	pairs, ok := affords(p, r.Learnt)
	return byPairs(p, r, sampled, float64(pairs)/float64(max(1, p.D())), ok)
}

// ForSize returns what Choose picks for a corpus of which only the size is known: the number of tokens, and
// the mean number of distinct words in a document.
func ForSize(topics int, tokens, words float64, r Run) Choice {
	p := &sampler.Problem{K: topics}
	sampled := drawn(p, tokens, r)
	if topics > shareTopics {
		return sampled
	}
	const overhead = 20 // bytes of a pair beside K
	most, bytes := shares(r.Learnt)
	return byPairs(p, r, sampled, words, tokens <= float64(most) && tokens*float64(topics+overhead) <= float64(bytes))
}

// byPairs decides by the distinct words in a document, and by whether responsibilities fit.
func byPairs(p *sampler.Problem, r Run, sampled Choice, words float64, fit bool) Choice {
	switch {
	case !fit && p.Pseudo != nil:
		sampled.Reason = "the corpus is large, or its words have many pseudo-counts: " + sampled.Reason
		return sampled
	case !fit:
		sampled.Reason = "the corpus is large: " + sampled.Reason
		return sampled
	case !r.Learnt:
		return Choice{
			cvb.Info,
			sampler.Tuning{CVB: "zero"},
			"zero-order: while priors are fixed it reaches a held-out score soonest", r,
		}
	case words < shareWords || words >= longWords && p.K > exactTopicsSmall:
		sampled.Reason = fmt.Sprintf("with learned priors and %.0f distinct words in a document: %s", words,
			sampled.Reason)
		return sampled
	}
	sweeps := exactSweeps
	if p.K > ManyTopics && words < longWords/2 {
		sweeps = exactSweepsMany
	}
	return Choice{
		cvb.Info,
		sampler.Tuning{CVB: "zero", ExactSweeps: sweeps, Adapt: true},
		fmt.Sprintf("zero-order, after %d sweeps of exact draws: with %.0f distinct words in a document that reaches a held-out score soonest", sweeps, words),
		r,
	}
}

// affords reports whether a corpus is small enough for responsibilities, and returns its number of pairs of a
// document and a word.
func affords(p *sampler.Problem, learnt bool) (pairs int, ok bool) {
	tokens, bytes := shares(learnt)
	if p.N() > tokens {
		return 0, false
	}
	return cvb.Suits(p, bytes)
}

// shares returns the most tokens and bytes for which responsibilities are chosen.
func shares(learnt bool) (tokens int, bytes uint64) {
	if learnt {
		return shareTokens, shareBytes
	}
	return fixedTokens, fixedBytes
}

// drawn chooses among samplers that draw topics, by K and the tokens of the corpus.
func drawn(p *sampler.Problem, tokens float64, r Run) Choice {
	most := exactTopics
	if tokens <= shareTokens {
		most = exactTopicsSmall
	}
	if p.K <= most {
		return Choice{batch.Info, p.Tuning, fmt.Sprintf("up to %d topics exact draws reach a held-out score soonest",
			most), r}
	}
	c := cheap(p, tokens, r, fmt.Sprintf("beyond %d topics cheap draws reach a held-out score soonest", most))
	if c.Tuning.StartLift > 0 {
		c.Reason += ", if words begin with one topic that is likelier than the others"
	}
	return c
}

// cheap chooses warp, and how it begins.
func cheap(p *sampler.Problem, tokens float64, r Run, reason string) Choice {
	tuning, plain := p.Tuning, !r.Learnt && !r.Drawn && !r.Guided && p.Tuning.StartTopics == 0
	if plain && p.K > exactTopicsSmall && tokens > shareTokens && tokens <= fixedTokens {
		tuning.StartLift = startLift
	}
	return Choice{warp.Info, tuning, reason, r}
}

// Smaller returns alternatives to a choice that needs too much memory, best first. p.Tuning holds the user's options.
func (c Choice) Smaller(p *sampler.Problem) []Choice {
	cheap := cheap(p, float64(p.N()), c.run, "the tables of exact draws do not fit")
	switch sampled := drawn(p, float64(p.N()), c.run); {
	case c.Sampler.Name == cvb.Info.Name && sampled.Sampler.Name != cheap.Sampler.Name:
		sampled.Reason = "the tables of cvb do not fit"
		return []Choice{sampled, cheap}
	case c.Sampler.Name == cheap.Sampler.Name || p.Groups != nil:
		return nil
	}
	return []Choice{cheap}
}
