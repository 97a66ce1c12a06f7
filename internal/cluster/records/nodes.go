package records

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/topoi-lda/topoi/internal/store"
)

// NodeStatus is a node of the store.
type NodeStatus struct {
	Address string `json:"address"`
	Used    uint64 `json:"used"` // bytes of memory
	Most    uint64 `json:"most"` // maxmemory, 0 for no limit
	Policy  string `json:"-"`    // maxmemory-policy
}

// Nodes returns the memory of the store's nodes.
func Nodes(ctx context.Context, st *store.Store) ([]NodeStatus, error) {
	info, err := st.Info(ctx, "memory")
	if err != nil {
		return nil, err
	}
	var nodes []NodeStatus
	for _, address := range slices.Sorted(maps.Keys(info)) {
		n := NodeStatus{Address: address, Policy: info[address]["maxmemory_policy"]}
		// A store that does not tell is shown as 0.
		n.Used, _ = strconv.ParseUint(info[address]["used_memory"], 10, 64)
		n.Most, _ = strconv.ParseUint(info[address]["maxmemory"], 10, 64)
		nodes = append(nodes, n)
	}
	return nodes, nil
}
