package training

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/objects"
	"github.com/topoi-lda/topoi/internal/remote"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// The groups of commands that topoi cluster --help shows.
const (
	groupJob  = "job"
	groupPlan = "plan"
)

// storeVariable is the environment variable with the store's URL, for those who
// do not want a password in their shell's history or in ps.
const storeVariable = "TOPOI_STORE"

// jobFlags are the flags of every command about a job: where it is.
type jobFlags struct {
	store, ca, cert, key, job string
	patience                  time.Duration
}

func (f *jobFlags) add(c *cobra.Command) {
	cli.Section(c, "Which job", func(fs *pflag.FlagSet) {
		fs.StringVar(&f.store, "store", "",
			"`URL` of the store: redis://USER:PASSWORD@HOST:6379, rediss:// for TLS, with ?addr=HOST2:6379 for more nodes of a Cluster (default: $"+storeVariable+")")
		fs.StringVar(&f.job, "job", "", "`name` of the job (required)")
		fs.StringVar(&f.ca, "store-ca", "",
			"`file` with the certificate of the authority that signed the store's (default: those of the system)")
		fs.StringVar(&f.cert, "store-cert", "", "`file` with this machine's certificate, if the store asks for one")
		fs.StringVar(&f.key, "store-key", "", "`file` with its key")
		fs.DurationVar(&f.patience, "patience", time.Minute, "how `long` to wait for a store that does not answer")
	})
}

// where returns what the flags say, and all their faults.
func (f *jobFlags) where() (cluster.Job, error) {
	f.store = cmp.Or(f.store, os.Getenv(storeVariable))
	store, err := f.withCertificates()
	job := cluster.Job{Store: store, Name: f.job, Program: cli.ProgramVersion(), Patience: f.patience}
	return job, errors.Join(
		human.FaultIf(f.store == "", "the store is missing: add --store redis://HOST:6379, or set %s", storeVariable),
		human.FaultIf(f.job == "", "the job is missing: add --job NAME"), err)
}

// withCertificates puts the files of certificates into the URL, where package cluster wants them.
func (f *jobFlags) withCertificates() (string, error) {
	if f.ca == "" && f.cert == "" && f.key == "" {
		return f.store, nil
	}
	u, err := url.Parse(f.store)
	if err != nil || u.Scheme != "rediss" {
		return "", errors.New("--store-ca, --store-cert and --store-key are for TLS: give a store that begins with rediss://")
	}
	query := u.Query()
	for name, file := range map[string]string{"cacert": f.ca, "cert": f.cert, "key": f.key} {
		if file != "" {
			query.Set(name, file)
		}
	}
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// openCorpus opens the corpus of a job: the one at path, or where the job says.
func openCorpus(ctx context.Context, where cluster.Job, path string) (*corpus.Corpus, error) {
	if path != "" {
		return openFile(path)
	}
	status, err := where.Status(ctx)
	if status == nil { // where the corpus is does not depend on the job's state
		return nil, err
	}
	if objects.Is(status.CorpusPath) {
		return openFile(status.CorpusPath)
	}
	c, err := corpus.Open(status.CorpusPath)
	switch there := err == nil && c.Fingerprint() == status.Corpus; {
	case there || !status.Shipped && !errors.Is(err, os.ErrNotExist):
		return c, err
	case !status.Shipped:
		return nil, fmt.Errorf("the corpus of job %s is not at %s on this machine: say where it is with --corpus FILE, or submit the job with --layout corpus=store", where.Name, status.CorpusPath)
	case err == nil:
		_ = c.Close() // it is another one, and was only read
	}
	return receiveCorpus(ctx, where, status.Corpus)
}

// receiveCorpus fetches a corpus that was shipped, once for all jobs about it.
func receiveCorpus(ctx context.Context, where cluster.Job, fingerprint string) (*corpus.Corpus, error) {
	cache, err := os.UserCacheDir()
	dir := filepath.Join(cache, "topoi", "corpora")
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return nil, fmt.Errorf("the corpus cannot be stored here: %w: give a copy with --corpus FILE", err)
	}
	path := filepath.Join(dir, fingerprint+".topoi")
	if c, err := corpus.Open(path); err == nil {
		return c, nil
	}
	if err := where.ReceiveCorpus(ctx, path); err != nil {
		return nil, err
	}
	return corpus.Open(path)
}

// openFile opens a corpus file. Of one in a store it reads what is needed.
func openFile(path string) (*corpus.Corpus, error) {
	if !objects.Is(path) {
		return corpus.Open(path)
	}
	o, err := remote.Open(path)
	if err != nil {
		return nil, err
	}
	r := &ranges{object: o, has: map[int64]int{}}
	if f, err := os.CreateTemp("", "topoi-ranges"); err == nil {
		if r.file = f; os.Remove(f.Name()) != nil { // a file without a name vanishes with the process, but not everywhere
			_ = f.Close()
			_ = os.Remove(f.Name())
			r.file = nil
		}
	}
	return corpus.OpenRanges(objects.Name(path), o.Size, r.read)
}

// copyOf fetches a corpus file from a store. remove removes the copy.
func copyOf(path string) (local string, remove func(), err error) {
	made, err := wholefile.TempDir("corpus")
	if err != nil {
		return "", nil, err
	}
	local = filepath.Join(made.Temporary, "corpus.topoi")
	if err := remote.Fetch(path, local); err != nil {
		made.Abort()
		return "", nil, err
	}
	return local, made.Abort, nil
}

// ranges reads an object, and keeps the places that it has read in a file with holes: workers read their tokens again
// at every barrier.
type ranges struct {
	object *remote.Object
	file   *os.File // nil: nothing is kept
	mutex  sync.Mutex
	has    map[int64]int // offset to bytes
}

func (r *ranges) read(b []byte, offset int64) error {
	r.mutex.Lock()
	n, has := r.has[offset]
	r.mutex.Unlock()
	if has && n >= len(b) {
		_, err := r.file.ReadAt(b, offset)
		return err
	}
	err := r.object.ReadRange(b, offset)
	if err == nil && r.file != nil {
		if _, full := r.file.WriteAt(b, offset); full == nil {
			r.mutex.Lock()
			r.has[offset] = len(b)
			r.mutex.Unlock()
		}
	}
	return err
}

// collector is one run of topoi cluster result.
type collector struct {
	*cli.App
	command                      *cobra.Command
	job                          jobFlags
	where                        cluster.Job
	corpus, output               string
	overwrite, wait, keep, quiet bool
}

func addClusterResult(a *cli.App, parent *cobra.Command) {
	r := &collector{App: a}
	r.command = cli.Describe("cluster result")
	r.job.add(r.command)
	cli.Section(r.command, "What to save", func(fs *pflag.FlagSet) {
		fs.StringVarP(&r.output, "output", "o", "", "`directory` to save the model in (required)")
		fs.StringVar(&r.corpus, "corpus", "", "`file` of the corpus (default: the path that was submitted)")
		fs.BoolVar(&r.overwrite, "overwrite", false, "replace the model if it exists")
		fs.BoolVar(&r.wait, "wait", false, "wait until the model is complete")
		fs.BoolVar(&r.keep, "keep", false, "leave the job in the store")
		fs.BoolVar(&r.quiet, "quiet", false, "show errors only")
	})
	a.AddTo(parent, groupJob, r.command, r.check, cli.Stoppable(r.run))
}

func (r *collector) check(args []string) (err error) {
	r.where, err = r.job.where()
	return errors.Join(err, cli.NeedOutput(r.output, "MODEL"), cli.RefuseModel(r.output, r.overwrite),
		cli.NoArguments(r.command)(args))
}

func (r *collector) run(ctx context.Context, _ []string) error {
	if err := cli.Writable(r.output); err != nil {
		return err
	}
	if r.wait {
		if err := r.where.Watch(ctx, time.Second, func(s *cluster.Status) (more bool, err error) {
			return !s.Complete,
				nil
		}); err != nil {
			return err
		}
	}
	status, err := r.where.Status(ctx)
	if err != nil {
		return err
	}
	input := modelfile.Input{Path: cmp.Or(r.corpus, status.CorpusPath), Checksum: "corpus:" + status.Corpus}
	facts, err := json.MarshalIndent(modelfile.Facts{
		Model: r.output, Program: status.Program, Began: status.Submitted, Inputs: []modelfile.Input{input},
	}, "", "  ")
	if err != nil {
		return err
	}
	if r.corpus == "" && objects.Is(status.CorpusPath) {
		local, remove, err := copyOf(status.CorpusPath)
		if err != nil {
			return err
		}
		defer remove()
		r.corpus = local
	}
	c, err := openCorpus(ctx, r.where, r.corpus)
	if err != nil {
		return err
	}
	defer c.Close() // after saving: the model has its words
	m, err := r.where.Collect(ctx, c)
	if err != nil {
		return err
	}
	if err := m.Save(r.output, topoi.SaveOptions{Overwrite: r.overwrite, Run: facts}); err != nil {
		return err
	}
	if !r.keep {
		if _, err := r.where.Cancel(ctx); err != nil {
			return fmt.Errorf("the model is saved, but the job is still in the store: %w", err)
		}
	}
	if !r.quiet {
		fmt.Fprintf(r.Stderr, "saved %s, fingerprint %s\n", r.output, m.Fingerprint())
	}
	return nil
}

func addClusterCancel(a *cli.App, parent *cobra.Command) {
	c := cli.Describe("cluster cancel")
	var job jobFlags
	var where cluster.Job
	job.add(c)
	check := func(args []string) (err error) {
		where, err = job.where()
		return errors.Join(err, cli.NoArguments(c)(args))
	}
	run := func(ctx context.Context, _ []string) error {
		n, err := where.Cancel(ctx)
		if err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("the store has no job called %s: nothing was removed", where.Name)
		}
		_, err = fmt.Fprintf(a.Stderr, "removed job %s: %s\n", where.Name, human.Of(n, "key"))
		return err
	}
	a.AddTo(parent, groupJob, c, check, cli.Stoppable(run))
}
