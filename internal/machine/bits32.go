//go:build 386 || arm || mips || mipsle

package machine

// topoi counts tokens and positions in files in an int, and maps files of any size into memory. On a processor with 32
// bits that would be wrong for large corpora without a word, so that a program for one is not built: the name that
// does not exist is the message.
var _ = topoi_needs_a_processor_with_64_bits
