package cli

import (
	"os/exec"
	"testing"

	"pgregory.net/rapid"
)

// A shell must read back what was quoted.
func TestShellWord(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell on this machine")
	}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOf(rapid.RuneFrom([]rune("ab0 '\"\\$`*?[]{}|&;<>()!#~\n\té-=%"))).Draw(t, "word")
		out, err := exec.Command(sh, "-c", "printf %s "+ShellWord(word)).Output()
		if err != nil || string(out) != word {
			t.Fatalf("%q was read back as %q (%v)", word, out, err)
		}
	})
}

func TestResumeLine(t *testing.T) {
	for want, args := range map[string][]string{
		"topoi train 'my articles.csv' -k 5 -o m --resume": {"train", "my articles.csv", "-k", "5", "-o", "m"},
		"topoi train --resume c.topoi -k 5 -o m":           {"train", "--resume", "c.topoi", "-k", "5", "-o", "m"},
		"topoi train c.topoi -k 5 -o m --resume":           {"train", "c.topoi", "--force", "-k", "5", "-o", "m"},
	} {
		if got := ResumeLine(args); got != want {
			t.Errorf("%q: got %q, want %q", args, got, want)
		}
	}
}
