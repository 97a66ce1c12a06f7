package source

import "os"

// Format is an input format that Open reads.
type Format struct {
	Name        string // what Options.Format takes
	Description string // one line, for people
}

// format binds a Format to its reader. in is nil for a directory; otherwise it
// is the opened input, positioned at its beginning.
type format struct {
	Format
	open func(path string, in *scanner, o *Options) (Source, error)
}

// formats in the order in which they are listed for people. It is filled by
// init to break the cycle of Open, which the trio of 10x needs too.
var formats []format

func init() {
	formats = []format{
		{Format{"text", "text files, one document each (a directory, a glob, or several .txt files)"}, openText},
		{Format{"lines", "plain text, one document a line"}, openLines},
		{Format{"csv", "comma-separated values (RFC 4180), any delimiter, with or without a header"}, openCSV},
		{Format{"tsv", "tab-separated values, with or without a header"}, openTSV},
		{Format{"mallet", "MALLET lines: id, label, text"}, openMallet},
		{Format{"uci", "UCI bag-of-words"}, openUCI},
	}
}

// Formats lists all input formats.
func Formats() []Format {
	list := make([]Format, len(formats))
	for i := range formats {
		list[i] = formats[i].Format
	}
	return list
}

func formatNames() []string {
	names := []string{"auto"}
	for i := range formats {
		names = append(names, formats[i].Name)
	}
	return names
}

func formatByName(name string) *format {
	for i := range formats {
		if formats[i].Name == name {
			return &formats[i]
		}
	}
	return nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
