package option

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/internal/human"
)

// Check returns all options of a struct that are not what their tags ask for, joined.
func Check(of any) error {
	var faults []error
	for _, f := range Fields(of) {
		faults = append(faults, f.check())
	}
	return errors.Join(faults...)
}

func (f Field) check() error {
	_, hasDefault := f.Tag.Lookup("default")
	if f.Value.IsZero() && !hasDefault {
		return nil
	}
	if list, ok := f.Tag.Lookup("one"); ok {
		return oneOf(f.String(), f.Value.String(), strings.Fields(list))
	}
	if text, ok := f.Tag.Lookup("range"); ok {
		if bounds := parseBounds(text); !bounds.hold(f.number()) {
			return fmt.Errorf("%s is %v: it must be %s", f, f.Value.Interface(), bounds)
		}
	}
	return nil
}

func oneOf(name, value string, valid []string) error {
	for _, v := range valid {
		if v == value {
			return nil
		}
	}
	return fmt.Errorf("unknown %s %q%s", name, value, human.Hint(value, valid))
}

// number is an option's value as far as bounds are concerned.
func (f Field) number() float64 {
	switch v := f.Value; v.Kind() {
	case reflect.Float64:
		return v.Float()
	case reflect.Uint64:
		return float64(v.Uint())
	default:
		return float64(v.Int())
	}
}

// bound is one condition of a range.
type bound struct {
	sign  string // ">=", ">", "<=" or "<"
	value float64
	text  string
}

type bounds []bound

// parseBounds reads the tag range.
func parseBounds(text string) bounds {
	var list bounds
	for _, part := range strings.Fields(text) {
		digits := strings.TrimLeft(part, "<>=")
		value, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			panic("option: bad tag range: " + part)
		}
		list = append(list, bound{part[:len(part)-len(digits)], value, digits})
	}
	return list
}

// hold says whether x is a finite number within the bounds.
func (b bounds) hold(x float64) bool {
	ok := !math.IsInf(x, 0)
	for _, c := range b {
		switch c.sign {
		case ">=":
			ok = ok && x >= c.value
		case ">":
			ok = ok && x > c.value
		case "<=":
			ok = ok && x <= c.value
		case "<":
			ok = ok && x < c.value
		}
	}
	return ok
}

// String says what the bounds ask for.
func (b bounds) String() string {
	if len(b) == 2 && b[0].sign == ">=" && b[1].sign == "<=" {
		return "between " + b[0].text + " and " + b[1].text
	}
	words := map[string]string{">=": "at least ", ">": "above ", "<=": "at most ", "<": "below "}
	var list []string
	for _, c := range b {
		list = append(list, words[c.sign]+c.text)
	}
	return strings.Join(list, " and ")
}

// ZeroRefused says whether an option that stands for its default when it is 0 may not
// be 0 itself.
func (f Field) ZeroRefused() bool {
	text, ok := f.Tag.Lookup("range")
	return ok && !parseBounds(text).hold(0)
}
