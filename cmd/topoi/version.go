package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by release builds: -ldflags "-X main.version=v1.2.3".
var version string

func addVersion(a *app) {
	c := &cobra.Command{
		Use:     "version",
		Short:   "Say which version this is",
		Long:    "Say which version of topoi this is, and which Go built it for which machine.",
		Example: "  topoi version",
	}
	run := func(context.Context, []string) error {
		_, err := fmt.Fprint(a.stdout, versionLine())
		return err
	}
	a.add(groupAbout, c, noArguments(c), run)
}

// versionLine is what topoi version and topoi --version say.
func versionLine() string {
	return fmt.Sprintf("topoi %s, %s %s/%s\n", programVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// programVersion returns the release, or what the Go tool recorded at the build.
func programVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "built from source"
	}
	return info.Main.Version
}
