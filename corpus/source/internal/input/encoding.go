package input

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"

	"github.com/topoi-lda/topoi/internal/human"
)

// Encodings lists names of common encodings for Options.Encoding. Other names that browsers know are understood, too.
func Encodings() []string {
	return []string{
		"auto", "utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "windows-1252", "windows-1250", "windows-1251",
		"iso-8859-1", "iso-8859-2", "iso-8859-5", "iso-8859-15", "koi8-r", "macintosh", "cp437", "cp850", "cp866",
		"gb18030", "gbk", "big5", "shift_jis", "euc-jp", "euc-kr",
	}
}

// EncodingByName returns an encoding and its usual name; nil is UTF-8.
func EncodingByName(name string) (encoding.Encoding, string, error) {
	switch strings.ToLower(name) {
	case "utf-8", "utf8":
		return nil, "utf-8", nil
	case "utf-16", "utf16":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf-16", nil
	case "utf-32le", "utf-32", "utf32":
		return utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), "utf-32le", nil
	case "utf-32be":
		return utf32.UTF32(utf32.BigEndian, utf32.UseBOM), "utf-32be", nil
	case "cp437":
		return charmap.CodePage437, "cp437", nil
	case "cp850":
		return charmap.CodePage850, "cp850", nil
	case "cp866":
		return charmap.CodePage866, "cp866", nil
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil, "", fmt.Errorf("unknown encoding %q%s", name, human.Hint(name, Encodings()))
	}
	usual, err := htmlindex.Name(e)
	if err != nil {
		usual = name
	}
	return e, usual, nil
}

// Options say how the bytes of files become text.
type Options struct {
	Encoding string                          // "" or "auto" finds it out
	Repair   bool                            // what is no text is replaced, not refused
	Met      func(name string, guessed bool) // told of every encoding other than UTF-8; may be nil
	Out      *Expansion                      // of all inputs together; nil: of this one
	Stdin    io.Reader                       // what "-" stands for; nil: standard input
}

// utf8Reader reads text in any encoding and hands it out as UTF-8. Which one it is, unless an option says so, is
// decided by the mark at the beginning or else at the first byte that is not ASCII, however late that comes: up to
// there all encodings but UTF-16 and UTF-32 are the same.
type utf8Reader struct {
	b     *bufio.Reader // of at least HeadSize bytes
	o     Options
	begun bool
	out   io.Reader // after the decision
}

func newUTF8Reader(r io.Reader, o Options) *utf8Reader {
	if p, ok := r.(*plain); ok {
		return &utf8Reader{b: p.b, o: o}
	}
	return &utf8Reader{b: bufio.NewReaderSize(r, HeadSize), o: o}
}

func (u *utf8Reader) Read(p []byte) (int, error) {
	if !u.begun {
		u.begun = true
		if err := u.begin(); err != nil {
			return 0, err
		}
	}
	if u.out != nil {
		return u.out.Read(p)
	}
	n, err := u.b.Read(p)
	i := firstHigh(p[:n])
	if i == n {
		return n, err
	}
	// The window in which the encoding is looked for begins at that byte.
	rest := bytes.Clone(p[i:n])
	u.b = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(rest), u.b), HeadSize)
	window, err := u.b.Peek(HeadSize)
	if err != nil && err != io.EOF {
		u.out = u.b // hands out the bytes, then the error
	} else {
		u.decide(window, err == nil)
	}
	if i > 0 {
		return i, nil
	}
	return u.out.Read(p)
}

// begin looks at the beginning of the input.
func (u *utf8Reader) begin() error {
	head, err := u.b.Peek(HeadSize)
	if err != nil && err != io.EOF {
		return err
	}
	given := u.o.Encoding != "" && u.o.Encoding != "auto"
	switch name := markedEncoding(head); {
	case isBinary(head):
		u.out = u.b
	case given:
		e, name, err := EncodingByName(u.o.Encoding)
		if err != nil {
			return err
		}
		if e == nil {
			u.out = u.b
			break
		}
		u.decode(withMark(e, name), name, false)
	case name == "utf-8":
		u.out = u.b // the scanner steps over the mark
	case name != "":
		e, _, err := EncodingByName(name)
		if err != nil {
			return err
		}
		u.decode(withMark(e, name), name, true)
	default:
		cut := err == nil
		if i := firstHigh(head); i < len(head) && (!cut || i < len(head)/2) {
			u.decide(head[i:], cut)
		}
	}
	return nil
}

// withMark returns the decoder of an encoding, or of the one that a byte order
// mark tells, which it drops. Those of UTF-32 see to their marks themselves.
func withMark(e encoding.Encoding, name string) transform.Transformer {
	if strings.HasPrefix(name, "utf-32") {
		return e.NewDecoder()
	}
	return unicode.BOMOverride(e.NewDecoder())
}

// markedEncoding returns the encoding that a byte order mark tells, or the
// pattern of NUL bytes that ASCII has in UTF-16, or "".
func markedEncoding(head []byte) string {
	for _, m := range []struct{ mark, name string }{
		{"\xef\xbb\xbf", "utf-8"},
		{"\xff\xfe\x00\x00", "utf-32le"},
		{"\x00\x00\xfe\xff", "utf-32be"},
		{"\xff\xfe", "utf-16le"},
		{"\xfe\xff", "utf-16be"},
	} {
		if bytes.HasPrefix(head, []byte(m.mark)) {
			return m.name
		}
	}
	var zeros [2]int // at even and at odd places
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	switch half := len(head) / 2; {
	case half > 0 && zeros[0] == 0 && 2*zeros[1] >= half:
		return "utf-16le"
	case half > 0 && zeros[1] == 0 && 2*zeros[0] >= half:
		return "utf-16be"
	}
	return ""
}

// isBinary tells whether the input is a format of its own that holds no plain
// text: Parquet, a zip archive, or an array.
func isBinary(head []byte) bool {
	magics := []string{ParquetMagic, ZipMagic, NPYMagic}
	return slices.ContainsFunc(magics, func(magic string) bool { return bytes.HasPrefix(head, []byte(magic)) })
}

// decide looks at a window of text that begins with a byte that is not ASCII; cut
// means that the text goes on behind it.
func (u *utf8Reader) decide(window []byte, cut bool) {
	u.out = u.b // what is not UTF-8 is refused or replaced where it stands
	if u.o.Repair || looksUTF8(window, cut) || bytes.IndexByte(window, 0) >= 0 {
		return
	}
	if c := guessEncoding(window, cut); c != nil {
		u.decode(c.NewDecoder(), c.name, true)
	}
}

// decode sets a decoder and notes its name.
func (u *utf8Reader) decode(t transform.Transformer, name string, guessed bool) {
	if !u.o.Repair {
		t = soundDecoder{t, name, replacementIn(name)}
	}
	u.out = transform.NewReader(u.b, t)
	if u.o.Met != nil {
		u.o.Met(name, guessed)
	}
}

// soundDecoder refuses what a decoder would replace by U+FFFD.
type soundDecoder struct {
	transform.Transformer
	name string
	own  []byte // how the encoding writes U+FFFD itself; nil if it cannot
}

// replacementIn returns how an encoding writes U+FFFD.
func replacementIn(name string) []byte {
	switch name {
	case "utf-16", "utf-16le", "utf-32le":
		return []byte("\xfd\xff")
	case "utf-16be", "utf-32be":
		return []byte("\xff\xfd")
	case "gb18030":
		return []byte("\x84\x31\xa4\x37")
	}
	return nil
}

func (d soundDecoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	nDst, nSrc, err = d.Transformer.Transform(dst, src, atEOF)
	replaced := bytes.Count(dst[:nDst], []byte("\uFFFD"))
	if replaced == 0 || d.own != nil && bytes.Count(src[:nSrc], d.own) >= replaced {
		return nDst, nSrc, err
	}
	e := &Error{Msg: fmt.Sprintf("the text cannot be read as %s: some bytes are not valid there", d.name)}
	return 0, nSrc, e.WithHint("name another encoding with Options.Encoding, or replace such characters with Options.RepairUTF8")
}

// firstHigh returns the index of the first byte that is not ASCII, or len(p).
func firstHigh(p []byte) int {
	i := 0
	for ; i+8 <= len(p); i += 8 {
		if binary.LittleEndian.Uint64(p[i:])&0x8080808080808080 != 0 {
			break
		}
	}
	for ; i < len(p); i++ {
		if p[i]&0x80 != 0 {
			break
		}
	}
	return i
}
