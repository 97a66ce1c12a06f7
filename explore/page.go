package explore

import (
	"embed"
	"sync"

	"github.com/topoi-lda/topoi/internal/webpage"
)

//go:embed page/*.js
var pageFiles embed.FS

// modelParts, servedParts and comparisonParts join the modules of the kinds of pages once.
// A page of a server may ask that server; files ask nobody.
var (
	modelParts      = sync.OnceValue(func() webpage.Frame { return webpage.Assemble(pageFiles, "main.js") })
	servedParts     = sync.OnceValue(func() webpage.Frame { return webpage.Assemble(pageFiles, "main.js", "connect-src 'self'") })
	comparisonParts = sync.OnceValue(func() webpage.Frame { return webpage.Assemble(pageFiles, "comparison.js") })
)
