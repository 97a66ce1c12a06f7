package protocol_test

import (
	"flag"
	"strings"
	"testing"
)

var search = flag.Bool("search", false, "look for other traces that find planted faults, and keep them")

// plants are faults that somebody could make in a script or a machine, one at a time.
var plants = []struct {
	name string
	file string // of the trace that finds it
	p    planted
}{
	{
		"a lease is not checked, nor which state is later", "lease-unchecked",
		planted{breaks: breaks{leaseUnchecked: true, oldState: true}},
	},
	{"a rename without comparison", "rename-blindly", planted{breaks: breaks{renameBlindly: true}}},
	{"an old leader's older state is accepted", "old-leader", planted{breaks: breaks{oldLeader: true, oldState: true}}},
	{"a barrier refuses no late writers", "late-writers", planted{breaks: breaks{raiseNothing: true}}},
	{"a barrier deletes changes that others need", "deleted-too-early", planted{breaks: breaks{raiseTooFar: true}}},
	{"workers go on while a job is mended", "halt-keeps-members", planted{breaks: breaks{haltKeepsMembers: true}}},
	{"everybody leads", "everybody-leads", planted{breaks: breaks{doubleLeader: true}}},
	{"a damaged state is believed", "damaged-state", planted{breaks: breaks{stateUnsealed: true}}},
	{"a state replaces a later one", "older-state", planted{breaks: breaks{oldState: true}}},
	{"a barrier a round early", "early-barrier", planted{earlyBarrier: true}},
	{"heads are not compared with the last barrier", "heads-unchecked", planted{headsUnchecked: true, lateBelieved: true}},
	{"a head is not mended", "heads-unmended", planted{headsUnmended: true}},
	{"loss of what was written is not seen", "loss-unseen", planted{lossUnseen: true}},
	{"written before it is", "unflushed", planted{unflushed: true}},
	{"a blob that was refused counts as written", "refused-counts", planted{lateBelieved: true}},
	{"a mender's request that arrives twice deletes newer blobs", "swept-twice", planted{sweptTwice: true}},
	{"a damaged blob is believed", "damaged-blob", planted{damageBelieved: true}},
	{"a round is noted for a part of somebody else", "reach-unchecked", planted{breaks: breaks{reachUnchecked: true}}},
	{"nobody looks for a tombstone", "tombstone-unread", planted{breaks: breaks{tombstoneUnread: true}}},
}

// Faults that are planted are found by the traces that are kept with them, which end well without them. With -search,
// traces are looked for in as many schedules as -schedules says, and written.
//
//	go test ./internal/cluster/protocol -run TestPlantedFaultsAreFound/older-state -search -schedules 100000
func TestPlantedFaultsAreFound(t *testing.T) {
	for _, plant := range plants {
		t.Run(plant.file, func(t *testing.T) {
			path := "testdata/planted/" + plant.file + ".txt"
			if *search {
				s := firstFailure(*firstSeed, *schedules, plant.p)
				if s == nil {
					t.Fatalf("nothing finds it in %d schedules", *schedules)
				}
				k := shortest(s, plant.p)
				k.about = "# " + strings.ToUpper(plant.name[:1]) + plant.name[1:] + ".\n"
				k.write(t, path)
			}
			if err := checkKept(t, path, plant.p); err == nil {
				t.Error("the trace does not find it")
			}
			if _, _, err := replay(readKept(t, path).trace, planted{}, nil); err != nil {
				t.Errorf("without it: %v", err)
			}
		})
	}
}
