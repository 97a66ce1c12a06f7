package batch

import (
	"github.com/topoi-lda/topoi/internal/sampler/published"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

func init() { samplertest.Use(Info, PanelInfo, ListsInfo, published.Gibbs) }
