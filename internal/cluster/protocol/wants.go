package protocol

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/topoi-lda/topoi/internal/store"
)

// Want is a piece of a file of topics that somebody wants. Whoever has the file takes the want out of the set and
// puts the piece into the store, from where the other deletes it once it is written.
type Want struct {
	Part, Round    int
	Offset, Length int64  // bytes; a length of 0 asks for the size of the file, of which the answerer sees that it is whole
	ID             uint64 // of who wants it: a random number
}

func (w Want) text() string {
	return fmt.Sprintf("%d:%d:%d:%d:%x", w.Part, w.Round, w.Offset, w.Length, w.ID)
}

// parseWant reads what text returns.
func parseWant(text string) (w Want, ok bool) {
	n, err := fmt.Sscanf(text, "%d:%d:%d:%d:%x", &w.Part, &w.Round, &w.Offset, &w.Length, &w.ID)
	return w, n == 5 && err == nil && w.Part >= 0 && w.Offset >= 0 && w.Length >= 0
}

// AnswerKey is where what is wanted will be.
func (j *Job) AnswerKey(w Want) string { return j.Key.Part(w.Part, "t:"+w.text()) }

// Want says what is wanted.
func (j *Job) Want(ctx context.Context, wants ...Want) error {
	_, err := j.Ask(ctx, scriptWant, []string{j.Key.Spec(), j.Key.Wants()}, wantTexts(wants)...)
	return err
}

// Wants returns what everybody wants.
func (j *Job) Wants(ctx context.Context) ([]Want, error) {
	answer, err := j.Ask(ctx, scriptWants, []string{j.Key.Spec(), j.Key.Wants()})
	if err != nil {
		return nil, err
	}
	list, err := answer[1].AsStrSlice()
	var wants []Want
	for _, text := range list {
		if w, ok := parseWant(text); ok && w.Part < j.Parts {
			wants = append(wants, w)
		}
	}
	return wants, err
}

// Take takes back wants, or takes them upon oneself, and returns how many were still there.
func (j *Job) Take(ctx context.Context, wants ...Want) (int64, error) {
	if len(wants) == 0 {
		return 0, nil
	}
	answer, err := j.Ask(ctx, scriptTake, []string{j.Key.Wants()}, wantTexts(wants)...)
	if err != nil {
		return 0, err
	}
	return answer[1].AsInt64()
}

// TakeOlder takes back what nobody can have any more: topics of barriers before a round.
func (j *Job) TakeOlder(ctx context.Context, round int) error {
	wants, err := j.Wants(ctx)
	if err != nil {
		return err
	}
	_, err = j.Take(ctx, slices.DeleteFunc(wants, func(w Want) bool { return w.Round >= round })...)
	return err
}

// Deliver puts what was wanted into the store, where it stays for so long if nobody deletes it.
func (j *Job) Deliver(ctx context.Context, w Want, b []byte, stays time.Duration) error {
	key := j.AnswerKey(w)
	call := store.Call{Keys: []string{key + waiting, j.Key.Part(w.Part, "head"), key}, Args: []string{j.IDText(), strconv.FormatInt(stays.Milliseconds(), 10)}}
	answers, err := j.Store.Offer(ctx, scriptDeliver, []store.Blob{{Value: b, Call: call}})
	if err != nil {
		return err
	}
	if _, err = j.Understand(answers[0]); errors.Is(err, ErrGone) {
		return nil // the job is over
	}
	return err
}

func wantTexts(wants []Want) []string {
	texts := make([]string, len(wants))
	for i, w := range wants {
		texts[i] = w.text()
	}
	return texts
}
