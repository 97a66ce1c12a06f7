package text

import (
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"unicode"
)

// mostAtOnce bounds how many places of an expression can match a character at the same time. Matching takes up to that
// many steps for each byte of a text: 900 kB take some 4 s with 100, and half a minute with 1,000.
const mostAtOnce = 100

// checkExpression returns the fault of a token expression, or nil. Repetitions such as a{1,1000} are compiled to as many
// places, each of which may be reached at once.
func checkExpression(expression string) error {
	if _, err := regexp.Compile(expression); err != nil {
		return fmt.Errorf("token expression: %w", err)
	}
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return fmt.Errorf("token expression: %w", err)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return fmt.Errorf("token expression: %w", err)
	}
	if n := atOnce(program); n > mostAtOnce {
		return fmt.Errorf("token expression: %.60q compares each character with up to %d places of it, and %d are the limit: "+
			"repeat fewer times, or without a number, as [a-z]+ does", expression, n, mostAtOnce)
	}
	return nil
}

// atOnce returns the largest number of instructions of a program that match the same character.
func atOnce(program *syntax.Prog) (most int) {
	changes := map[rune]int{} // in the number of instructions that match, from a character on
	add := func(low, high rune) {
		changes[low]++
		if high < math.MaxInt32 {
			changes[high+1]--
		}
	}
	for i := range program.Inst {
		in := &program.Inst[i]
		switch in.Op {
		case syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			add(0, unicode.MaxRune)
		case syntax.InstRune, syntax.InstRune1:
			if len(in.Rune) == 1 {
				add(in.Rune[0], in.Rune[0])
				for r := unicode.SimpleFold(in.Rune[0]); syntax.Flags(in.Arg)&syntax.FoldCase != 0 && r != in.Rune[0]; {
					add(r, r)
					r = unicode.SimpleFold(r)
				}
				continue
			}
			for j := 0; j+1 < len(in.Rune); j += 2 {
				add(in.Rune[j], in.Rune[j+1])
			}
		}
	}
	points := make([]rune, 0, len(changes))
	for r := range changes {
		points = append(points, r)
	}
	slices.Sort(points)
	now := 0
	for _, r := range points {
		now += changes[r]
		most = max(most, now)
	}
	return most
}
