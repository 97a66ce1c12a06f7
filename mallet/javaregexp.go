package mallet

import (
	"fmt"
	"regexp"
	"strings"
)

// javaClasses are the classes of characters that Java's expressions have and RE2's have not, as they
// stand inside brackets. Names of POSIX are about ASCII in both.
var javaClasses = map[string]string{
	"Lower": "[:lower:]", "Upper": "[:upper:]", "ASCII": "[:ascii:]", "Alpha": "[:alpha:]", "Digit": "[:digit:]",
	"Alnum": "[:alnum:]", "Punct": "[:punct:]", "Graph": "[:graph:]", "Print": "[:print:]", "Blank": "[:blank:]",
	"Cntrl": "[:cntrl:]", "XDigit": "[:xdigit:]", "Space": "[:space:]",
	"IsAlphabetic": `\p{L}\p{Nl}`, "IsLetter": `\p{L}`, "IsDigit": `\p{Nd}`, "IsPunctuation": `\p{P}`, "IsUppercase": `\p{Lu}`,
	"IsLowercase": `\p{Ll}`, "IsWhite_Space": `\s\p{Z}`, "IsIdeographic": `\p{Han}`,
	"javaLetter": `\p{L}`, "javaAlphabetic": `\p{L}\p{Nl}`, "javaDigit": `\p{Nd}`, "javaLetterOrDigit": `\p{L}\p{Nd}`,
	"javaLowerCase": `\p{Ll}`, "javaUpperCase": `\p{Lu}`, "javaWhitespace": `\s\p{Z}`, "javaIdeographic": `\p{Han}`,
	"LC": `\p{Lu}\p{Ll}\p{Lt}`, "LD": `\p{L}\p{Nd}`, "L1": `\x{00}-\x{FF}`, "all": `\x{00}-\x{10FFFF}`,
}

// javaProperty finds a class by its name in an expression of Java.
var javaProperty = regexp.MustCompile(`^\\([pP])(\{\^?[^}]*\}|.)`)

// fromJava makes an expression in RE2 syntax of one of Java's: it translates classes of characters that
// have another name there. What RE2 does not have, such as looking around, the compiler refuses.
func fromJava(expression string) (string, error) {
	var out strings.Builder
	inside := false // of brackets
	for rest := expression; rest != ""; {
		m := javaProperty.FindStringSubmatch(rest)
		switch {
		case m != nil:
			class, err := javaClass(m[1] == "P", strings.Trim(m[2], "{}"), inside)
			if err != nil {
				return "", err
			}
			out.WriteString(class)
			rest = rest[len(m[0]):]
		case strings.HasPrefix(rest, `\h`):
			out.WriteString(bracketed(`\t\p{Zs}`, inside))
			rest = rest[2:]
		case rest[0] == '\\' && len(rest) > 1:
			out.WriteString(rest[:2])
			rest = rest[2:]
		case inside && (rest[0] == '[' || strings.HasPrefix(rest, "&&")):
			return "", fmt.Errorf("%s: nested classes and && are not supported: write the class out", expression)
		default:
			inside = rest[0] == '[' || inside && rest[0] != ']'
			out.WriteByte(rest[0])
			rest = rest[1:]
		}
	}
	return out.String(), nil
}

// javaClass returns a class of characters, which may be the complement of what its name says.
func javaClass(not bool, name string, inside bool) (string, error) {
	for _, prefix := range []string{"general_category=", "gc=", "script=", "sc="} {
		name = strings.TrimPrefix(name, prefix)
	}
	class, found := javaClasses[name]
	if !found {
		class = `\p{` + name + `}`
		if short, is := strings.CutPrefix(name, "Is"); is { // \p{IsL}, \p{IsLatin}
			class = `\p{` + short + `}`
		}
		if _, err := regexp.Compile(class); err != nil {
			return "", fmt.Errorf(`\p{%s}: this character class is not supported: write it out as [...]`, name)
		}
	}
	switch {
	case !not:
		return bracketed(class, inside), nil
	case !inside:
		return "[^" + class + "]", nil
	case strings.HasPrefix(class, "[:"):
		return "[:^" + class[2:], nil
	case strings.Count(class, `\p`) == 1 && strings.HasPrefix(class, `\p`):
		return `\P` + class[2:], nil
	}
	return "", fmt.Errorf(`\P{%s}: this complement is not supported inside brackets: write it out`, name)
}

// bracketed puts brackets around a class where none are.
func bracketed(class string, inside bool) string {
	if inside || strings.HasPrefix(class, `\p`) && strings.Count(class, `\`) == 1 {
		return class
	}
	return "[" + class + "]"
}
