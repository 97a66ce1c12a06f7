package grid

import (
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

func init() { samplertest.Use(Info) }
