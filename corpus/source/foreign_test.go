package source

import (
	"strings"
	"testing"
)

// TestForeignFiles: files that people have in place of text are named, wherever
// they stand.
func TestForeignFiles(t *testing.T) {
	docx := zipped(t, map[string]string{"[Content_Types].xml": "", "word/document.xml": "<w/>"})
	file := func(name, content, want string) broken {
		return broken{name: name, files: map[string]string{name: content}, want: name + ": " + want}
	}
	runBroken(t, []broken{
		file("a.pdf", "%PDF-1.7\n\xe2\xe3", "this is a PDF file, which topoi cannot read; extract its text first (pdftotext FILE.pdf FILE.txt)"),
		file("a.docx", docx, "this is a Word document (.docx), which topoi cannot read; save it as plain text (.txt), or convert it (pandoc -t plain FILE.docx -o FILE.txt)"),
		file("a.odt", zipped(t, map[string]string{"content.xml": ""}), "this is an OpenDocument file (.odt, .ods), which topoi cannot read; save a text as .txt and a table as .xlsx or .csv"),
		file("a.epub", zipped(t, map[string]string{"META-INF/container.xml": ""}), "this is an e-book (.epub), which topoi cannot read; convert it to text (pandoc -t plain FILE.epub -o FILE.txt)"),
		file("a.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00", "this is a file of an old Office program (.xls, .doc) or one with a password, which topoi cannot read; save it as .xlsx, .csv or .txt without a password"),
		file("a.rtf", `{\rtf1\ansi text}`, "this is a rich text file (RTF), which topoi cannot read; save it as plain text (.txt)"),
		file("a.tar.gz", gzipped("a.txt"+strings.Repeat("\x00", 252)+"ustar\x0000"+strings.Repeat("\x00", 300)), "this is a tar archive, which topoi cannot read; unpack it (tar -xf) and give the directory"),
	})
	runBroken(t, []broken{
		{
			name: "in a directory", files: map[string]string{"d/a.txt": "%PDF-1.7\n"}, in: []string{"d"},
			want: "d/a.txt: this is a PDF file, which topoi cannot read; extract its text first (pdftotext FILE.pdf FILE.txt)",
		},
		{
			name: "format named", files: map[string]string{"a": docx}, opts: Options{Format: "lines"},
			want: "a: this is a Word document (.docx), which topoi cannot read; save it as plain text (.txt), or convert it (pandoc -t plain FILE.docx -o FILE.txt)",
		},
		{
			name: "for a vocabulary", files: map[string]string{"a.ldac": "1 0:1\n", "v.txt": docx}, in: []string{"a.ldac"}, opts: Options{VocabPath: "v.txt"},
			want: "v.txt: this is a Word document (.docx), which topoi cannot read; save it as plain text (.txt), or convert it (pandoc -t plain FILE.docx -o FILE.txt)",
		},
		{
			name: "model", files: map[string]string{"m/manifest.json": "{\n  \"format\": \"topoi model\",\n"}, in: []string{"m"},
			want: "m: this is a model, not documents; the documents it was trained on are in m/corpus.topoi; topoi infer applies a model to others",
		},
	})
}
