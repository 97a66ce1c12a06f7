package text

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
