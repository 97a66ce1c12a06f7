package progress

import (
	"cmp"
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/topoi-lda/topoi"
)

// JSON writes every event as one line with one object. Its member "event" is start, phase, iteration,
// checkpoint, warning, done or note. "seconds" is the time spent training (sweeps and prior estimation),
// "wall_seconds" all time since training began.
type JSON struct {
	mu  sync.Mutex
	out *json.Encoder
	err error // the first failure to write
}

// NewJSON returns a reporter that writes to out.
func NewJSON(out io.Writer) *JSON {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return &JSON{out: encoder}
}

// Events implements Reporter.
func (j *JSON) Events() topoi.Events {
	return topoi.Events{
		Start:      j.start,
		Phase:      j.Phase,
		Iteration:  j.iteration,
		Checkpoint: j.checkpoint,
		Warning:    j.warning,
		Done:       j.done,
	}
}

// Phase implements Reporter.
func (j *JSON) Phase(p topoi.PhaseInfo) {
	j.Write(struct {
		Event string `json:"event"`
		Phase string `json:"phase"`
		Done  int64  `json:"done"`
		Total int64  `json:"total,omitempty"`
	}{"phase", p.Name, p.Done, p.Total})
}

// Say implements Reporter.
func (j *JSON) Say(line string) {
	j.Write(struct {
		Event string `json:"event"`
		Text  string `json:"text"`
	}{"note", line})
}

// Close implements Reporter.
func (j *JSON) Close() {}

// Write writes v, an object with a field "event", as one line.
func (j *JSON) Write(v any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.err = cmp.Or(j.err, j.out.Encode(v))
}

// Err returns the first failure to write, if any.
func (j *JSON) Err() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

func (j *JSON) start(s topoi.StartInfo) {
	j.Write(struct {
		Event      string `json:"event"`
		Sampler    string `json:"sampler"`
		Reason     string `json:"reason,omitempty"`
		Device     string `json:"device,omitempty"`
		Threads    int    `json:"threads"`
		Docs       int    `json:"docs"`
		HeldOut    int    `json:"heldout_docs"`
		Words      int    `json:"words"`
		Tokens     int    `json:"tokens"`
		Topics     int    `json:"topics"`
		Iteration  int    `json:"iteration"`
		Iterations int    `json:"iterations"`
		Racy       bool   `json:"not_repeatable,omitempty"`

		Warnings []string `json:"warnings,omitempty"`
	}{
		"start", s.Sampler, s.Reason, s.Device, s.Threads, s.Docs, s.HeldOut, s.Words, s.Tokens, s.Topics, s.Iteration,
		s.Iterations, s.NotRepeatable, s.Warnings(),
	})
}

// scoreFields are omitted if there was no evaluation.
type scoreFields struct {
	LogLikelihood *float64 `json:"log_likelihood_per_token,omitempty"`
	Heldout       *float64 `json:"heldout_per_token,omitempty"`
	HeldoutSample *float64 `json:"heldout_sample_per_token,omitempty"`
	Sample        *float64 `json:"sample_per_token,omitempty"`
	AlphaSum      *float64 `json:"alpha_sum,omitempty"`
	Beta          *float64 `json:"beta,omitempty"`
}

func fieldsOf(s *topoi.Score) scoreFields {
	if s == nil {
		return scoreFields{}
	}
	return scoreFields{&s.LogLikelihood, s.Heldout, s.HeldoutSample, s.Sample, &s.AlphaSum, &s.Beta}
}

func (j *JSON) iteration(i topoi.IterationInfo) {
	j.Write(struct {
		Event           string  `json:"event"`
		Iteration       int     `json:"iteration"`
		Seconds         float64 `json:"seconds"`
		WallSeconds     float64 `json:"wall_seconds"`
		TokensPerSecond float64 `json:"tokens_per_second"`
		scoreFields
	}{
		"iteration", i.Iteration, seconds(i.Training), seconds(i.Elapsed), float64(int64(i.TokensPerSecond)),
		fieldsOf(i.Score),
	})
}

func (j *JSON) checkpoint(c topoi.CheckpointInfo) {
	j.Write(struct {
		Event     string  `json:"event"`
		Iteration int     `json:"iteration"`
		Path      string  `json:"path"`
		Bytes     int64   `json:"bytes"`
		Took      float64 `json:"took_seconds"`
	}{"checkpoint", c.Iteration, c.Path, c.Bytes, seconds(c.Took)})
}

func (j *JSON) warning(w topoi.WarningInfo) {
	j.Write(struct {
		Event     string `json:"event"`
		Iteration int    `json:"iteration"`
		Text      string `json:"text"`
	}{"warning", w.Iteration, w.Err.Error()})
}

func (j *JSON) done(d topoi.DoneInfo) {
	j.Write(struct {
		Event       string           `json:"event"`
		Iteration   int              `json:"iteration"`
		Reason      topoi.StopReason `json:"reason"`
		Rising      bool             `json:"rising,omitempty"`
		Seconds     float64          `json:"seconds"`
		WallSeconds float64          `json:"wall_seconds"`
		Starting    float64          `json:"starting_seconds"`
		Scoring     float64          `json:"scoring_seconds"`
		Saving      float64          `json:"checkpoint_seconds"`
		Finishing   float64          `json:"model_seconds"`
		scoreFields
	}{
		"done", d.Iteration, d.Reason, d.Rising, seconds(d.Training), seconds(d.Elapsed), seconds(d.Starting),
		seconds(d.Scoring), seconds(d.Saving), seconds(d.Finishing), fieldsOf(d.Score),
	})
}

// seconds keeps microseconds, and prints no more digits than that.
func seconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1e6 }
