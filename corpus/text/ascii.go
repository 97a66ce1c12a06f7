package text

// Classes of ASCII bytes for word boundaries, after the Word_Break property of
// UAX #29, except that a colon parts words (see words). They are also the shape of a word: what kinds of character it holds.
const (
	letter     = 1 << iota // ALetter; in shape: any letter
	digit                  // Numeric; in shape: any decimal digit
	underscore             // ExtendNumLet; in shape also zero-width joiners
	apostrophe             // Single_Quote
	midLetter              // joins two letters: . '
	midNumber              // joins two numbers: . ' , ;
)

const wordByte = letter | digit | underscore

// asciiClass holds the classes of each byte, asciiLower its lower case.
var asciiClass, asciiLower = func() (class, lower [256]byte) {
	for c := range 256 {
		lower[c] = byte(c)
		switch {
		case 'a' <= c && c <= 'z':
			class[c] = letter
		case 'A' <= c && c <= 'Z':
			class[c] = letter
			lower[c] = byte(c) + 'a' - 'A'
		case '0' <= c && c <= '9':
			class[c] = digit
		}
	}
	class['_'] = underscore
	class['.'] = midLetter | midNumber
	class['\''] = midLetter | midNumber | apostrophe
	class[','] = midNumber
	class[';'] = midNumber
	return
}()

// ascii appends the tokens of a chunk of ASCII bytes without white space. It
// does what unicode does, many times faster: letters, digits and underscores
// stay together (WB5, WB8–10, WB13), and one punctuation mark between two
// letters or two digits does not part them (WB6–7, WB11–12). It is long
// because it is the loop that most text goes through.
func (p *Pipeline) ascii(dst [][]byte, chunk []byte) [][]byte {
	for i := 0; i < len(chunk); {
		if asciiClass[chunk[i]]&wordByte == 0 {
			i++
			continue
		}
		begin, shape := len(p.arena), byte(0)
		for i < len(chunk) {
			c := chunk[i]
			class := asciiClass[c]
			if class&wordByte == 0 {
				if i+1 == len(chunk) {
					break
				}
				before, after := asciiClass[chunk[i-1]], asciiClass[chunk[i+1]]
				letters := class&midLetter != 0 && before&after&letter != 0
				digits := class&midNumber != 0 && before&after&digit != 0
				if !letters && !digits {
					break
				}
			}
			shape |= class
			p.arena = append(p.arena, asciiLower[c])
			i++
		}
		dst = p.word(dst, p.arena[begin:len(p.arena):len(p.arena)], shape, false)
	}
	return dst
}
