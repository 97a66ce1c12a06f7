package source

import "testing"

func TestBrokenLDAC(t *testing.T) {
	ldac := func(name, content, want string) broken {
		return broken{name: name, files: map[string]string{"a.ldac": content}, want: want}
	}
	runBroken(t, []broken{
		ldac("label first", "1 0:1\nnews 0:1\n", `a.ldac:2: found "news", expected the number of pairs on the line; if the first field is a label, use Options.Format = svmlight`),
		ldac("fewer pairs", "2 0:1\n", "a.ldac:1: found 1 pair, but the first field announces 2; if the first field is a label, use Options.Format = svmlight"),
		ldac("more pairs", "1 0:1 1:1\n", "a.ldac:1: found 2 pairs, but the first field announces 1; if the first field is a label, use Options.Format = svmlight"),
		ldac("no colon", "1 0\n", `a.ldac:1: found "0", expected id:count; every field after the first must be a pair`),
		ldac("negative id", "1 -1:1\n", "a.ldac:1: word id -1 is negative; ids count from 0"),
		ldac("word for id", "1 cat:1\n", `a.ldac:1: word id is "cat", which is not a whole number; ids count from 0`),
		ldac("huge id", "1 4294967295:1\n", "a.ldac:1: word id 4294967295 is too large: the largest possible is 2147483646; number the words from 0 on"),
		ldac("negative count", "1 0:-1\n", "a.ldac:1: count -1 is negative; expected how often the word occurs"),
		ldac("real count", "1 0:1.5\n", "a.ldac:1: count 1.5 is not a whole number; topic models need counts: use the matrix before any weighting, or round with Options.Round"),
		ldac("no count", "1 0:\n", `a.ldac:1: count is "", which is not a number; expected how often the word occurs`),
		ldac("huge count", "1 0:4294967296\n", "a.ldac:1: count 4294967296 is larger than 4294967295; check the file"),
		ldac("NUL byte", "1 0:1\x00\n", `a.ldac:1: count is "1\x00", which is not a number; expected how often the word occurs`),
		ldac("invalid UTF-8", "1 \xff:1\n", `a.ldac:1: word id is "\xff", which is not a whole number; ids count from 0`),
		{name: "empty", files: map[string]string{"a.ldac": ""}, want: "a.ldac: the file is empty; expected at least one document"},
		{name: "truncated gzip", files: map[string]string{"a.ldac.gz": cut(gzipped("1 0:1\n1 0:1\n"), 9)}, want: "a.ldac.gz: the gzip data ends too early, the file is truncated; copy or download the file again"},
		{name: "id beyond the vocabulary", files: map[string]string{"a.ldac": "1 1:1\n1 2:1\n", "a.ldac.vocab": "x\ny\n"}, in: []string{"a.ldac"}, want: "a.ldac:2: word id 2 is too large: the vocabulary has 2 words, so the largest is 1; give the vocabulary that belongs to this file with Options.VocabPath"},
	})
}

func TestBrokenSVMLight(t *testing.T) {
	svm := func(name, content, want string, opts Options) broken {
		return broken{name: name, files: map[string]string{"a.svm": content}, opts: opts, want: want}
	}
	runBroken(t, []broken{
		svm("no target", "1 1:1\n1:1 2:1\n", `a.svm:2: found "1:1", expected a target before the first pair; put a label or 0 at the beginning of every line`, Options{}),
		svm("id 0", "1 0:1\n", "a.svm:1: word id 0 is below the first id, 1; if ids count from 0, use Options.IndexBase = 0", Options{}),
		svm("word among ids", "1 1:1\n1 cat:1\n", `a.svm:2: word id is "cat", which is not a whole number; ids count from 1`, Options{}),
		svm("no value", "1 1:1\n1 2\n", `a.svm:2: found "2", expected feature:value; every field after the first must be a pair; a comment begins with #`, Options{}),
		svm("no feature", "1 a:1\n1 :2\n", `a.svm:2: found ":2", expected feature:value; every field after the first must be a pair; a comment begins with #`, Options{}),
		svm("weights", "1 1:0.25\n", "a.svm:1: count 0.25 is not a whole number; topic models need counts: use the matrix before any weighting, or round with Options.Round", Options{}),
		svm("negative", "1 1:-2\n", "a.svm:1: count -2 is negative; expected how often the word occurs", Options{Round: true}),
		svm("not a number", "1 1:NaN\n", `a.svm:1: count is "NaN", which is not a number; expected how often the word occurs`, Options{Round: true}),
		svm("huge id", "1 99999999999999999999:1\n", "a.svm:1: word id 99999999999999999999 is too large: the largest possible is 2147483647; number the words from 1 on", Options{}),
		svm("NUL byte", "1 1:1\n\x00 1:1\n", "a.svm:2: byte 1 of the line is NUL, which text never contains; check that the file is text, name its encoding with Options.Encoding, or replace such bytes with Options.RepairUTF8", Options{}),
		svm("invalid UTF-8", "caf\xff 1:1\n", "a.svm:1: byte 4 of the line (0xff) is not valid UTF-8; correct it, name the encoding of the text with Options.Encoding, or replace such bytes with Options.RepairUTF8", Options{Encoding: "utf-8"}),
		svm("empty", "", "a.svm: the file is empty; expected at least one document", Options{}),
		{name: "id beyond the vocabulary", files: map[string]string{"a.svm": "1 3:1\n", "v.txt": "x\ny\n"}, in: []string{"a.svm"}, opts: Options{VocabPath: "v.txt"}, want: "a.svm:1: word id 3 is too large: the vocabulary has 2 words, so the largest is 2; give the vocabulary that belongs to this file with Options.VocabPath"},
	})
}

func TestBrokenMatrixMarket(t *testing.T) {
	const banner = "%%MatrixMarket matrix coordinate integer general\n"
	mm := func(name, content, want string) broken {
		return broken{name: name, files: map[string]string{"a.mtx": content}, want: want}
	}
	runBroken(t, []broken{
		mm("empty", "", "a.mtx: the file is empty; expected at least one document"),
		mm("no banner", "1 1 1\n1 1 1\n", `a.mtx:1: found "1 1 1", expected %%MatrixMarket matrix coordinate integer general; check the file, or choose another Options.Format`),
		mm("array", "%%MatrixMarket matrix array integer general\n", `a.mtx:1: found a matrix in "array" form, expected %%MatrixMarket matrix coordinate integer general; write it as a sparse matrix`),
		mm("symmetric", "%%MatrixMarket matrix coordinate integer symmetric\n", `a.mtx:1: found a "symmetric" matrix, expected %%MatrixMarket matrix coordinate integer general; a matrix of documents and words is not symmetric, so write it in full`),
		mm("complex", "%%MatrixMarket matrix coordinate complex general\n", `a.mtx:1: found "complex" values, expected %%MatrixMarket matrix coordinate integer general; counts must be whole numbers`),
		mm("no size", banner+"% comment\n", "a.mtx:2: the file ends here, but a line with the numbers of rows, columns and entries is expected; the file is incomplete; copy or download it again"),
		mm("short size", banner+"3 4\n", `a.mtx:2: found "3 4", expected: rows columns entries; the first line that is not a comment must hold these three numbers`),
		mm("negative size", banner+"3 -4 1\n", "a.mtx:2: number of columns -4 is negative; expected a whole number from 0 to 4294967295"),
		mm("huge size", banner+"3 4294967296 1\n", "a.mtx:2: number of columns 4294967296 is out of range 0 to 4294967295; check that the file and its header belong together"),
		mm("fewer entries", banner+"2 2 2\n1 1 1\n", "a.mtx:3: the file ends after 1 entry, but line 2 announces 2; the file is incomplete; copy or download it again"),
		mm("more entries", banner+"2 2 1\n1 1 1\n2 2 1\n", "a.mtx:4: found more entries than the 1 that line 2 announces; correct the number of entries on line 2"),
		mm("row too large", banner+"2 2 1\n3 1 1\n", "a.mtx:3: row 3 is out of range 1 to 2; check that the file and its header belong together"),
		mm("column 0", banner+"2 2 1\n1 0 1\n", "a.mtx:3: column 0 is out of range 1 to 2; check that the file and its header belong together"),
		mm("negative value", banner+"2 2 1\n1 1 -3\n", "a.mtx:3: count -3 is negative; expected how often the word occurs"),
		mm("real value", banner+"2 2 1\n1 1 0.3\n", "a.mtx:3: count 0.3 is not a whole number; topic models need counts: use the matrix before any weighting, or round with Options.Round"),
		mm("huge value", banner+"2 2 1\n1 1 4294967296\n", "a.mtx:3: count 4294967296 is larger than 4294967295; check the file"),
		mm("two fields", banner+"2 2 1\n1 1\n", `a.mtx:3: found "1 1", expected: row column value; every line after line 2 must hold one entry`),
		mm("value in a pattern", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n", `a.mtx:3: found "1 1 1", expected: row column; every line after line 2 must hold one entry`),
		mm("NUL byte", banner+"2 2 1\n1 1\x00 1\n", `a.mtx:3: column is "1\x00", which is not a whole number; expected a whole number from 1 to 2`),
		{name: "truncated gzip", files: map[string]string{"a.mtx.gz": cut(gzipped(banner+"1 1 1\n1 1 1\n"), 9)}, want: "a.mtx.gz: the gzip data ends too early, the file is truncated; copy or download the file again"},
		{name: "vocabulary of another matrix", files: map[string]string{"a.mtx": banner + "3 4 0\n", "v.txt": "x\ny\n"}, in: []string{"a.mtx"}, opts: Options{VocabPath: "v.txt"}, want: "v.txt: 2 names found, but a.mtx has 3 rows and 4 columns; give the names that belong to this matrix"},
		{name: "wrong orientation", files: map[string]string{"a.mtx": banner + "3 2 0\n", "v.txt": "x\ny\n"}, in: []string{"a.mtx"}, opts: Options{VocabPath: "v.txt", Orientation: "docs-cols"}, want: "v.txt: 2 names found, but a.mtx has 3 rows; give the names that belong to this matrix, or the other Options.Orientation"},
	})
}

func TestBrokenTenX(t *testing.T) {
	const matrix = "%%MatrixMarket matrix coordinate integer general\n2 3 1\n1 1 1\n"
	tenx := func(name, features, barcodes, want string) broken {
		files := map[string]string{"d/matrix.mtx": matrix, "d/features.tsv": features, "d/barcodes.tsv": barcodes}
		for f, content := range files {
			if content == "-" {
				delete(files, f)
			}
		}
		return broken{name: name, files: files, in: []string{"d"}, opts: Options{Format: "10x"}, want: want}
	}
	runBroken(t, []broken{
		tenx("no features", "-", "a\nb\nc\n", "d: there is no features.tsv or genes.tsv (nor .gz or .zst) in this directory; matrix.mtx, features.tsv and barcodes.tsv must be in one directory"),
		tenx("no barcodes", "x\ny\n", "-", "d: there is no barcodes.tsv (nor .gz or .zst) in this directory; matrix.mtx, features.tsv and barcodes.tsv must be in one directory"),
		tenx("fewer barcodes", "x\ny\n", "a\nb\n", "d/barcodes.tsv: the number of lines is not 3, the number of documents of the matrix; give files that belong to one data set"),
		tenx("more barcodes", "x\ny\n", "a\nb\nc\nd\n", "d/barcodes.tsv: the number of lines is not 3, the number of documents of the matrix; give files that belong to one data set"),
		tenx("other features", "x\ny\nz\nw\n", "a\nb\nc\n", "d/features.tsv: 4 names found, but d/matrix.mtx has 2 rows and 3 columns; give the names that belong to this matrix"),
		tenx("repeated feature", "x\tn\nx\tn\nx\tn\n", "a\nb\nc\n", `d/features.tsv:3: the feature "x\tn" is empty or was already listed; every feature needs an id of its own`),
		tenx("invalid UTF-8", "x\n\xff\n", "a\nb\nc\n", "d/features.tsv:2: byte 1 of the line (0xff) is not valid UTF-8; correct it, name the encoding of the text with Options.Encoding, or replace such bytes with Options.RepairUTF8"),
		{name: "no matrix", files: map[string]string{"d/features.tsv": "x\n", "d/barcodes.tsv": "a\n"}, in: []string{"d"}, opts: Options{Format: "10x"}, want: "d: there is no matrix.mtx (nor .gz or .zst) in this directory; matrix.mtx, features.tsv and barcodes.tsv must be in one directory"},
	})
}

func TestBrokenTokens(t *testing.T) {
	octis := func(name, content, want string) broken {
		return broken{name: name, files: map[string]string{"corpus.tsv": content, "vocabulary.txt": "cat\ndog\n"}, in: []string{"corpus.tsv"}, want: want}
	}
	file := func(name, format, content, want string) broken {
		return broken{name: format + " " + name, files: map[string]string{"a": content}, opts: Options{Format: format}, want: want}
	}
	runBroken(t, []broken{
		octis("octis unknown word", "cat\ttrain\nbird\ttrain\n", `corpus.tsv:2: the word "bird" is not in vocabulary.txt; add it there, or remove the vocabulary file to use all words`),
		octis("octis invalid UTF-8", "cat\ttrain\n\xff\ttrain\n", "corpus.tsv:2: byte 1 of the line (0xff) is not valid UTF-8; correct it, name the encoding of the text with Options.Encoding, or replace such bytes with Options.RepairUTF8"),
		octis("octis NUL", "cat\ttrain\n\x00\ttrain\n", "corpus.tsv:2: byte 1 of the line is NUL, which text never contains; check that the file is text, name its encoding with Options.Encoding, or replace such bytes with Options.RepairUTF8"),
		{name: "octis no corpus", files: map[string]string{"d/x": ""}, in: []string{"d"}, opts: Options{Format: "octis"}, want: "d: there is no corpus.tsv in this directory; give the directory of an OCTIS data set, or another Options.Format"},
		file("no number", "gibbslda", "cat dog\n", `a:1: found "cat dog", expected the number of documents; without such a line, use Options.Format = lines`),
		file("fewer documents", "gibbslda", "2\ncat dog\n", "a:2: the file ends after 1 document, but line 1 announces 2; the file is incomplete, or the number on line 1 is wrong"),
		file("more documents", "gibbslda", "1\ncat dog\n\nbird\n", "a:4: found more documents than the 1 that line 1 announces; correct the number on line 1"),
		file("huge number", "gibbslda", "99999999999999999999\ncat dog\n", `a:1: found "99999999999999999999", expected the number of documents; without such a line, use Options.Format = lines`),
		file("invalid UTF-8", "gibbslda", "1\ncat \xff\n", "a:2: byte 5 of the line (0xff) is not valid UTF-8; correct it, name the encoding of the text with Options.Encoding, or replace such bytes with Options.RepairUTF8"),
		file("one id", "yahoo", "d1 x cat\nd2\n", `a:2: found "d2", expected: id1 id2 word word …; every line must begin with two ids`),
		file("NUL", "yahoo", "d1 x \x00\n", "a:1: byte 6 of the line is NUL, which text never contains; check that the file is text, name its encoding with Options.Encoding, or replace such bytes with Options.RepairUTF8"),
		file("no bar", "vw", "d1 | cat\nd2 dog\n", "a:2: found no | on the line, expected: tag | word:count word …; put a | before the words of every line"),
		file("negative", "vw", "| cat:-1\n", "a:1: count -1 is negative; expected how often the word occurs"),
		file("weight", "vw", "| cat:0.5\n", "a:1: count 0.5 is not a whole number; topic models need counts: use the matrix before any weighting, or round with Options.Round"),
		file("word for count", "vw", "| cat:dog\n", `a:1: count is "dog", which is not a number; expected how often the word occurs`),
		file("no word", "vw", "| :3\n", `a:1: found ":3", expected word:count; write a colon between a word and its count`),
		file("invalid UTF-8", "vw", "| caf\xff\n", "a:1: byte 6 of the line (0xff) is not valid UTF-8; correct it, name the encoding of the text with Options.Encoding, or replace such bytes with Options.RepairUTF8"),
		file("empty", "vw", "", "a: the file is empty; expected at least one document"),
		{name: "directory", files: map[string]string{"d/a.vw": "| x"}, in: []string{"d"}, opts: Options{Format: "vw"}, want: "d: this is a directory, which the format vw does not read; name the files in it"},
	})
}

func TestBrokenState(t *testing.T) {
	const banner = "#doc source pos typeindex type topic\n"
	state := func(name, content, want string) broken {
		return broken{name: name, files: map[string]string{"state": content}, opts: Options{Format: "mallet-state"}, want: want}
	}
	runBroken(t, []broken{
		state("no banner", "0 NA 0 0 cat 1\n", `state:1: found "0 NA 0 0 cat 1", expected "#doc source pos typeindex type topic"; give the file that MALLET writes with --output-state`),
		state("odd header", banner+"#gamma\n", `state:2: found "#gamma", expected "#alpha : …" or "#beta : …"; remove the line`),
		state("bad alpha", banner+"#alpha : x\n", `state:2: found "x", expected a number; check the line`),
		state("five fields", banner+"0 NA 0 0 cat\n", `state:2: found "0 NA 0 0 cat", expected: doc source pos typeindex type topic; check that the file is complete`),
		state("bad topic", banner+"0 NA 0 0 cat x\n", `state:2: topic is "x", which is not a whole number; expected a whole number from 0 to 2147483647`),
		state("negative type", banner+"0 NA 0 -1 cat 1\n", "state:2: type index -1 is negative; expected a whole number from 0 to 2147483646"),
		state("unsorted", banner+"1 NA 0 0 cat 1\n0 NA 0 0 cat 1\n", "state:3: document 0 comes after document 1; sort the lines by document"),
		state("two words of one type", banner+"0 NA 0 0 cat 1\n0 NA 1 0 dog 1\n", `state:3: type index 0 is "dog" here, but "cat" before; the file is damaged: write it again`),
		state("invalid UTF-8", banner+"0 NA 0 0 caf\xff 1\n", "state:2: byte 13 of the line (0xff) is not valid UTF-8; correct it, name the encoding of the text with Options.Encoding, or replace such bytes with Options.RepairUTF8"),
		{name: "truncated gzip", files: map[string]string{"state.gz": cut(gzipped(banner+"0 NA 0 0 cat 1\n"), 9)}, opts: Options{Format: "mallet-state"}, want: "state.gz: the gzip data ends too early, the file is truncated; copy or download the file again"},
	})
}
