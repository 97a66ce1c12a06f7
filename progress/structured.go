package progress

import (
	"log/slog"

	"github.com/topoi-lda/topoi"
)

// Structured writes events as records of a logger, for those who collect logs of
// many processes.
type Structured struct{ log *slog.Logger }

// NewStructured writes to log.
func NewStructured(log *slog.Logger) Structured { return Structured{log} }

// Events implements Reporter.
func (s Structured) Events() topoi.Events {
	return topoi.Events{
		Start: func(i topoi.StartInfo) {
			s.log.Info("training", "sampler", i.Sampler, "topics", i.Topics, "docs", i.Docs, "words", i.Words, "tokens", i.Tokens,
				"iteration", i.Iteration, "iterations", i.Iterations)
			for _, warning := range i.Warnings() {
				s.log.Warn(warning)
			}
		},
		Phase: s.Phase,
		Iteration: func(i topoi.IterationInfo) {
			values := []any{"iteration", i.Iteration, "tokens_per_second", i.TokensPerSecond}
			s.log.Info("iteration", append(values, scores(i.Score)...)...)
		},
		Checkpoint: func(i topoi.CheckpointInfo) {
			s.log.Info("checkpoint", "iteration", i.Iteration, "path", i.Path, "bytes", i.Bytes, "took_seconds", i.Took.Seconds())
		},
		Warning: func(i topoi.WarningInfo) { s.log.Warn(i.Err.Error(), "iteration", i.Iteration) },
		Done: func(i topoi.DoneInfo) {
			values := []any{"iteration", i.Iteration, "reason", string(i.Reason), "wall_seconds", i.Elapsed.Seconds()}
			s.log.Info("done", append(values, scores(i.Score)...)...)
		},
	}
}

// scores are the attributes of an evaluation, none for nil.
func scores(s *topoi.Score) []any {
	if s == nil {
		return nil
	}
	values := []any{"log_likelihood_per_token", s.LogLikelihood}
	if s.Heldout != nil {
		values = append(values, "heldout_per_token", *s.Heldout)
	}
	if s.HeldoutSample != nil {
		values = append(values, "heldout_sample_per_token", *s.HeldoutSample)
	}
	if s.Sample != nil {
		values = append(values, "sample_per_token", *s.Sample)
	}
	return values
}

// Phase implements Reporter. How far a phase is matters to those who debug.
func (s Structured) Phase(p topoi.PhaseInfo) {
	s.log.Debug("phase", "phase", p.Name, "done", p.Done, "total", p.Total)
}

// Say implements Reporter.
func (s Structured) Say(line string) { s.log.Info(line) }

// Close implements Reporter.
func (Structured) Close() {}
