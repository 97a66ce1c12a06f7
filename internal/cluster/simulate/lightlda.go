package simulate

import "time"

// LightLDA is the run of Yuan et al., "LightLDA: big topic models on modest
// computer clusters", WWW 2015, section 7: 200 billion tokens, a million topics, a
// million words, on 24 machines of 20 cores, 256 GB and 1 Gbit/s, each sampling 50
// million documents of 200 tokens in an hour; after a hundred iterations the model
// has 2 billion non-zeros. It begins with eight topics per word, which on corpora here kept the most
// entries that rows ever had at 0.36 to 0.6 of those of a uniform start: 0.43, for a word of the mean
// frequency, is an exponent of 0.93.
func LightLDA() (Job, Machines) {
	job := Job{
		Load:    Load{Tokens: 200e9, Words: 1e6, Topics: 1e6, Spread: 0.67, Changed: 0.25},
		Workers: 24, Shards: 24, Parts: 24, Staleness: 1, Rounds: 1, Barriers: 10,
		Apart: true, State: true, First: 0.93,
	}
	machines := Machines{
		TokenRate: 50e6 * 200 / 3600, CodeRate: 50e6,
		Bandwidth: 1e9 / 8, StoreRate: 1e9, Latency: 200 * time.Microsecond, Jitter: 0.05,
	}
	return job, machines
}
