package look

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
)

// AddFingerprint adds topoi fingerprint, the old name of topoi info --fingerprint.
func AddFingerprint(a *cli.App) {
	c := cli.Describe("fingerprint")
	var verify bool
	cli.Section(c, "Checking", func(fs *pflag.FlagSet) {
		fs.BoolVar(&verify, "verify", false, "compute it from all files, which finds any damage")
	})
	check := func(args []string) error {
		return cli.NeedInputs(args, "the model", "topoi info --fingerprint news.model")
	}
	a.Add(c, check, func(_ context.Context, args []string) error { return fingerprints(a, args, verify) })
}

// fingerprints writes a line for every model or corpus file: its fingerprint, and its path if there are several.
func fingerprints(a *cli.App, paths []string, verify bool) error {
	var faults []error
	for _, path := range paths {
		line, err := fingerprint(path, verify)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		if len(paths) > 1 {
			line += "  " + path
		}
		if _, err := fmt.Fprintln(a.Stdout, line); err != nil {
			return err
		}
	}
	return errors.Join(faults...)
}

func fingerprint(path string, verify bool) (string, error) {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		return corpusFingerprint(path, verify)
	}
	m, err := openVerified(path, verify)
	if err != nil {
		return "", err
	}
	defer m.Close()
	return m.Fingerprint(), nil
}

func corpusFingerprint(path string, verify bool) (string, error) {
	c, err := openVerifiedCorpus(path, verify)
	if err != nil {
		return "", err
	}
	defer c.Close()
	return c.Fingerprint(), nil
}
