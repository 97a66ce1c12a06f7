package serve

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"runtime"
	"time"

	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/option"
)

// Options describe a server. Models is required; every other zero value is a good default.
type Options struct {
	// Models are the models to serve. Requests that name no model get the first one.
	Models []Source

	// Threads is the number of goroutines that infer topics. It never changes an answer. Default: all cores.
	Threads int

	// Device is where topics are inferred: "cpu", or "cuda" or "cuda:N" for a GPU, which gets documents in batches.
	// It never changes an answer. Default "cpu".
	Device string

	// DeviceMemory is how many bytes of a GPU's memory to use. Default 0: all that is free.
	DeviceMemory int64

	// BatchWait is how long a document may wait for others before it is sent to a GPU. Default 5 ms.
	BatchWait time.Duration

	Limits Limits

	// TokensFile names a file of hashed tokens (see [HashToken]). Every request must carry one of them,
	// except for /livez, /readyz and /v2/health. Default: no token is required.
	TokensFile string

	// CertFile and KeyFile name files with a certificate and its key in PEM form, for TLS. They are read
	// again when they change. Default: no TLS.
	CertFile, KeyFile string

	// Origins are the web pages, by scheme and host, whose scripts may read answers (CORS); "*" means all. Default: none.
	Origins []string

	// Hosts are the host names under which the server may be reached, besides addresses and localhost; "*" means any. They
	// keep a web page from reaching a server on its reader's machine through a host name of its own. Default: any.
	Hosts []string

	// NoDocuments hides everything that comes from the training documents: there is no page, and there are
	// no similar documents.
	NoDocuments bool

	// Reload is the time between checks for changed models and tokens. Default 2 s; negative: never.
	Reload time.Duration

	// Drain is how long Serve continues to answer after its context ends, while /readyz reports that it is
	// not ready. Load balancers and clients need this time to go elsewhere. Requests in progress then have
	// another Limits.Time. Default 5 s; negative: none.
	Drain time.Duration

	// Log receives faults and reloads, and at level debug every request, but never a text. Default: nothing is logged.
	Log *slog.Logger

	// Version is the version of the program, for clients and metrics.
	Version string
}

// Source is a model to serve.
type Source struct {
	Name string // name in requests
	Path string // directory of the model
}

// Limits limit what requests may cost. Zero values mean the defaults.
type Limits struct {
	Body        int64         `default:"33554432" limit:"bytes of a body"`     // unpacked, or of a line; 32 MiB
	Stream      int64         `default:"1073741824" limit:"bytes of a stream"` // a body of lines, unpacked; 1 GiB
	Buffered    int64         `default:"268435456" limit:"buffered bytes"`     // of all bodies and answers; 256 MiB
	Answer      int64         `limit:"bytes of an answer"`                     // beforehand; half of Buffered
	Docs        int           `default:"10000" limit:"documents"`              // documents in a JSON body
	Tokens      int           `default:"100000" limit:"words of a document"`   // words in a document
	Iterations  int           `default:"1000" limit:"iterations"`              // sweeps over a document
	Queue       int           `default:"1024" limit:"waiting requests"`        // those being answered included
	Connections int           `default:"4096" limit:"connections"`             // open connections
	Time        time.Duration `default:"30s" limit:"time"`                     // for an answer, including the body
	StreamTime  time.Duration `default:"1h" limit:"time of a stream"`          // for a body of lines and its answer
	Idle        time.Duration `default:"30s" limit:"idle time"`                // for a client to send or take something
}

// withDefaults returns o with every default filled in.
func (o Options) withDefaults() Options {
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	o.Device = cmp.Or(o.Device, "cpu")
	o.BatchWait = cmp.Or(o.BatchWait, 5*time.Millisecond)
	o.Reload = cmp.Or(o.Reload, 2*time.Second)
	o.Drain = max(0, cmp.Or(o.Drain, 5*time.Second))
	option.SetDefaults(&o.Limits)
	o.Limits.Answer = cmp.Or(o.Limits.Answer, o.Limits.Buffered/2)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if len(o.Hosts) == 0 {
		o.Hosts = []string{"*"}
	}
	return o
}

// Validate returns all faults of the options at once, joined, or nil.
func (o Options) Validate() error {
	o = o.withDefaults()
	faults := []error{human.FaultIf(len(o.Models) == 0, "there is no model to serve")}
	seen := map[string]bool{}
	for _, m := range o.Models {
		if fault := checkName(m.Name); fault != nil {
			faults = append(faults, fault)
		} else if seen[m.Name] {
			faults = append(faults, fmt.Errorf("two models are called %q: give one another name", m.Name))
		}
		seen[m.Name] = true
	}
	faults = append(faults,
		human.FaultIf(o.Threads < 1, "the number of threads is %d: it must be at least 1", o.Threads),
		human.FaultIf(!deviceForm.MatchString(o.Device), "unknown device %q: it must be cpu, cuda or cuda:N", o.Device),
		human.FaultIf(o.BatchWait < 0, "a time to wait must not be negative"),
		human.FaultIf((o.CertFile == "") != (o.KeyFile == ""), "TLS needs both a certificate and its key"),
		human.FaultIf(o.Limits.Buffered < o.Limits.Body, "all bodies together are limited to %d bytes, "+
			"which is less than the %d bytes allowed for one", o.Limits.Buffered, o.Limits.Body))
	faults = append(faults, human.FaultIf(o.Limits.Answer > o.Limits.Buffered, "an answer is limited to %d bytes, "+
		"which is more than the %d bytes allowed for all", o.Limits.Answer, o.Limits.Buffered))
	for _, origin := range o.Origins {
		faults = append(faults, checkOrigin(origin))
	}
	return errors.Join(append(faults, o.Limits.validate())...)
}

var deviceForm = regexp.MustCompile(`^(cpu|cuda|cuda:[0-9]+)$`)

// validate refuses limits below 1. Defaults must be filled in before.
func (l Limits) validate() error {
	var faults []error
	for _, f := range option.Fields(l) {
		faults = append(faults, human.FaultIf(f.Value.Int() < 1,
			"the limit of %s is %d: it must be at least 1", f.Tag.Get("limit"), f.Value.Int()))
	}
	return errors.Join(faults...)
}

// checkName refuses names that cannot be part of a URL's path without escapes.
func checkName(name string) error {
	if name == "" {
		return errors.New("a model has no name")
	}
	for _, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && r != '-' && r != '_' && r != '.' {
			return fmt.Errorf("the name %q of a model holds %q: letters, digits, -, _ and . may be used; "+
				"give it another one as NAME=PATH", name, r)
		}
	}
	return nil
}

// checkOrigin returns what is wrong with an allowed origin.
func checkOrigin(origin string) error {
	u, err := url.Parse(origin)
	if origin == "*" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" &&
		u.Scheme+"://"+u.Host == origin {
		return nil
	}
	return fmt.Errorf("%q is not the origin of a web page: write it as https://example.org, or *", origin)
}
