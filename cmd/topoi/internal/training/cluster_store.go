package training

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/innerstore"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/store"
)

// keeper is one run of topoi cluster store.
type keeper struct {
	*cli.App
	command                *cobra.Command
	url, listen, cert, key string
	job, log               string
	memory                 int64 // bytes; 0: half of the machine's
	address                *url.URL
	password               string
	own                    bool   // the password was made here, and nobody knows it yet
	network, place         string // what to listen on
	secure                 *tls.Config
}

func addClusterStore(a *cli.App, parent *cobra.Command) {
	k := &keeper{App: a}
	k.command = cli.Describe("cluster store")
	cli.Section(k.command, "Where", func(fs *pflag.FlagSet) {
		fs.StringVar(&k.url, "store", "",
			"`URL` that workers will use, as redis://topoi:PASSWORD@HOST:6379, or rediss:// for TLS (default: $"+
				storeVariable+", or this host with a free port and a new password)")
		fs.StringVar(&k.listen, "listen", "",
			"`address` to listen on, as 10.0.0.1:6379 (default: all addresses of this machine, with the port of the URL)")
		fs.StringVar(&k.cert, "store-cert", "", "`file` with this machine's certificate, for TLS")
		fs.StringVar(&k.key, "store-key", "", "`file` with its key")
	})
	cli.Section(k.command, "How", func(fs *pflag.FlagSet) {
		fs.StringVar(&k.job, "job", "", "end when the job of this `name` is cancelled or collected (default: when stopped)")
		fs.Var(cli.SizeFlag{Bytes: &k.memory}, "memory",
			"`size` of memory to use, such as 8GB (default: half of this machine's)")
		fs.StringVar(&k.log, "log", "text", "`format` of the log on standard error: text, json or none")
	})
	cli.Complete(k.command, "log", cli.Fixed(cli.LogFormats...))
	a.AddTo(parent, groupJob, k.command, k.check, k.run)
}

// check settles where the store is.
func (k *keeper) check(args []string) error {
	k.url = cmp.Or(k.url, os.Getenv(storeVariable))
	faults := []error{
		cli.CheckLog(k.log), cli.NoArguments(k.command)(args),
		human.FaultIf((k.cert == "") != (k.key == ""), "a certificate needs its key: give both --store-cert and --store-key"),
	}
	if k.url == "" {
		faults = append(faults, k.newAddress())
	} else {
		faults = append(faults, k.readAddress())
	}
	return errors.Join(faults...)
}

// newAddress makes a URL with a password of its own. The port is known when the store listens.
func (k *keeper) newAddress() error {
	host, _, err := net.SplitHostPort(cmp.Or(k.listen, ":0"))
	if err != nil {
		return fmt.Errorf("--listen %s is not an address: write it as 10.0.0.1:6379 or :6379", k.listen)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		if host, err = os.Hostname(); err != nil {
			return fmt.Errorf("this machine does not tell its name (%w): give the store's URL with --store", err)
		}
	}
	scheme := "redis"
	if k.cert != "" {
		scheme = "rediss"
	}
	k.own, k.password = true, rand.Text()
	k.address = &url.URL{Scheme: scheme, User: url.UserPassword("topoi", k.password), Host: host}
	k.network, k.place = "tcp", cmp.Or(k.listen, ":0")
	return nil
}

// readAddress reads a URL that the user gave.
func (k *keeper) readAddress() (err error) {
	const forms = "write it as redis://topoi:PASSWORD@HOST:6379, rediss:// for TLS, or unix:///path/to/socket"
	if k.address, err = url.Parse(k.url); err != nil {
		return errors.New("the store's address is not a URL: " + forms)
	}
	k.password, _ = k.address.User.Password()
	switch k.address.Scheme {
	case "unix":
		k.network, k.place = "unix", k.address.Path
		return human.FaultIf(k.listen != "" || k.cert != "", "a store at a socket needs no --listen and no --store-cert")
	case "redis", "rediss":
		k.network, k.place = "tcp", cmp.Or(k.listen, ":"+cmp.Or(k.address.Port(), "6379"))
	default:
		return fmt.Errorf("the store's address %s is not understood: %s", store.Redacted(k.url), forms)
	}
	return errors.Join(
		human.FaultIf(k.address.Scheme == "rediss" && k.cert == "", "a store with TLS needs --store-cert and --store-key"),
		human.FaultIf(k.address.Scheme == "redis" && k.cert != "",
			"--store-cert is for TLS: give a store that begins with rediss://"),
		human.FaultIf(k.password == "" && !loopback(k.place), "a store that other machines can reach needs a password: "+
			"put it into the URL, as redis://topoi:PASSWORD@HOST:6379, or give no URL, for a new password"))
}

// loopback reports whether an address is reached from this machine only.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// run serves until the job has ended or somebody stops it.
func (k *keeper) run(ctx context.Context, _ []string) error {
	log := k.Logger(k.log, slog.LevelInfo)
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(max(1, runtime.NumCPU()/processorShare))
	}
	memory := cmp.Or(k.memory, int64(machine.Memory()/2))
	if memory > 0 {
		debug.SetMemoryLimit(memory)
	}
	server := innerstore.New(innerstore.Options{
		User: k.address.User.Username(), Password: k.password, Memory: machine.Usable(memory),
		Full: func() { log.Warn("the store is full: workers stop; give it more with --memory") },
	})
	defer server.Close()
	if err := k.serve(server); err != nil {
		return err
	}
	shown := store.Redacted(k.address.String())
	if k.own {
		shown = k.address.String()
	}
	if _, err := fmt.Fprintln(k.Stdout, shown); err != nil {
		return err
	}
	log.Info("the store is ready", "address", k.place, "memory", human.Bytes(memory))
	ctx, stop := cli.Interruptible(ctx, func() {
		n, bytes := server.Keys()
		log.Info("stopped: the store ends with all it holds", "keys", n, "bytes", bytes)
	})
	defer stop()
	if k.wait(ctx, server) {
		log.Info("the job has ended, and so does the store", "job", k.job)
	}
	return nil
}

// serve makes the server listen, and completes the URL.
func (k *keeper) serve(server *innerstore.Server) error {
	if k.cert != "" {
		pair, err := tls.LoadX509KeyPair(k.cert, k.key)
		if err != nil {
			return fmt.Errorf("cannot use the certificate %s with the key %s: %w", k.cert, k.key, err)
		}
		k.secure = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	at, err := server.Listen(k.network, k.place, k.secure)
	if err != nil {
		return err
	}
	k.place = at.String()
	if tcp, ok := at.(*net.TCPAddr); ok && k.own {
		k.address.Host = net.JoinHostPort(k.address.Host, fmt.Sprint(tcp.Port))
	}
	return nil
}

// processorShare is how many processors a machine has for each that the store takes. Workers beside it need the others:
// with two processors and eight workers a job took a tenth longer while the store had both (bench/results/innerstore.txt).
const processorShare = 4

const (
	lookTime  = 500 * time.Millisecond // how often to look whether the job has ended
	graceTime = 2 * time.Second        // for those who still ask about it
)

// wait waits until the job has ended, and reports whether it has, or until ctx is done.
func (k *keeper) wait(ctx context.Context, server *innerstore.Server) (ended bool) {
	if k.job == "" {
		<-ctx.Done()
		return false
	}
	ticker := time.NewTicker(lookTime)
	defer ticker.Stop()
	var since time.Time // when it had ended
	for {
		select {
		case <-ctx.Done():
			return false
		case <-ticker.C:
		}
		switch {
		case !server.Ended(k.job):
			since = time.Time{}
		case since.IsZero():
			since = time.Now()
		case time.Since(since) >= graceTime:
			return true
		}
	}
}
