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

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/demo"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/simd"
	"github.com/topoi-lda/topoi/train"
)

// finding is one line of topoi doctor.
type finding struct {
	About   string      `json:"about"`
	Found   string      `json:"found"`
	Problem string      `json:"problem,omitempty"` // what is wrong, and what to do
	Device  *cli.Device `json:"device,omitempty"`  // the processor or GPU that was found
}

func addDoctor(a *cli.App) {
	var topics, tokens, words int
	var asJSON, speed bool
	c := cli.Describe("doctor")
	cli.Section(c, "Your corpus", func(fs *pflag.FlagSet) {
		fs.IntVar(&tokens, "tokens", 1_000_000, "`number` of words in all documents")
		fs.IntVarP(&topics, "topics", "k", 50, "`number` of topics")
		fs.IntVar(&words, "words", 50_000, "`number` of different words")
	})
	cli.Section(c, "Speed", func(fs *pflag.FlagSet) {
		fs.BoolVar(&speed, "speed", false, "measure how fast this processor trains, which takes half a minute")
	})
	cli.Section(c, "Output", func(fs *pflag.FlagSet) { fs.BoolVar(&asJSON, "json", false, "write JSON") })
	check := func(args []string) error {
		if least := min(tokens, topics, words); least < 1 {
			return fmt.Errorf("--tokens, --topics and --words must be at least 1: one of them is %d", least)
		}
		return cli.NoArguments(c)(args)
	}
	run := func(ctx context.Context, _ []string) error {
		devices, reason := cli.Devices()
		list := append([]finding{installed(), processor(&devices[0])}, gpus(devices, reason)...)
		list = append(list, directory("this directory", "."), directory("temporary files", os.TempDir()),
			choice(devices, tokens, topics, words), selfTest(ctx))
		if speed {
			list = append(list, speeds(ctx)...)
		}
		if asJSON {
			return cmp.Or(a.WriteJSON(list), problems(list))
		}
		w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
		for _, f := range list {
			mark := "ok"
			if f.Problem != "" {
				mark = "problem"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\n", mark, f.About, f.Found)
		}
		return cmp.Or(w.Flush(), problems(list))
	}
	a.Add(c, check, run)
}

// problems makes one error of all problems.
func problems(list []finding) error {
	var wrong []error
	for _, f := range list {
		if f.Problem != "" {
			wrong = append(wrong, fmt.Errorf("%w: %s: %s", cli.ErrUnwell, f.About, f.Problem))
		}
	}
	return errors.Join(wrong...)
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
		f.Problem = fmt.Sprintf("the shell runs another program, %s: remove one of the two, or put %s first in PATH",
			first, filepath.Dir(self))
	}
	return f
}

func processor(cpu *cli.Device) finding {
	vector := cmp.Or(simd.Name(), "no vector instructions that topoi uses")
	f := finding{About: "processor", Device: cpu, Found: fmt.Sprintf("%s, %s, %s", runtime.GOARCH,
		human.Of(runtime.GOMAXPROCS(0), "core"), vector)}
	if n := machine.Memory(); n > 0 {
		f.Found += fmt.Sprintf(", %s of memory", human.Bytes(int64(n)))
	}
	if set := os.Getenv("TOPOI_SIMD"); set != "" {
		f.Problem = fmt.Sprintf("TOPOI_SIMD=%s slows topoi down: unset it", set)
	}
	if machine.Translated() {
		f.Problem = "this is the program for Intel processors, which macOS translates while it runs: " +
			"install the one for Apple silicon, which is several times faster"
	}
	return f
}

func gpus(devices []cli.Device, reason error) (list []finding) {
	for i := range devices[1:] { // the first is the CPU
		d := &devices[i+1]
		found := fmt.Sprintf("%s, %s, %s, %s", d.Name, d.Model, human.Bytes(d.Memory), d.Details)
		if !d.Usable {
			found += ", which topoi does not support"
		}
		list = append(list, finding{About: "GPU", Found: found, Device: d})
	}
	if len(list) > 0 {
		return list
	}
	f := finding{About: "GPU", Found: fmt.Sprintf("none: %v", reason)}
	if path := os.Getenv("TOPOI_LIBCUDA"); path != "" {
		f.Problem = fmt.Sprintf("TOPOI_LIBCUDA is set to %s, and there is no GPU: %v", path, reason)
	}
	return []finding{f}
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

// choice tells what --sampler auto and --device auto take for a corpus of the given size.
func choice(devices []cli.Device, tokens, topics, words int) finding {
	const usualWords = 100           // distinct words in a document
	const perToken, perCount = 17, 4 // bytes, as docs/performance.md has them
	chosen := registry.ForSize(topics, float64(tokens), usualWords, registry.Run{Learnt: true}).Sampler
	where, bytes := "the CPU", perToken*uint64(tokens)+perCount*uint64(topics)*uint64(words)
	if len(devices) > 1 && devices[1].Usable && tokens >= engine.GPUTokens && chosen.NewOn != nil {
		where = devices[1].Name
	}
	if chosen.Name == "cvb" { // a number for each topic and token at most
		bytes += uint64(topics) * uint64(tokens)
	}
	f := finding{About: "your corpus", Found: fmt.Sprintf("%s, %s: sampler %s on %s, at most about %s of memory",
		human.Of(tokens, "token"), human.Of(topics, "topic"), chosen.Name, where, human.Bytes(int64(bytes)))}
	if has := machine.Memory(); has > 0 && bytes > has {
		f.Found += fmt.Sprintf("; use --memory %dGB to train from files", max(1, has*3/4/1e9))
	}
	return f
}

// expected is the fingerprint of the model that selfTest trains.
const expected = "145c238c0191f4234a532f04cf14fbd3"

// selfTest trains a small model. Every machine must give the same one.
func selfTest(ctx context.Context) finding {
	o := demo.Options()
	o.Iterations, o.Device = 50, "cpu"
	c, err := demo.Corpus(ctx)
	var m *topoi.Model
	if err == nil {
		m, err = train.Run(ctx, c, o)
	}
	if err != nil {
		return finding{
			About: "self-test", Found: "failed", Problem: fmt.Sprintf("a small model could not be trained: %v", err),
		}
	}
	f := finding{About: "self-test", Found: "a small model has the fingerprint " + m.Fingerprint()}
	if m.Fingerprint() != expected {
		f.Problem = "the model must have the fingerprint " + expected +
			": this machine or this build computes wrongly, so do not trust its models"
	}
	return f
}

// addDevices adds topoi devices, the old name of what topoi doctor shows too.
func addDevices(a *cli.App) {
	c := cli.Describe("devices")
	var asJSON bool
	cli.Section(c, "Output", func(fs *pflag.FlagSet) { fs.BoolVar(&asJSON, "json", false, "write JSON") })
	run := func(context.Context, []string) error {
		list, reason := cli.Devices()
		if asJSON {
			return a.WriteJSON(list)
		}
		w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "device\tmodel\tmemory\tusable\tdetails")
		for _, d := range list {
			memory, usable := "–", "yes"
			if d.Memory > 0 {
				memory = human.Bytes(d.Memory)
			}
			if !d.Usable {
				usable = "no"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", d.Name, d.Model, memory, usable, d.Details)
		}
		if err := w.Flush(); err != nil || reason == nil {
			return err
		}
		_, err := fmt.Fprintf(a.Stdout, "\nno GPU: %v\n", reason)
		return err
	}
	a.Add(c, cli.NoArguments(c), run)
}
