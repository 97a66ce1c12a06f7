package cli

import "github.com/topoi-lda/topoi/internal/human"

// SizeFlag is a flag for a number of bytes, such as 300MB or 2GiB.
type SizeFlag struct{ Bytes *int64 }

// Set implements pflag.Value.
func (f SizeFlag) Set(text string) (err error) {
	*f.Bytes, err = human.ParseBytes(text)
	return err
}

// String implements pflag.Value: empty for the default.
func (f SizeFlag) String() string {
	if f.Bytes == nil || *f.Bytes == 0 {
		return ""
	}
	return human.Bytes(*f.Bytes)
}

// Type implements pflag.Value.
func (f SizeFlag) Type() string { return "size" }
