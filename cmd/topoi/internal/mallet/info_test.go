package mallet

import (
	"strings"
	"testing"
)

// countedDocs imports documents whose words occur 1 to 6 times and in 1 to 3 documents as docs.mallet.
func countedDocs(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "docs.txt",
		"d0 meals soup soup soup salt\nd1 pets cat dog soup cat\nd2 meals soup cat salt\nd3 none mouse soup\n")
	told(t, &ImportFile{}, "--input", "docs.txt", "--keep-sequence", "--output", "docs.mallet")
}

func TestInfo(t *testing.T) {
	countedDocs(t)
	const (
		labels   = "meals\npets\nnone\n\n"
		features = "soup\ncat\nsalt\ndog\nmouse\n"
		counts   = "soup\t6\t4\ncat\t3\t2\nsalt\t2\t2\ndog\t1\t1\nmouse\t1\t1\n"
	)
	for args, want := range map[string]string{
		"":                                      "",
		"--print-labels":                        labels,
		"--print-features":                      features,
		"--print-feature-counts":                counts,
		"--print-labels --print-feature-counts": labels + counts,
	} {
		if out, _ := told(t, &Info{}, append(strings.Fields(args), "--input", "docs.mallet")...); out != want {
			t.Errorf("%s:\n%s\nwant\n%s", args, out, want)
		}
	}
	if err := run(t, &Info{}, "--input", "docs.txt"); err == nil ||
		!strings.HasPrefix(err.Error(), "--input docs.txt: this is not a corpus of topoi") {
		t.Error(err)
	}
}

// Each option keeps the words on its bound. The inverse frequencies of the words are ln(4/4) = 0, ln(4/2) = 0.693 and
// ln(4/1) = 1.386.
func TestPrune(t *testing.T) {
	countedDocs(t)
	for args, want := range map[string]string{
		"--prune-count 1":                         "soup cat salt dog mouse",
		"--prune-count 2":                         "soup cat salt",
		"--prune-count 3":                         "soup cat",
		"--prune-document-freq 2":                 "soup cat salt",
		"--prune-document-freq 3":                 "soup",
		"--prune-count 3 --prune-document-freq 2": "soup cat",
		"--min-idf 0":                             "soup cat salt dog mouse",
		"--min-idf 0.5":                           "cat salt dog mouse",
		"--min-idf 1":                             "cat salt dog mouse", // 4/e = 1.47 documents, rounded up
		"--min-idf 1.39":                          "dog mouse",
		"--max-idf 1.38":                          "soup cat salt dog mouse", // 1.006 documents
		"--max-idf 0.69":                          "soup cat salt",
		"--max-idf 0.1":                           "soup",
		"--max-idf 0":                             "soup",
		"--max-idf Inf --prune-document-freq 3":   "soup",
		"--max-idf 0.7 --prune-document-freq 4":   "soup cat salt dog mouse", // as in MALLET the first wins: 1.99 documents
		"--min-idf 0.5 --max-idf 0.69":            "cat salt",
	} {
		_, says := told(t, &Change{}, append(strings.Fields(args), "--input", "docs.mallet", "--output", "less.mallet")...)
		c := opened(t, "less.mallet")
		var got []string
		for w := range c.NumWords() {
			got = append(got, c.Word(w))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
		if args == "--prune-count 3" && !strings.Contains(says, "less.mallet: 2 words left of 5") {
			t.Error(says)
		}
	}
}

func TestFaultsOfChange(t *testing.T) {
	countedDocs(t)
	const together = "--training-portion and --validation-portion must be at least 0 and at most 1 together"
	for args, want := range map[string]string{
		"--prune-count 2 --output x":                              "",
		"--prune-count 2 --training-file x":                       "",
		"--prune-count 2":                                         "--output is missing: add --output FILE",
		"--training-portion 0.5":                                  "",
		"--training-portion 0.1 --validation-portion 0.9":         "",
		"--training-portion 1 --validation-portion 0":             "",
		"--training-portion 0 --validation-portion 1":             "",
		"--validation-portion 0.5":                                together, // MALLET's default gives all to --training-file
		"--training-portion 0.7 --validation-portion 0.31":        together,
		"--training-portion -0.1":                                 together,
		"--training-portion 0.5 --validation-portion -0.1":        together,
		"--training-portion NaN":                                  together,
		"--training-portion 0.5 --prune-count 2 --output x":       "cannot be combined, as in MALLET",
		"--training-portion 0.5 --prune-document-freq 2":          "cannot be combined, as in MALLET",
		"--training-portion 0.5 --min-idf 1":                      "cannot be combined, as in MALLET",
		"--training-portion 0.5 --max-idf 2":                      "cannot be combined, as in MALLET",
		"--prune-count 2 --output docs.mallet":                    "docs.mallet would replace docs.mallet, which is read",
		"--training-portion 0.5 --training-file docs.mallet":      "docs.mallet would replace docs.mallet, which is read",
		"--training-portion 0.5 --testing-file docs.mallet":       "docs.mallet would replace docs.mallet, which is read",
		"--training-portion 0.5 --validation-file docs.mallet":    "docs.mallet would replace docs.mallet, which is read",
		"--output x --max-idf -1":                                 "--max-idf is -1: it must be at least 0",
		"--output x --max-idf NaN":                                "--max-idf is NaN: it must be at least 0",
		"--output x --min-idf NaN":                                "--min-idf must be a number",
		"--output x --min-idf -1":                                 "",
		"--prune-count 2 --output x --prune-infogain 3":           "--prune-infogain is not supported",
		"--prune-count 2 --output x --hide-targets --input again": "--hide-targets is not supported",
	} {
		err := checked(t, &Change{}, "--input docs.mallet "+args)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}
