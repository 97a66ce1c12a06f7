package look

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/checksums"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/kinds"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/sweep"
	"github.com/topoi-lda/topoi/train"
)

// AddVerify adds topoi verify.
func AddVerify(a *cli.App) {
	c := cli.Describe("verify")
	var asJSON, quiet bool
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.BoolVar(&asJSON, "json", false, "write JSON")
		fs.BoolVar(&quiet, "quiet", false, "show only what is wrong")
	})
	check := func(args []string) error { return cli.NeedInputs(args, "the path", "topoi verify news.model") }
	run := func(_ context.Context, args []string) error {
		list, err := findVerifiable(args)
		if err != nil {
			return err
		}
		verifyAll(list)
		return tellVerified(a, list, asJSON, quiet)
	}
	a.Add(c, check, run)
}

// verified is a path and what was found there.
type verified struct {
	Path string `json:"path"`
	OK   bool   `json:"ok"`
	What string `json:"what"` // what it is, or what is wrong
}

// findVerifiable lists what there is to verify at paths.
func findVerifiable(paths []string) (list []*verified, err error) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() || kinds.Of(path) != kinds.Unknown {
			list = append(list, &verified{Path: path}) // a path that was given is never left out
			continue
		}
		before := len(list)
		err = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return fmt.Errorf("cannot read %s: %w", name, errors.Unwrap(err))
			case kinds.Of(name) != kinds.Unknown || !entry.IsDir() && (checksums.Has(name) || sweepWith(name) != ""):
				list = append(list, &verified{Path: name})
				if entry.IsDir() {
					return fs.SkipDir
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if len(list) == before {
			list = append(list, &verified{Path: path})
		}
	}
	return list, nil
}

// verifyAll verifies everything, several at a time.
func verifyAll(list []*verified) {
	_ = parallel.Do(context.Background(), runtime.GOMAXPROCS(0), len(list), func(_, i int) {
		v := list[i]
		what, err := verifyOne(v.Path)
		if v.OK, v.What = err == nil, what; err != nil {
			v.What = cli.FirstLine(err.Error())
		}
	})
}

func verifyOne(path string) (what string, err error) {
	err = guard.Try(func() error {
		info, fault := os.Stat(path)
		switch other := fault == nil && !info.IsDir() && kinds.Of(path) == kinds.Unknown; {
		case other && sweepWith(path) != "":
			what, fault = sweepWith(path).Verify(path)
		case other:
			what, fault = checksums.Verify(path)
		default:
			what, fault = train.Verify(path)
		}
		return fault
	})
	return what, err
}

// sweepWith returns the sweep whose plan or record a file is, "" if it is neither.
func sweepWith(path string) sweep.Dir {
	for _, dir := range []string{filepath.Dir(path), filepath.Dir(filepath.Dir(path))} {
		if d := sweep.Dir(dir); d.Has(path) {
			return d
		}
	}
	return ""
}

// tellVerified writes a line for each and returns an error if something is wrong.
func tellVerified(a *cli.App, list []*verified, asJSON, quiet bool) error {
	wrong := 0
	for _, v := range list {
		if !v.OK {
			wrong++
		}
		switch {
		case asJSON || quiet && v.OK:
		case v.OK:
			fmt.Fprintf(a.Stdout, "ok     %s: %s\n", v.Path, v.What)
		default:
			fmt.Fprintf(a.Stdout, "WRONG  %s\n", v.What)
		}
	}
	if asJSON {
		if err := a.WriteJSON(list); err != nil {
			return err
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%w: %d of %d", cli.ErrVerified, wrong, len(list))
	}
	return nil
}

// openVerified opens a model, and compares all checksums if verify is set.
func openVerified(path string, verify bool) (*topoi.Model, error) {
	m, err := topoi.Open(path)
	if err == nil && verify {
		if err = m.Verify(); err != nil {
			m.Close()
		}
	}
	return m, err
}

// openVerifiedCorpus opens a corpus file, and compares all checksums if verify is set.
func openVerifiedCorpus(path string, verify bool) (*corpus.Corpus, error) {
	c, err := corpus.Open(path)
	if err == nil && verify {
		if err = c.Verify(); err != nil {
			c.Close()
		}
	}
	return c, err
}
