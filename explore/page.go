package explore

import (
	"embed"
	"sync"

	"github.com/topoi-lda/topoi/internal/webpage"
)

//go:embed page/*.js
var pageFiles embed.FS

// modelParts and comparisonParts join the modules of the two kinds of pages once.
var (
	modelParts      = sync.OnceValue(func() webpage.Frame { return webpage.Assemble(pageFiles, "main.js") })
	comparisonParts = sync.OnceValue(func() webpage.Frame { return webpage.Assemble(pageFiles, "comparison.js") })
)
