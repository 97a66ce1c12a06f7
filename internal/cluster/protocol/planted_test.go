package protocol_test

import "testing"

// plants are faults that somebody could make in a script or a machine, one at a time.
var plants = []struct {
	name string
	seed uint64 // of a schedule that finds it
	p    planted
}{
	{"a lease is not checked, nor which state is later", 1748, planted{breaks: breaks{leaseUnchecked: true, oldState: true}}},
	{"a rename without comparison", 248, planted{breaks: breaks{renameBlindly: true}}},
	{"an old leader's older state is accepted", 554, planted{breaks: breaks{oldLeader: true, oldState: true}}},
	{"a barrier refuses no late writers", 5, planted{breaks: breaks{raiseNothing: true}}},
	{"a barrier deletes changes that rounds after it see", 5, planted{breaks: breaks{raiseTooFar: true}}},
	{"workers go on while a job is mended", 317, planted{breaks: breaks{haltKeepsMembers: true}}},
	{"everybody leads", 5, planted{breaks: breaks{doubleLeader: true}}},
	{"a damaged state is believed", 2, planted{breaks: breaks{stateUnsealed: true}}},
	{"a state replaces a later one", 36486, planted{breaks: breaks{oldState: true}}},
	{"a barrier a round early", 47, planted{earlyBarrier: true}},
	{"heads are not compared with the last barrier", 13, planted{headsUnchecked: true, lateBelieved: true}},
	{"a head is not mended", 21, planted{headsUnmended: true}},
	{"loss of what was written is not seen", 6, planted{lossUnseen: true}},
	{"written before it is", 7632, planted{unflushed: true}},
	{"a blob that was refused counts as written", 1092, planted{lateBelieved: true}},
	{"a mender's request that arrives twice deletes newer blobs", 227473, planted{sweptTwice: true}},
	{"a damaged blob is believed", 43, planted{damageBelieved: true}},
	{"a round is noted for a part of somebody else", 43, planted{breaks: breaks{reachUnchecked: true}}},
	{"nobody looks for a tombstone", 153, planted{breaks: breaks{tombstoneUnread: true}}},
}

// Faults that are planted are found by the schedules of these seeds, which end well without them. With -search, seeds are
// looked for among as many as -schedules says.
func TestPlantedFaultsAreFound(t *testing.T) {
	for _, plant := range plants {
		if *search {
			if s := firstFailure(*firstSeed, *schedules, plant.p); s != nil {
				t.Logf("%s: seed %d: %v", plant.name, s.seed, newSimulation(s, plant.p).run())
			} else {
				t.Errorf("%s: not found in %d schedules", plant.name, *schedules)
			}
			continue
		}
		s := drawSchedule(plant.seed)
		if err := newSimulation(s, planted{}).run(); err != nil {
			t.Errorf("seed %d: %v", plant.seed, err)
		}
		if newSimulation(s, plant.p).run() == nil {
			t.Errorf("%s: seed %d does not find it", plant.name, plant.seed)
		}
	}
}
