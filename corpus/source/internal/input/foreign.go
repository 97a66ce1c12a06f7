package input

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
)

// Beginnings of formats that hold no plain text.
const (
	ZipMagic     = "PK\x03\x04"
	NPYMagic     = "\x93NUMPY" // what numpy.save writes
	ParquetMagic = "PAR1"
)

// foreignFiles are files that people have in place of text and that reading as
// text would shred. They are recognised to say what they are and what to do.
var foreignFiles = []struct{ magic, what, hint string }{
	{"%PDF-", "this is a PDF file, which topoi cannot read", "extract its text first (pdftotext FILE.pdf FILE.txt)"},
	{`{\rtf`, "this is a rich text file (RTF), which topoi cannot read", "save it as plain text (.txt)"},
	{
		"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
		"this is a file of an old Office program (.xls, .doc) or one with a password, which topoi cannot read",
		"save it as .xlsx, .csv or .txt without a password",
	},
	{
		"SQLite format 3\x00", "this is an SQLite database, which topoi cannot read",
		"export a table of it (sqlite3 -csv -header FILE 'select …' > FILE.csv)",
	},
	{"ARROW1", "this is an Arrow file, which topoi cannot read", "write it as Parquet"},
	{
		"\x89tpck\r\x1a\n", "this is the checkpoint of an unfinished run, not documents",
		"give the corpus of that run, with Options.Resume",
	},
	{
		"\xac\xed\x00\x05", "this is a Java object stream, as MALLET's binary .mallet files are, which only MALLET reads",
		"give the text that it was made from, or the state.gz that MALLET writes with --output-state",
	},
}

// foreignZips are the same for zip archives, told by a file inside of them.
var foreignZips = []struct{ member, what, hint string }{
	{
		"word/document.xml", "this is a Word document (.docx), which topoi cannot read",
		"save it as plain text (.txt), or convert it (pandoc -t plain FILE.docx -o FILE.txt)",
	},
	{"ppt/presentation.xml", "this is a presentation (.pptx), which topoi cannot read", "save its text as .txt"},
	{
		"content.xml", "this is an OpenDocument file (.odt, .ods), which topoi cannot read",
		"save a text as .txt and a table as .xlsx or .csv",
	},
	{
		"META-INF/container.xml", "this is an e-book (.epub), which topoi cannot read",
		"convert it to text (pandoc -t plain FILE.epub -o FILE.txt)",
	},
	{"xl/workbook.bin", "this is a binary Excel workbook (.xlsb), which topoi cannot read", "save it as .xlsx or .csv"},
	{
		"", "the file is compressed with zip, which topoi cannot read",
		"unpack it with unzip, or pack it with gzip or zstd",
	},
}

// refuse returns an error if a file that begins with head is no text, nor
// anything else that is read. Parquet, workbooks and arrays pass.
func refuse(path string, head []byte) error {
	name := DisplayName(path)
	for _, f := range foreignFiles {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return &Error{File: name, Msg: f.what, Hint: f.hint}
		}
	}
	if len(head) > 262 && string(head[257:262]) == "ustar" {
		return &Error{
			File: name, Msg: "this is a tar archive, which topoi cannot read",
			Hint: "unpack it (tar -xf) and give the directory",
		}
	}
	if !bytes.HasPrefix(head, []byte(ZipMagic)) {
		return nil
	}
	if path == "-" {
		return &Error{File: name, Msg: "a zip archive or workbook cannot be read from a stream, because its list of files is at the end", Hint: "save it to a file first"}
	}
	if IsNPZ(head) {
		return nil
	}
	members := zipMembers(path)
	if members["xl/workbook.xml"] {
		return nil
	}
	for _, f := range foreignZips {
		if f.member == "" || members[f.member] {
			return &Error{File: name, Msg: f.what, Hint: f.hint}
		}
	}
	return nil
}

// IsNPZ tells whether head begins an archive of arrays, by the name of its first file.
func IsNPZ(head []byte) bool {
	const name = 30 // where the name of the file begins
	if !bytes.HasPrefix(head, []byte(ZipMagic)) || len(head) < name {
		return false
	}
	size := int(binary.LittleEndian.Uint16(head[name-4:]))
	return len(head) >= name+size && bytes.HasSuffix(head[name:name+size], []byte(".npy"))
}

// zipMembers returns the names of the files in an archive, none if it is damaged.
func zipMembers(path string) map[string]bool {
	raw, size, err := Open(path)
	if err != nil {
		return nil
	}
	defer raw.Close()
	z, err := zip.NewReader(raw, size)
	if err != nil {
		return nil
	}
	names := make(map[string]bool, len(z.File))
	for _, f := range z.File {
		names[f.Name] = true
	}
	return names
}

// RefuseModel returns an error if a directory is a model.
func RefuseModel(dir string) error {
	manifest, err := os.Open(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return nil
	}
	defer manifest.Close()
	head := make([]byte, 1024)
	n, _ := manifest.Read(head)
	if !bytes.Contains(head[:n], []byte(`"topoi model"`)) {
		return nil
	}
	e := &Error{File: dir, Msg: "this is a model, not documents"}
	return e.WithHint("the documents it was trained on are in %s; topoi infer applies a model to others",
		filepath.Join(dir, "corpus.topoi"))
}
