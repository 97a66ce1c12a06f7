package cli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// RefuseExisting is the fault of an output that would replace something.
func RefuseExisting(path string, overwrite bool) error {
	info, err := os.Stat(path)
	return human.FaultIf(err == nil && info.Mode().IsRegular() && !overwrite,
		"%s already exists: choose another name, or add --overwrite to replace it", path)
}

// RefuseModel is the fault of an output that would replace a model, or cannot.
func RefuseModel(path string, overwrite bool) error {
	if _, err := os.Lstat(path); err != nil {
		return nil // nothing is there, or writing will tell
	}
	if err := topoi.CheckOutput(path, nil, topoi.Options{}, topoi.SaveOptions{Overwrite: true}); err != nil {
		return err
	}
	return human.FaultIf(!overwrite,
		"%s already exists: choose another name, or add --overwrite to replace the model", path)
}

// Writable finds out before the work whether files can be made at paths after it.
func Writable(paths ...string) error {
	var faults []error
	for _, path := range paths {
		if err := machine.Writable(filepath.Dir(path)); err != nil {
			faults = append(faults, wholefile.Explain(path, err))
		}
	}
	return errors.Join(faults...)
}

// WriteJSON writes v for people and programs alike.
func (a *App) WriteJSON(v any) error {
	encoder := json.NewEncoder(a.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// Where adds the flag that chooses documents by a condition.
func Where(fs *pflag.FlagSet, condition *string) {
	fs.StringVar(condition, "where", "", "`condition` on documents, such as 'party in (SPD, CDU) and date >= 2017'; only these count")
}

// OpenWhere opens a model as the documents that satisfy a condition show it.
func OpenWhere(path, condition string) (*topoi.Model, error) {
	m, err := topoi.Open(path)
	if err != nil {
		return nil, err
	}
	part, err := m.Where(condition)
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return part, nil
}

// OnModel returns the body of a command whose first argument is a model. It opens the model, calls run and closes the
// model. A condition that is not empty restricts the model to the documents that satisfy it. Ctrl-C ends run quietly.
func OnModel(condition *string, run func(ctx context.Context, m *topoi.Model, args []string) error,
) func(ctx context.Context, args []string) error {
	return Stoppable(func(ctx context.Context, args []string) error {
		m, err := OpenWhere(args[0], *condition)
		if err != nil {
			return err
		}
		defer m.Close()
		return run(ctx, m, args)
	})
}

// ModelName is the name of a model by its path.
func ModelName(path string) string {
	name := filepath.Base(filepath.Clean(path))
	if trimmed := strings.TrimSuffix(name, ".model"); trimmed != "" {
		return trimmed
	}
	return name
}
