// Package disks keeps the topics of tokens on workers' own disks, where there is no disk that all see and the store
// is not to hold them.
//
// A worker writes the topics of its parts at a barrier to a directory of its own. Another worker, on another disk, has a
// copy of each. Nobody listens on a port: who needs a file that it has not says so in the store, whoever has
// it puts a few pieces at a time there, and they are deleted as soon as they are written elsewhere. So the store
// holds some megabytes of topics at most for each who is fetching some.
//
// A file is a function of corpus, options and seed, as all that workers write: whoever has one of its name has the same bytes.
package disks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// Disk is where a worker keeps topics of a job.
type Disk struct {
	ID   string // the same for all workers that share the directory
	Host string // the machine's name

	job  *protocol.Job
	tell func(text string)
	news chan struct{} // 1: there is a file that there was not
}

// DefaultDir is the directory in which workers keep topics unless told otherwise: the user's cache, or else a
// temporary directory.
func DefaultDir() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	return filepath.Join(cache, "topoi", "cluster")
}

// Open makes the job's directory below dir, or finds it again, and tells the job of it.
func Open(dir string, j *protocol.Job, tell func(text string)) (*Disk, error) {
	path, err := filepath.Abs(filepath.Join(dir, j.OwnName()))
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, fmt.Errorf("there is no place for the topics of job %s: %w: name a directory on a disk of this machine (WorkOptions.Scratch)", j.Name, err)
	}
	if tell == nil {
		tell = func(string) {}
	}
	d := &Disk{job: j, tell: tell, news: make(chan struct{}, 1)}
	d.Host, _ = os.Hostname() // only to prefer another machine for a copy
	if d.ID, err = identify(filepath.Join(path, "disk")); err != nil {
		return nil, fmt.Errorf("there is no place for the topics of job %s: %w: name a directory on a disk of this machine (WorkOptions.Scratch)", j.Name, err)
	}
	j.Dir = path
	return d, d.forget(dir)
}

// forget removes what workers have left of earlier jobs of the same name in the same store, which were removed while they were not there.
func (d *Disk) forget(dir string) error {
	mine := []byte(d.job.Store.Name())
	if err := os.WriteFile(filepath.Join(d.job.Dir, "store"), mine, 0o666); err != nil {
		return err
	}
	all, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range all {
		id, ok := strings.CutPrefix(entry.Name(), d.job.Name+"-")
		if _, err := strconv.ParseUint(id, 16, 64); !ok || err != nil || entry.Name() == d.job.OwnName() {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if b, err := os.ReadFile(filepath.Join(path, "store")); err == nil && bytes.Equal(b, mine) {
			_ = os.RemoveAll(path) // another worker may be doing the same
		}
	}
	return nil
}

// identify returns the random number in the first line of a file. Whoever finds none adds one: then the first of those
// who did so at the same time counts, for all.
func identify(path string) (string, error) {
	for range 2 {
		b, err := os.ReadFile(path)
		if first, _, ok := bytes.Cut(b, []byte("\n")); ok {
			return string(first), nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
		if err != nil {
			return "", err
		}
		_, err = f.WriteString(strconv.FormatUint(rand.Uint64(), 16) + "\n")
		if err = errors.Join(err, f.Close()); err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("%s cannot be read back", path)
}

// Remove removes the job's directory.
func (d *Disk) Remove() error { return os.RemoveAll(d.job.Dir) }

// Wrote says that there is a new file, which somebody may be waiting for.
func (d *Disk) Wrote() {
	select {
	case d.news <- struct{}{}:
	default:
	}
}

// Serve gives others what they want and this worker has, until ctx ends. What goes wrong with the store meanwhile is said by
// those who work; here it is tried again.
func (d *Disk) Serve(ctx context.Context) {
	for pause := protocol.NewPause(); ctx.Err() == nil; {
		wants, err := d.job.Wants(ctx)
		answered := false
		for _, w := range wants {
			done, fault := d.answer(ctx, w)
			answered = answered || done
			err = errors.Join(err, fault)
		}
		if answered && err == nil {
			pause = protocol.NewPause()
		}
		_ = pause.WaitOr(ctx, d.news) // its error is ctx's
	}
}

// answer puts what is wanted into the store if this worker has it and no other has done so.
func (d *Disk) answer(ctx context.Context, w protocol.Want) (done bool, err error) {
	path := d.job.TopicsKey(w.Part, w.Round)
	f, err := os.Open(path)
	if err != nil {
		return false, nil // others may have it
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || w.Length == 0 && !d.whole(f, path, w) || w.Offset > info.Size() {
		return false, nil
	}
	b := strconv.AppendInt(nil, info.Size(), 10)
	if w.Length > 0 {
		b = make([]byte, min(w.Length, mostPiece, info.Size()-w.Offset))
		if _, err := f.ReadAt(b, w.Offset); err != nil {
			return false, nil
		}
	}
	if n, err := d.job.Take(ctx, w); err != nil || n == 0 {
		return false, err
	}
	return true, d.job.Deliver(ctx, w, b, stays(d.job))
}

// whole says whether a file is as it was written. One that is not is removed: it is of no use to anybody.
func (d *Disk) whole(f *os.File, path string, w protocol.Want) bool {
	if err := check(f, d.job.PartID(w.Part, w.Round)); err != nil {
		d.tell(fmt.Sprintf("%s is damaged (%v): it is removed, and another's copy counts", path, err))
		_ = os.Remove(path) // if it stays, it is found damaged again
		return false
	}
	return true
}

// check says what is wrong with a file of topics, or nil.
func check(r io.Reader, id blob.PartID) error {
	var c blob.TopicsCheck
	if _, err := io.Copy(&c, r); err != nil {
		return err
	}
	return c.Done(id)
}

// stays is how long a piece stays in the store if who wanted it does not come for it.
func stays(j *protocol.Job) time.Duration { return max(2*j.Lease, time.Second) }
