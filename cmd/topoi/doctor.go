package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/demo"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/redisserver"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/simd"
)

// finding is one line of topoi doctor.
type finding struct {
	About   string `json:"about"`
	Found   string `json:"found"`
	Problem string `json:"problem,omitempty"` // what is wrong, and what to do
}

// examination is one run of topoi doctor.
type examination struct {
	topics, tokens, words int
	json                  bool
}

func addDoctor(a *cli.App) {
	e := &examination{}
	c := &cobra.Command{
		Use:   "doctor [flags]",
		Short: "Check this machine and the installation",
		Long: `Show what this machine can do: cores, vector instructions, memory, GPUs and disk.
Show what topoi would choose for a corpus of a given size. Train a small model and
compare it with the expected one. Say what is wrong with the installation, and how
to fix it. The exit code is 1 if something is wrong.`,
		Example: `  topoi doctor
  topoi doctor --tokens 500000000 -k 1000`,
	}
	cli.Section(c, "Your corpus", func(fs *pflag.FlagSet) {
		fs.IntVar(&e.tokens, "tokens", 1_000_000, "`number` of words in all documents")
		fs.IntVarP(&e.topics, "topics", "k", 50, "`number` of topics")
		fs.IntVar(&e.words, "words", 50_000, "`number` of different words")
	})
	cli.Section(c, "Output", func(fs *pflag.FlagSet) { fs.BoolVar(&e.json, "json", false, "write JSON") })
	check := func(args []string) error {
		faults := []error{cli.NoArguments(c)(args)}
		for name, n := range map[string]int{"tokens": e.tokens, "topics": e.topics, "words": e.words} {
			if n < 1 {
				faults = append(faults, fmt.Errorf("--%s is %d: it must be at least 1", name, n))
			}
		}
		return errors.Join(faults...)
	}
	a.Add(cli.GroupAbout, c, check, func(ctx context.Context, _ []string) error { return e.run(ctx, a) })
}

func (e *examination) run(ctx context.Context, a *cli.App) error {
	devices, reason := topoi.Devices()
	list := append([]finding{installed(), processor()}, gpus(devices, reason)...)
	list = append(list, memory(), directory("this directory", "."), directory("temporary files", os.TempDir()), store(), e.choice(devices), selfTest(ctx))
	var wrong []error
	for _, f := range list {
		if f.Problem != "" {
			wrong = append(wrong, fmt.Errorf("%s: %s", f.About, f.Problem))
		}
	}
	if e.json {
		return cmp.Or(a.WriteJSON(list), verdict(wrong))
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	for _, f := range list {
		mark := "ok"
		if f.Problem != "" {
			mark = "problem"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", mark, f.About, f.Found)
	}
	return cmp.Or(w.Flush(), verdict(wrong))
}

// verdict makes one error of all problems.
func verdict(wrong []error) error {
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %w", cli.ErrUnwell, errors.Join(wrong...))
}

// installed looks whether a shell finds this program, or another topoi before it.
func installed() finding {
	f := finding{About: "program", Found: strings.TrimSpace(cli.VersionLine())}
	self, err := os.Executable()
	first, missing := exec.LookPath("topoi")
	if err != nil || missing != nil {
		return f
	}
	first, _ = filepath.EvalSymlinks(first)
	if self, _ = filepath.EvalSymlinks(self); first != self {
		f.Problem = fmt.Sprintf("the shell runs another program, %s: remove one of the two, or put %s first in PATH", first, filepath.Dir(self))
	}
	return f
}

func processor() finding {
	vector := "no vector instructions that topoi uses"
	switch {
	case simd.AVX512:
		vector = "AVX-512"
	case simd.AVX2:
		vector = "AVX2"
	}
	f := finding{About: "processor", Found: fmt.Sprintf("%s, %s, %s", runtime.GOARCH, human.Of(runtime.GOMAXPROCS(0), "core"), vector)}
	if set := os.Getenv("TOPOI_SIMD"); set != "" {
		f.Problem = fmt.Sprintf("TOPOI_SIMD=%s slows topoi down: unset it", set)
	}
	return f
}

func gpus(devices []topoi.Device, reason error) (list []finding) {
	for _, d := range devices[1:] { // the first is the CPU
		f := finding{About: "GPU", Found: fmt.Sprintf("%s, %s, %s, %s", d.Name, d.Model, human.Bytes(d.Memory), d.Details)}
		if !d.Usable {
			f.Found += ": too old"
		}
		list = append(list, f)
	}
	if len(list) == 0 {
		list = []finding{{About: "GPU", Found: "none"}}
		if path := os.Getenv("TOPOI_LIBCUDA"); path != "" {
			list[0].Problem = fmt.Sprintf("TOPOI_LIBCUDA is set to %s, and there is no GPU: %v", path, reason)
		}
	}
	return list
}

func memory() finding {
	if n := machine.Memory(); n > 0 {
		return finding{About: "memory", Found: human.Bytes(int64(n))}
	}
	return finding{About: "memory", Found: "unknown on this system"}
}

// directory looks whether files can be written, and how much room there is.
func directory(about, dir string) finding {
	f := finding{About: about}
	f.Found, _ = filepath.Abs(dir)
	free, known := machine.DiskFree(dir)
	if known {
		f.Found += ", " + human.Bytes(int64(free)) + " free"
	}
	if err := machine.Writable(dir); err != nil {
		f.Problem = fmt.Sprintf("files cannot be written there: %v", err)
	} else if known && free < 1<<30 {
		f.Problem = "less than 1 GiB is free: make room, or set TMPDIR for temporary files"
	}
	return f
}

func store() finding {
	path, err := redisserver.Find()
	if err != nil {
		return finding{About: "workers", Found: "install redis-server or valkey-server to use --workers on this machine"}
	}
	return finding{About: "workers", Found: path + " serves --workers"}
}

// choice tells what --sampler auto and --device auto take for a corpus of the given size.
func (e *examination) choice(devices []topoi.Device) finding {
	const usualWords = 100           // distinct words in a document
	const perToken, perCount = 17, 4 // bytes, as docs/performance.md has them
	chosen := registry.ForSize(e.topics, float64(e.tokens), usualWords, registry.Run{Learnt: true}).Sampler
	where := "the CPU"
	if len(devices) > 1 && devices[1].Usable && e.tokens >= engine.GPUTokens && chosen.NewOn != nil {
		where = devices[1].Name
	}
	bytes := perToken*uint64(e.tokens) + perCount*uint64(e.topics)*uint64(e.words)
	if chosen.Name == "cvb" { // a number for each topic and token at most
		bytes += uint64(e.topics) * uint64(e.tokens)
	}
	f := finding{About: "your corpus", Found: fmt.Sprintf("%s, %s: sampler %s on %s, at most about %s of memory",
		human.Of(e.tokens, "token"), human.Of(e.topics, "topic"), chosen.Name, where, human.Bytes(int64(bytes)))}
	if has := machine.Memory(); has > 0 && bytes > has {
		f.Found += fmt.Sprintf("; use --memory %dGB to train from files", max(1, has*3/4/1e9))
	}
	return f
}

// expected is the fingerprint of the model that selfTest trains.
const expected = "145c238c0191f4234a532f04cf14fbd3"

// selfTest trains a small model. Every machine must give the same one.
func selfTest(ctx context.Context) finding {
	f := finding{About: "self-test"}
	c, err := demo.Corpus(ctx)
	if err == nil {
		o := demo.Options()
		o.Iterations, o.Device = 50, "cpu"
		var m *topoi.Model
		if m, err = topoi.Train(ctx, c, o); err == nil {
			f.Found = "a small model has the fingerprint " + m.Fingerprint()
			if m.Fingerprint() != expected {
				f.Problem = "the model must have the fingerprint " + expected + ": this machine or this build computes wrongly, so do not trust its models"
			}
		}
	}
	if err != nil {
		f.Problem = fmt.Sprintf("a small model could not be trained: %v", err)
	}
	return f
}
