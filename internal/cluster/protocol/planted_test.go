package protocol_test

import "testing"

// plants are faults that somebody could make in a script or a machine, one at a time.
var plants = []struct {
	name string
	p    planted
}{
	{"a lease is not checked", planted{breaks: breaks{leaseUnchecked: true}}},
	{"a rename without comparison", planted{breaks: breaks{renameBlindly: true}}},
	{"an old leader's write is accepted", planted{breaks: breaks{oldLeader: true}}},
	{"whoever says so has reached a round", planted{breaks: breaks{reachUnchecked: true}}},
	{"a barrier deletes changes that rounds after it see", planted{breaks: breaks{raiseTooFar: true}}},
	{"a barrier refuses no late writers", planted{breaks: breaks{raiseNothing: true}}},
	{"workers go on while a job is mended", planted{breaks: breaks{haltKeepsMembers: true}}},
	{"a mender that was away marks the job", planted{breaks: breaks{markAlways: true}}},
	{"everybody may mend at once", planted{breaks: breaks{lockForAll: true}}},
	{"everybody leads", planted{breaks: breaks{doubleLeader: true}}},
	{"a damaged state is believed", planted{breaks: breaks{stateUnsealed: true}}},
	{"a barrier a round early", planted{earlyBarrier: true}},
	{"heads are not compared with the last barrier", planted{headsUnchecked: true, lateBelieved: true}},
	{"a head is not mended", planted{headsUnmended: true}},
	{"loss of what was written is not seen", planted{lossUnseen: true}},
	{"written before it is", planted{unflushed: true}},
	{"a blob that was refused counts as written", planted{lateBelieved: true}},
	{"a damaged blob is believed", planted{damageBelieved: true}},
}

// Faults that are planted are found, each within a hundred thousand schedules; here fewer are tried.
func TestPlantedFaultsAreFound(t *testing.T) {
	most := max(20_000, *schedules)
	if testing.Short() {
		most = 3000
	}
	for _, plant := range plants {
		s := firstFailure(*firstSeed, most, plant.p)
		if s == nil {
			t.Errorf("%s: not found in %d schedules", plant.name, most)
			continue
		}
		t.Logf("%s: seed %d: %v", plant.name, s.seed, newSimulation(s, plant.p).run())
	}
}
