package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/remote"
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
	store, ca, cert, key string
	job                  string
	patience             time.Duration
}

func (f *jobFlags) add(c *cobra.Command) {
	cli.Section(c, "Which job", func(fs *pflag.FlagSet) {
		fs.StringVar(&f.store, "store", "", "`URL` of the store: redis://USER:PASSWORD@HOST:6379, rediss:// for TLS, with ?addr=HOST2:6379 for more nodes of a Cluster (default: $"+storeVariable+")")
		fs.StringVar(&f.job, "job", "", "`name` of the job (required)")
		fs.StringVar(&f.ca, "store-ca", "", "`file` with the certificate of the authority that signed the store's (default: those of the system)")
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

// withCertificates puts the files of certificates into the URL, where package
// cluster wants them.
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
	if remote.Is(status.CorpusPath) {
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
	if err != nil {
		return nil, fmt.Errorf("the corpus cannot be stored here: %w: give a copy with --corpus FILE", err)
	}
	dir := filepath.Join(cache, "topoi", "corpora")
	if err := os.MkdirAll(dir, 0o755); err != nil {
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
