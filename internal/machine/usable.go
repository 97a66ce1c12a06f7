package machine

// Usable returns how much of a worker's memory its data may take. The rest is for the program and for garbage that is
// not collected yet.
func Usable(memory int64) int64 { return memory - memory/8 }
