package apply

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/serve"
)

// server is one run of topoi serve.
type server struct {
	*cli.App
	command                        *cobra.Command
	options                        serve.Options
	listen, metrics, newToken, log string
	requests                       bool // log them
	quiet                          bool
}

// AddServe adds topoi serve.
func AddServe(a *cli.App) {
	s := &server{App: a}
	s.command = cli.Describe("serve")
	s.flags()
	a.Add(s.command, s.check, s.run)
}

// flags defines the flags.
func (s *server) flags() {
	o := &s.options
	cli.Section(s.command, "Serving", func(fs *pflag.FlagSet) {
		fs.StringVar(&s.listen, "listen", "127.0.0.1:8080",
			"`address` to listen on, such as :8080 for all interfaces, or unix:/run/topoi.sock")
		fs.IntVar(&o.Threads, "threads", 0, "`number` of threads; does not change answers (default: all cores)")
		fs.StringVar(&o.Device, "device", "cpu", "`device` to use: cpu, cuda or cuda:N; does not change answers")
		fs.Var(cli.SizeFlag{Bytes: &o.DeviceMemory}, "device-memory",
			"`size` of GPU memory to use, such as 8GB (default: what is free)")
		fs.DurationVar(&o.BatchWait, "batch-wait", 5*time.Millisecond,
			"`time` that a document may wait to be sent to the GPU together with others")
		fs.DurationVar(&o.Reload, "reload", 2*time.Second,
			"`time` between checks for changed models, tokens and certificates; SIGHUP checks at once")
		fs.DurationVar(&o.Drain, "drain", 0,
			"`time` to keep answering after SIGTERM, while /readyz reports not ready, such as 5s (default 5s; 250ms if only this machine can reach the server)")
		fs.StringVar(&s.metrics, "metrics", "",
			"separate `address` for /metrics, which needs no token there, such as :9100 (default: none)")
	})
	cli.Section(s.command, "Access", func(fs *pflag.FlagSet) {
		fs.StringVar(&o.TokensFile, "tokens", "",
			"`file` of hashed tokens; every request must then send one (default: no token is needed)")
		fs.StringVar(&s.newToken, "new-token", "",
			"make a token for `name`: its line for the file of tokens goes to standard output, the token to standard error")
		fs.StringVar(&o.CertFile, "tls-cert", "", "`file` with the certificate, in PEM form (default: no TLS)")
		fs.StringVar(&o.KeyFile, "tls-key", "", "`file` with its key, in PEM form")
		fs.StringArrayVar(&o.Origins, "cors-origin", nil,
			"`origin` of web pages that may read answers (CORS), such as https://example.org, or *")
		fs.StringArrayVar(&o.Hosts, "host", nil,
			"host `name` that requests may use, or * (default: any; localhost and IP addresses if only this machine can reach the server)")
		fs.BoolVar(&o.NoDocuments, "no-documents", false,
			"never show training documents: no page, no similar documents")
	})
	s.limits(&o.Limits)
	cli.Section(s.command, "Output", func(fs *pflag.FlagSet) {
		fs.StringVar(&s.log, "log", "text", "`format` of the log on standard error: text, json or none")
		fs.BoolVar(&s.requests, "log-requests", false, "log every request, but never its text")
		fs.BoolVar(&s.quiet, "quiet", false, "show errors only")
	})
	cli.Complete(s.command, "device", cli.Fixed("cpu", "cuda"))
	cli.Complete(s.command, "log", cli.Fixed(cli.LogFormats...))
}

// limits defines the flags of limits.
func (s *server) limits(l *serve.Limits) {
	cli.Section(s.command, "Limits", func(fs *pflag.FlagSet) {
		fs.Var(cli.SizeFlag{Bytes: &l.Body}, "max-body",
			"largest `size` of a JSON or text body, or of a line, after unpacking (default: 32 MiB)")
		fs.Var(cli.SizeFlag{Bytes: &l.Stream}, "max-stream",
			"largest `size` of a body of JSON lines after unpacking (default: 1 GiB)")
		fs.Var(cli.SizeFlag{Bytes: &l.Buffered}, "max-buffered",
			"largest `size` of all bodies and answers in memory at one time (default: 256 MiB)")
		fs.Var(cli.SizeFlag{Bytes: &l.Answer}, "max-answer",
			"largest `size` that an answer may have, known beforehand (default: half of --max-buffered)")
		fs.IntVar(&l.Docs, "max-docs", 10_000, "largest `number` of documents in a request; not for JSON lines")
		fs.IntVar(&l.Tokens, "max-tokens", 100_000, "largest `number` of words in a document")
		fs.IntVar(&l.Iterations, "max-iterations", 1000, "largest `number` of sweeps that a request may ask for")
		fs.IntVar(&l.Queue, "queue", 1024, "largest `number` of requests at one time; others are told to try again")
		fs.IntVar(&l.Connections, "max-connections", 4096, "largest `number` of open connections; others wait")
		fs.DurationVar(&l.Time, "timeout", 30*time.Second,
			"time `limit` for a request and its answer; not for JSON lines")
		fs.DurationVar(&l.StreamTime, "stream-timeout", time.Hour,
			"time `limit` for a body of JSON lines and its answer")
		fs.DurationVar(&l.Idle, "idle-timeout", 30*time.Second,
			"time `limit` for a client that neither sends nor receives anything")
	})
}

func (s *server) check(args []string) error {
	if s.newToken != "" {
		return s.checkNewToken(args)
	}
	if len(args) == 0 {
		return errors.New("the model is missing: try topoi serve news.model")
	}
	s.options.Models = nil
	for _, arg := range args {
		name, path := cutModel(arg, os.PathSeparator)
		s.options.Models = append(s.options.Models, serve.Source{Name: name, Path: path})
	}
	if s.options.Reload == 0 {
		s.options.Reload = -1 // never
	}
	faults := []error{
		cli.RefuseZero(s.command, "threads", "max-docs", "max-tokens", "max-iterations", "queue", "max-connections"),
		s.options.Validate(), checkAddress("--listen", s.listen), s.checkDrain(),
	}
	if s.metrics != "" {
		faults = append(faults, checkAddress("--metrics", s.metrics))
	}
	return errors.Join(append(faults, cli.CheckLog(s.log))...)
}

// cutModel cuts NAME=PATH. What has a separator of paths before the first = is a path alone: the system's own, or a
// slash, which all systems take.
func cutModel(arg string, separator rune) (name, path string) {
	name, path, named := strings.Cut(arg, "=")
	if !named || strings.ContainsRune(name, separator) || strings.ContainsRune(name, '/') {
		return cli.ModelName(arg), arg
	}
	return name, path
}

func (s *server) checkNewToken(args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("--new-token only makes a token: leave out %s", args[0])
	}
	return human.FaultIf(strings.ContainsAny(s.newToken, "\r\n"), "--new-token: the name must be on one line")
}

func checkAddress(flag, address string) error {
	if onSocket(address) {
		return human.FaultIf(len(address) > len("unix:")+longestSocket,
			"%s %s: the path of a socket can have at most %d bytes: choose a shorter one", flag, address, longestSocket)
	}
	_, _, err := net.SplitHostPort(address)
	return human.FaultIf(err != nil,
		"%s %s is not an address: write it as 127.0.0.1:8080, :8080 or unix:/run/topoi.sock", flag, address)
}

// checkDrain checks the time to drain and sets its default. Where only this machine can reach the
// server nobody balances loads, and who presses Ctrl-C does not want to wait; clients that ask
// without a pause learn in a quarter of a second that they should go.
func (s *server) checkDrain() error {
	o := &s.options
	switch given := s.command.Flags().Changed("drain"); {
	case o.Drain < 0:
		return fmt.Errorf("--drain is %v: it must not be negative", o.Drain)
	case given && o.Drain == 0:
		o.Drain = -1 // none
	case !given && s.local():
		o.Drain = 250 * time.Millisecond
	case !given:
		o.Drain = 5 * time.Second
	}
	return nil
}

func (s *server) run(ctx context.Context, _ []string) error {
	if s.newToken != "" {
		token := serve.NewToken()
		fmt.Fprintf(s.Stderr, "the token of %s, which is shown only once: %s\n", s.newToken, token)
		_, err := fmt.Fprintln(s.Stdout, serve.HashToken(token, s.newToken))
		return err
	}
	s.options.Version = cli.ProgramVersion()
	s.options.Log = s.logger()
	if s.local() && !onSocket(s.listen) { // which web pages cannot reach
		s.options.Hosts = append(s.options.Hosts, "localhost")
	}
	ctx, stop := cli.Interruptible(ctx, func() {
		s.options.Log.Info("shutting down: new clients are turned away, open requests are answered", "drain",
			max(0, s.options.Drain))
	})
	defer stop()
	l, err := listen("--listen", s.listen)
	if err != nil {
		return err
	}
	defer l.Close()
	s.spendMemory()
	running, err := serve.New(s.options)
	if err != nil {
		return err
	}
	if s.metrics != "" {
		numbers, err := s.serveMetrics(running)
		if err != nil {
			running.Close()
			return err
		}
		defer numbers.Close()
	}
	s.say(running, l)
	defer reloadOnHangUp(running)()
	return running.Serve(ctx, l)
}

// spendMemory lets garbage lie longer than Go does by itself: a server has little that stays, models being mapped
// files, and would collect hundreds of times a second. What requests may hold at once bounds it.
func (s *server) spendMemory() {
	const most = 1 << 30
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(max(most, 4*s.options.Limits.Buffered))
	}
}

// reloadOnHangUp lets SIGHUP reload, until the function that it returns is called.
func reloadOnHangUp(running *serve.Server) (stop func()) {
	signals, ended := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGHUP)
	go func() {
		for {
			select {
			case <-signals:
				running.Reload()
			case <-ended:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(ended)
	}
}

// listen opens the listener of a flag.
func listen(flag, given string) (net.Listener, error) {
	network, address := "tcp", given
	if path, unix := strings.CutPrefix(given, "unix:"); unix {
		network, address = "unix", path
	}
	l, err := net.Listen(network, address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("cannot listen on %s: another program uses it; choose another address with %s", given,
			flag)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", given, err)
	}
	return l, nil
}

// serveMetrics answers scrapers at an address of their own, until the server that it returns is closed.
func (s *server) serveMetrics(running *serve.Server) (*http.Server, error) {
	l, err := listen("--metrics", s.metrics)
	if err != nil {
		return nil, err
	}
	numbers := &http.Server{
		Handler: running.MetricsHandler(), ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout: 2 * time.Minute,
	}
	go func() { _ = numbers.Serve(l) }() // ends with Close
	if !s.quiet {
		where := s.metrics
		if !onSocket(where) {
			where = fmt.Sprintf("http://%s/metrics", l.Addr())
		}
		fmt.Fprintln(s.Stderr, "metrics at", where)
	}
	return numbers, nil
}

// longestSocket is how many bytes the name of a socket may have everywhere: macOS takes the fewest.
const longestSocket = 103

// onSocket reports whether an address is a socket of the file system.
func onSocket(address string) bool { return strings.HasPrefix(address, "unix:") }

// local reports whether only this machine can reach the server.
func (s *server) local() bool {
	host, _, err := net.SplitHostPort(s.listen)
	ip := net.ParseIP(host)
	return onSocket(s.listen) || err != nil || host == "localhost" || ip != nil && ip.IsLoopback()
}

func (s *server) logger() *slog.Logger {
	switch {
	case s.requests:
		return s.Logger(s.log, slog.LevelDebug)
	case s.quiet:
		return s.Logger(s.log, slog.LevelError)
	}
	return s.Logger(s.log, slog.LevelInfo)
}

// say tells what is served where.
func (s *server) say(running *serve.Server, l net.Listener) {
	if !s.local() && s.options.TokensFile == "" {
		fmt.Fprintln(s.Stderr, "warning: anyone who can reach this port can send requests and see titles and beginnings of the training documents; see --tokens and --no-documents")
	} else if !s.local() && s.options.CertFile == "" {
		fmt.Fprintln(s.Stderr, "warning: tokens and texts are sent unencrypted; see --tls-cert")
	}
	if s.quiet {
		return
	}
	for _, m := range running.Models() {
		fmt.Fprintf(s.Stderr, "serving %s: %s of %s, fingerprint %s\n", m.Name, human.Of(m.Topics, "topic"),
			human.Of(m.Words, "word"), m.Fingerprint)
	}
	scheme := "http"
	if s.options.CertFile != "" {
		scheme = "https"
	}
	address := l.Addr().String()
	if l.Addr().Network() == "unix" {
		fmt.Fprintf(s.Stderr, "listening on %s; press Ctrl-C to stop\n", s.listen)
		return
	}
	fmt.Fprintf(s.Stderr, "listening on %s://%s/; press Ctrl-C to stop\n", scheme, address)
}
