package machine

import (
	"runtime/debug"
	"sync"
)

// module is the path of the module that this package belongs to.
const module = "github.com/topoi-lda/topoi"

// BuildVersion is the version of this module that the program was built with, as far as
// the Go tool recorded it: a release, a commit, or "(devel)".
var BuildVersion = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == module {
			return m.Version
		}
	}
	return ""
})
