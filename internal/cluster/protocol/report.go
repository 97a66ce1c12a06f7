package protocol

import "time"

// Report is a worker's report about itself.
type Report struct {
	Name     string        `json:"name"` // host and process
	Device   string        `json:"device"`
	Threads  int           `json:"threads"`
	Joined   time.Time     `json:"joined"`
	Parts    int           `json:"parts"`
	Round    int           `json:"round"`
	Tokens   uint64        `json:"tokens"`   // sampled since it joined
	Sampling time.Duration `json:"sampling"` // time spent in rounds
	Coding   time.Duration `json:"coding"`   // time spent on encoding, decoding and adding up changes
	Waiting  time.Duration `json:"waiting"`  // time spent waiting on the store or on other workers
	Busy     time.Duration `json:"busy"`     // all of it: since the first part was taken
	Sent     uint64        `json:"sent"`     // bytes of blobs
	Received uint64        `json:"received"`
	Rounds   int           `json:"rounds"` // sampled since it joined
	Memory   uint64        `json:"memory"` // bytes that are resident; 0 if the system does not tell
	Peak     uint64        `json:"peak"`   // most bytes that were
	Slices   int           `json:"slices"` // how many it has
	Awaits   []string      `json:"awaits"` // parts and slices that it waits for, p7 or s3
}
