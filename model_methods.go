package topoi

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/internal/human"
)

// Methods describes in words fit for the methods section of a paper what the model was trained on and how: documents,
// how they were cut into words, the choice of the number of topics, the program and the fingerprint. Square brackets
// stand around what only the authors know.
func (m *Model) Methods() string {
	if m.of != nil {
		all := m.of.Methods()
		if m.condition != "" {
			all += fmt.Sprintf(" Only documents that satisfy %q were analysed.", m.condition)
		}
		return all
	}
	var b strings.Builder
	documents, prepared := m.manifest.preparation()
	fmt.Fprintf(&b, "The model was trained on %s [say from where, and which were left out] with %s and %s different words (corpus %s). ", documents,
		human.Of(m.manifest.Tokens, "token"), human.Count(m.manifest.Words),
		m.manifest.Corpus)
	b.WriteString(prepared)
	if o := m.manifest.Options; o.Holdout > 0 {
		fmt.Fprintf(&b, "A share of %v of the documents was held out to measure predictions. ", o.Holdout)
	}
	b.WriteString(choiceOf(m))
	b.WriteString(runOf(m))
	return b.String()
}

// preparation describes the documents and how they were cut into words.
func (m Manifest) preparation() (documents, how string) {
	var o text.Options
	documents = human.Of(m.Docs, "document")
	if len(m.Pipeline) == 0 || json.Unmarshal(m.Pipeline, &o) != nil {
		return documents, "They were given as counts of words. "
	}
	if o.Pieces > 0 {
		documents = fmt.Sprintf("%s of documents, of about %s each,", human.Of(m.Docs, "piece"), human.Of(o.Pieces, "word"))
	}
	if o.TokenRegexp != "" {
		how = fmt.Sprintf("Words are matches of %s", o.TokenRegexp)
	} else {
		how = "Text was cut into words by Unicode's rules"
	}
	if o.Case == "" || o.Case == "fold" {
		how += ", without regard to case"
	}
	how += ". "
	switch {
	case slices.Equal(o.Languages, []string{"none"}):
		how += "No list of stop words was used. "
	case slices.Contains(o.Languages, "auto"):
		how += "The stop words of each document's language were dropped. "
	default:
		how += fmt.Sprintf("Stop words were dropped (%s). ", strings.Join(o.WithDefaults().Languages, ", "))
	}
	if len(o.StopWords) > 0 {
		how += fmt.Sprintf("A list of our own was dropped too (%s). ", human.Of(len(o.StopWords), "word"))
	}
	if o.Stem {
		how += "Words were reduced to their stems (Snowball). "
	}
	if len(o.Phrases) > 0 {
		how += fmt.Sprintf("Frequent pairs of words (%d) were joined to one word each. ", len(o.Phrases))
	}
	return documents, how + "[Say which limits rare and common words had.] "
}

// choiceOf describes how the number of topics was chosen, if the model lies in the directory of a sweep.
func choiceOf(m *Model) string {
	const unknown = "[Say how the number of topics was chosen.] "
	if m.stored == nil || m.stored.Dir == "" {
		return unknown
	}
	var said struct {
		Topics  int      `json:"topics"`
		Reasons []string `json:"reasons"`
	}
	file, err := os.ReadFile(filepath.Join(m.stored.Dir, "..", "..", "recommendation.json"))
	if err != nil || json.Unmarshal(file, &said) != nil || said.Topics == 0 || len(said.Reasons) == 0 {
		return unknown
	}
	why := fmt.Sprintf("Models with several numbers of topics and several seeds were compared, which suggested %s: %s. ",
		human.Of(said.Topics, "topic"), strings.Join(said.Reasons, "; "))
	if said.Topics != m.NumTopics() {
		why += fmt.Sprintf("[Say why %d were taken.] ", m.NumTopics())
	}
	return why
}

// runOf describes the training.
func runOf(m *Model) string {
	o := m.manifest.Options
	priors := "α and β were estimated"
	if o.OptimizeInterval < 0 {
		priors = "α and β were fixed"
	}
	averaged := ""
	if m.manifest.Draws > 0 {
		averaged = fmt.Sprintf(", and the model is the average of the last %d states", m.manifest.Draws)
	}
	return fmt.Sprintf("It was trained by topoi%s (sampler %s, seed %d, %s; %s%s) and has the fingerprint %s, which the same corpus, options and version give again.",
		strings.TrimRight(" "+m.manifest.Program, " "), o.Sampler, o.Seed, human.Of(m.manifest.Iterations, "sweep"), priors, averaged, m.Fingerprint())
}
