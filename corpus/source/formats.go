package source

import "github.com/topoi-lda/topoi/corpus/source/internal/counts"

// Format is an input format that Open reads.
type Format struct {
	Name        string // what Options.Format takes
	Description string // one line, for people
}

// format binds a Format to its reader. in is nil for a directory; otherwise it
// is the opened input, positioned at its beginning.
type format struct {
	Format
	open opener
	dirs bool // takes directories too
}

// formats in the order in which they are listed for people.
var formats = []format{
	{Format: Format{"text", "text files, one document each (a directory, a glob, or several .txt files)"}, open: openText, dirs: true},
	{Format: Format{"lines", "plain text, one document a line"}, open: openLines},
	{Format: Format{"csv", "comma-separated values (RFC 4180), any delimiter, with or without a header"}, open: openCSV},
	{Format: Format{"tsv", "tab-separated values, with or without a header"}, open: openTSV},
	{Format: Format{"jsonl", "JSON lines, one object a document"}, open: openJSONL},
	{Format: Format{"xlsx", "Excel workbook, one row of a sheet a document"}, open: openXLSX},
	{Format: Format{"parquet", "Parquet, one row a document"}, open: openParquet},
	{Format: Format{"mallet", "MALLET lines: id, label, text"}, open: openMallet},
	{Format: Format{"mallet-state", "MALLET Gibbs state (state.gz), without its topics"}, open: openState},
	{Format: Format{"uci", "UCI bag-of-words"}, open: countsOpener(counts.OpenUCI)},
	{Format: Format{"lda-c", "Blei's LDA-C"}, open: countsOpener(counts.OpenLDAC)},
	{Format: Format{"svmlight", "SVMlight and libsvm"}, open: countsOpener(counts.OpenSVMLight)},
	{Format: Format{"matrix-market", "Matrix Market coordinate matrix"}, open: countsOpener(counts.OpenMatrixMarket)},
	{Format: Format{"npz", "sparse matrix of scipy (scipy.sparse.save_npz)"}, open: countsOpener(counts.OpenNPZ)},
	{Format: Format{"npy", "dense matrix of numpy (numpy.save)"}, open: countsOpener(counts.OpenNPY)},
	{Format: Format{"10x", "10x Genomics: matrix.mtx, features.tsv, barcodes.tsv"}, open: countsOpener(counts.OpenTenX), dirs: true},
	{Format: Format{"octis", "OCTIS data set: corpus.tsv, vocabulary.txt"}, open: openOCTIS, dirs: true},
	{Format: Format{"gibbslda", "GibbsLDA++: the number of documents, then one document a line"}, open: openGibbsLDA},
	{Format: Format{"yahoo", "Yahoo!LDA and WarpLDA lines: id1 id2 word word …"}, open: openYahoo},
	{Format: Format{"vw", "Vowpal Wabbit: tag | word:count word …"}, open: countsOpener(counts.OpenVW)},
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
