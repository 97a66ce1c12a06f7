package text

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// storedVersion is the version of options as JSON. The first had no number. In
// it markup was kept, Chinese was cut into pairs, stop lists were shorter, and no
// language meant those of defaultLanguages. The second had shorter stop lists, too, and ß was ss.
const storedVersion = 3

// defaultLanguages are the languages of a pipeline that was told of none.
var defaultLanguages = []string{"en", "zh", "ja", "ko"}

// DefaultLanguages returns the languages of a pipeline that was told of none: en,
// zh, ja, ko.
func DefaultLanguages() []string { return slices.Clone(defaultLanguages) }

// fields is Options without its methods.
type fields Options

// MarshalJSON writes the options with their version.
func (o Options) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Version int `json:"version"`
		fields
	}{storedVersion, fields(o)})
}

// UnmarshalJSON reads options of this version or an earlier one. Defaults that have changed
// since are spelled out.
func (o *Options) UnmarshalJSON(b []byte) error {
	var stored struct {
		Version int `json:"version"`
		fields
	}
	if err := json.Unmarshal(b, &stored); err != nil {
		return err
	}
	*o = Options(stored.fields)
	switch {
	case stored.Version > storedVersion:
		return fmt.Errorf("the text options have version %d and this program knows version %d: use a newer program", stored.Version, storedVersion)
	case stored.Version == 2:
		o.Edition = cmp.Or(o.Edition, 2)
	case stored.Version < 2:
		o.KeepMarkup, o.Edition = true, 1
		o.CJK = cmp.Or(o.CJK, CJKBigrams)
		if len(o.Languages) == 0 {
			o.Languages = slices.Clone(defaultLanguages)
		}
	}
	return nil
}

// minEncoded is the length from which a run of ASCII without white space is
// looked at for being an encoded file rather than words.
const minEncoded = 16

// encoded says whether a chunk of ASCII is a piece of an encoded file, as mail
// and news carry them: uuencode, which has no small letters and more signs than
// letters, or base64 and hexadecimal numbers, whose long runs of letters have digits among
// them.
func encoded(chunk []byte) bool {
	letters, digits, small, run, longest := 0, 0, 0, 0, 0
	for _, c := range chunk {
		class := asciiClass[c]
		if class&letter != 0 {
			letters++
			if c >= 'a' {
				small++
			}
		}
		if class&digit != 0 {
			digits++
		}
		if class&(letter|digit) == 0 {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	uuencoded := small == 0 && letters > 0 && 10*letters < 7*len(chunk)
	return uuencoded || longest >= 2*minEncoded && digits >= 3
}
