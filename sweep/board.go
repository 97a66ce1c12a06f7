package sweep

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/topoi-lda/topoi/internal/store"
)

// board is where a sweep's runs stand in the store, for workers to take: a list of jobs,
// and for each a mark of the worker that is at it, which expires when it dies.
type board struct {
	store *store.Store
	name  string
}

// posted is what the board says.
type posted struct {
	Jobs  []string `json:"jobs"`  // that are to be done, first ones first
	Ended bool     `json:"ended"` // there will be no more
}

var (
	// post: KEYS board; ARGV text milliseconds.
	scriptPost = store.NewScript(`return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`)

	// claim: KEYS mark; ARGV worker milliseconds. Takes a job that nobody is at, or keeps it.
	scriptClaim = store.NewScript(`
local has = redis.call('GET', KEYS[1])
if has and has ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`)
)

const (
	boardLife = 24 * time.Hour   // of a list that nobody renews
	endLife   = 10 * time.Minute // for workers to see that a sweep has ended
	claimLife = 10 * time.Second // of a worker that says nothing
)

func openBoard(ctx context.Context, url, name string, patience time.Duration) (*board, error) {
	st, err := store.Open(ctx, store.Options{URL: url, Patience: patience})
	return &board{st, name}, err
}

func (b *board) close() { b.store.Close() }

func (b *board) key() string                { return "topoi:sweep:{" + b.name + "}" }
func (b *board) claimKey(job string) string { return b.key() + ":at:" + job }

// post says which jobs are to be done.
func (b *board) post(ctx context.Context, p posted) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	life := boardLife
	if p.Ended {
		life = endLife
	}
	_, err = b.store.Run(ctx, scriptPost, store.Call{Keys: []string{b.key()}, Args: []string{string(text), milliseconds(life)}})
	return err
}

// read returns what the board says; there is false if there is none.
func (b *board) read(ctx context.Context) (p posted, there bool, err error) {
	values, err := b.store.Get(ctx, b.key())
	if err != nil || values[0] == nil {
		return p, false, err
	}
	if err := json.Unmarshal(values[0], &p); err != nil {
		return p, false, fmt.Errorf("the store has something else at %s than a sweep: %w", b.key(), err)
	}
	return p, true, nil
}

// claim takes a job for a worker, or keeps it.
func (b *board) claim(ctx context.Context, job, worker string) (bool, error) {
	answer, err := b.store.Run(ctx, scriptClaim, store.Call{Keys: []string{b.claimKey(job)}, Args: []string{worker, milliseconds(claimLife)}})
	if err != nil {
		return false, err
	}
	n, err := answer.AsInt64()
	return n == 1, err
}

// release lets others take a job.
func (b *board) release(ctx context.Context, job string) error {
	return b.store.Delete(ctx, b.claimKey(job))
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
