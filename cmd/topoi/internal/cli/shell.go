package cli

import (
	"slices"
	"strings"
)

// shellLine writes a command line that a POSIX shell reads back as these words.
func shellLine(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = ShellWord(w)
	}
	return strings.Join(quoted, " ")
}

func ShellWord(w string) string {
	harmless := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,+@%", r)
	}
	if w != "" && strings.IndexFunc(w, func(r rune) bool { return !harmless(r) }) < 0 {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// ResumeLine is the command line that goes on where args stopped.
func ResumeLine(args []string) string {
	args = slices.DeleteFunc(slices.Clone(args), func(s string) bool { return s == "--force" })
	if !slices.Contains(args, "--resume") {
		args = append(args, "--resume")
	}
	return shellLine(append([]string{"topoi"}, args...)...)
}
