package published

import (
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

func init() { samplertest.Use(Gibbs, Sparse, Alias, Grid, CVB, Mean) }
