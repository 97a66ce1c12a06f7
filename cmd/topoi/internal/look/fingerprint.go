package look

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
)

// AddFingerprint adds topoi fingerprint.
func AddFingerprint(a *cli.App) {
	c := &cobra.Command{
		Use:   "fingerprint MODEL... [flags]",
		Short: "Print the hash of what a model has learned",
		Long: `Print one hash of what a model has learned: words, counts, assignments and priors,
but no times, paths or threads. Two runs gave the same model exactly if their
fingerprints are equal, so it is the thing to cite and to compare.`,
		Example: `  topoi fingerprint news.model
  topoi fingerprint *.model --verify`,
	}
	var verify bool
	cli.Section(c, "Checking", func(fs *pflag.FlagSet) {
		fs.BoolVar(&verify, "verify", false, "compute it from the files, so that any damage is found")
	})
	check := func(args []string) error { return cli.NeedInputs(args, "the model", "topoi fingerprint news.model") }
	run := func(_ context.Context, args []string) error {
		var faults []error
		for _, path := range args {
			hash, err := fingerprint(path, verify)
			if err != nil {
				faults = append(faults, err)
				continue
			}
			if len(args) > 1 {
				hash += "  " + path
			}
			if _, err := fmt.Fprintln(a.Stdout, hash); err != nil {
				return err
			}
		}
		return errors.Join(faults...)
	}
	a.Add(cli.GroupLook, c, check, run)
}

func fingerprint(path string, verify bool) (string, error) {
	m, err := topoi.Open(path)
	if err != nil {
		return "", err
	}
	defer m.Close()
	if verify {
		if err := m.Verify(); err != nil {
			return "", err
		}
	}
	return m.Fingerprint(), nil
}
