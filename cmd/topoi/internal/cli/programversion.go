package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Release is the version of a release; empty for other builds.
var Release string

// VersionLine is what topoi version and topoi --version say.
func VersionLine() string {
	return fmt.Sprintf("topoi %s, %s %s/%s\n", ProgramVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// ProgramVersion returns the release, or what the Go tool recorded at the build.
func ProgramVersion() string {
	if Release != "" {
		return Release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "built from source"
	}
	return info.Main.Version
}
