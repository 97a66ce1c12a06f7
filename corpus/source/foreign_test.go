package source

import (
	"strings"
	"testing"
)

// detectedAs returns the format of a file.
func detectedAs(t *testing.T, content string) string {
	f, err := detect("a.txt", []byte(content), 1)
	if err != nil {
		t.Error(err)
	}
	return f
}

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
	mail := "From a@b.org Thu Apr 29 16:36:43 1993\nDate: Thu, 29 Apr 1993\nSubject: x\n\nhello\n"
	vtt := "WEBVTT - a talk\n\n00:01.000 --> 00:04.000\nhello\n"
	runBroken(t, []broken{
		file("a.mbox", mail, "this is a mailbox (mbox), whose lines are no documents; write every message to a file of its own and give the directory, or a table with a message in each row"),
		file("a.html", "\n<!DOCTYPE html>\n<p>a", "this is an HTML page, whose lines are no documents; give the directory of the pages, each of which becomes a document: Options.Pattern = *.html"),
		file("a.txt", "\xef\xbb\xbf<HTML lang='de'>\n\tb\tc\n", "this is an HTML page, whose lines are no documents; give the directory of the pages, each of which becomes a document: Options.Pattern = *.html"),
		file("a.xml", "<?xml version='1.0'?>\n<a>x</a>", "this is XML, whose lines are no documents; write its documents to a table or to files; or give the directory, in which each file becomes a document: Options.Pattern = *.xml"),
		file("a.vtt.gz", gzipped(vtt), "these are subtitles (WebVTT), whose lines are no documents; remove the times, and give the directory of the texts or a table with one in each row"),
	})
	for _, lines := range []string{
		"From Monday on all is new\nand better\n", "From here Mon Ami said it\nDate: none\n", "<p>one</p>\n<p>two</p>\n",
		"WEBVTTs are files\n", "from a@b.org Thu Apr 29 16:36:43 1993\nDate: x\n",
	} {
		if f := detectedAs(t, lines); f != "lines" {
			t.Errorf("%q is read as %s", lines, f)
		}
	}
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
