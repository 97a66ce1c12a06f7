package source

import "io"

// OpenReader opens an input that is neither a file nor standard input: an upload, an entry of an archive, an answer over
// HTTP. It reads as [Open] reads standard input, in all formats but those that are read at several places (parquet, npz,
// npy, xlsx, and octis without a vocabulary file). name stands for the input in messages. Close does not close r.
func OpenReader(name string, r io.Reader, opts Options) (*Reader, error) {
	opts.stdin = r
	opened, err := Open([]string{"-"}, opts)
	if err != nil {
		return nil, (&Reader{name: name}).named(err)
	}
	opened.name = name
	return opened, nil
}
