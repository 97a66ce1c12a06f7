package light

import (
	"github.com/topoi-lda/topoi/internal/sampler/published"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

func init() { samplertest.Use(Info, published.Gibbs) }
