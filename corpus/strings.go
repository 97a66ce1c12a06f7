package corpus

// Strings is an immutable list of strings kept as one run of bytes, so that
// millions of document ids cost neither headers nor garbage collection and
// can live in a memory map.
type Strings struct {
	ends  []uint64 // end of string i in bytes; string i begins where i-1 ends
	bytes []byte
}

// MakeStrings copies list into a Strings.
func MakeStrings(list []string) Strings {
	var s Strings
	s.ends = make([]uint64, len(list))
	n := 0
	for i, x := range list {
		n += len(x)
		s.ends[i] = uint64(n)
	}
	s.bytes = make([]byte, 0, n)
	for _, x := range list {
		s.bytes = append(s.bytes, x...)
	}
	return s
}

// Len returns the number of strings.
func (s Strings) Len() int { return len(s.ends) }

// At returns string i.
func (s Strings) At(i int) string { return string(s.Bytes(i)) }

// Bytes returns string i without copying it.
func (s Strings) Bytes(i int) []byte {
	begin := uint64(0)
	if i > 0 {
		begin = s.ends[i-1]
	}
	return s.bytes[begin:s.ends[i]:s.ends[i]]
}
