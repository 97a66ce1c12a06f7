package main

import "github.com/topoi-lda/topoi/internal/human"

// sizeFlag is a flag for a number of bytes, such as 300MB or 2GiB.
type sizeFlag struct{ bytes *int64 }

// Set implements pflag.Value.
func (f sizeFlag) Set(text string) (err error) {
	*f.bytes, err = human.ParseBytes(text)
	return err
}

// String implements pflag.Value: empty for the default.
func (f sizeFlag) String() string {
	if f.bytes == nil || *f.bytes == 0 {
		return ""
	}
	return human.Bytes(*f.bytes)
}

// Type implements pflag.Value.
func (f sizeFlag) Type() string { return "size" }
