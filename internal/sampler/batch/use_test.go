package batch

import (
	"github.com/topoi-lda/topoi/internal/sampler/gibbs"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

func init() { samplertest.Use(Info, PanelInfo, gibbs.Info) }
