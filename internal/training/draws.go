package training

// DrawEvery is the number of sweeps between the draws of topoi.Options.Draws. The sweeps that all draws span matter
// more than how many draws there are: bench/notes/quality.md has the scores.
const DrawEvery = 5
