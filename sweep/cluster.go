package sweep

import (
	"context"
	"errors"
)

// Cluster x
type Cluster struct{}

func (s *Sweep) runByCluster(ctx context.Context, pending []Run) error { return errors.New("x") }
