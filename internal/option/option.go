// Package option reads what the fields of an options struct say about themselves in their tags. Defaults, checks,
// records, differences and flags all come from there, so that a new option is one field.
//
//	json     name in records; "-": it is none of a record's business
//	option   "path": another value gives another model, and a run cannot be resumed with it;
//	         "stop": it only says when to stop; without: it never changes the result
//	default  what the zero value stands for
//	range    what a number must be, such as ">=1 <=256", once it is set
//	one      what a text must be one of, once it is set
//	flag     letter of the flag, if it has one
//	in       heading under which the flag is shown; without: there is no flag
//	help     what is shown there, the value's name in angle brackets
//	zero     what 0 on the command line stands for, where the struct takes 0 for the default
//	unit     "bytes": the flag takes sizes such as 4GB
//
// Struct fields that have the tag option but are structs themselves hold options of
// their own, for which their tags hold too.
package option

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
)

// Field is one option of a struct.
type Field struct {
	Type  string            // of the struct: "Options", "Tuning"
	Name  string            // of the field
	Tag   reflect.StructTag // what it says of itself
	Value reflect.Value     // what it is; can be set if the struct can
}

// Fields lists the options of a struct, given itself or by a pointer, those of structs inside it where they are.
func Fields(of any) []Field {
	v := reflect.ValueOf(of)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return fields(nil, v, "")
}

// fields appends the options of v. What their own tags do not say, that of v as a field says.
func fields(list []Field, v reflect.Value, outer reflect.StructTag) []Field {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case !f.IsExported() || f.Type.Kind() == reflect.Pointer: // what a pointer leads to is no option
		case f.Type.Kind() == reflect.Struct:
			if f.Tag.Get("option") != "" {
				list = fields(list, v.Field(i), f.Tag)
			}
		default:
			list = append(list, Field{v.Type().Name(), f.Name, f.Tag + " " + outer, v.Field(i)})
		}
	}
	return list
}

// String names the option as Go programs do: Options.Topics.
func (f Field) String() string { return f.Type + "." + f.Name }

// Flag names the option on the command line: mh-steps for MHSteps.
func (f Field) Flag() string { return FlagName(f.Name) }

// FlagName turns the name of a field into that of its flag.
func FlagName(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		after := i > 0 && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]))
		before := i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) && string(runes[i+1:]) != "s"
		if unicode.IsUpper(r) && (after || before) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// SetDefaults sets the options that are zero and have a default.
func SetDefaults(of any) {
	for _, f := range Fields(of) {
		f.SetDefault()
	}
}

// SetDefault sets an option that is zero and has a default.
func (f Field) SetDefault() {
	if text, ok := f.Tag.Lookup("default"); ok && f.Value.IsZero() {
		f.parse(text)
	}
}

// parse sets an option to what a tag says.
func (f Field) parse(text string) {
	var err error
	switch v := f.Value; v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Float64:
		var x float64
		x, err = strconv.ParseFloat(text, 64)
		v.SetFloat(x)
	case reflect.Int, reflect.Int64:
		var n int64
		if n, err = strconv.ParseInt(text, 10, 64); v.Type() == reflect.TypeFor[time.Duration]() {
			var d time.Duration
			d, err = time.ParseDuration(text)
			n = int64(d)
		}
		v.SetInt(n)
	default:
		err = fmt.Errorf("a %s has no default", v.Kind())
	}
	if err != nil {
		panic(fmt.Sprintf("option: tag of %s: %v", f, err))
	}
}

// SetZero sets a number that was given as 0 to what that stands for, and says whether it stands for anything.
func (f Field) SetZero() bool {
	text, ok := f.Tag.Lookup("zero")
	if ok {
		f.parse(text)
	}
	return ok
}

// Recorded returns a copy of a struct that holds only the options which its record keeps.
func Recorded[T any](of T) T {
	for _, f := range Fields(&of) {
		if f.Tag.Get("option") == "" {
			f.Value.SetZero()
		}
	}
	return of
}

// Difference names the first option of the kind "path" in which two structs of one type
// differ, and its values, or returns "".
func Difference(was, now any) string {
	old, list := Fields(was), Fields(now)
	for i, f := range list {
		if f.Tag.Get("option") == "path" && !f.Value.Equal(old[i].Value) {
			return fmt.Sprintf("%s = %s, not %s", f, old[i].text(), f.text())
		}
	}
	return ""
}

// text is an option's value for people.
func (f Field) text() string {
	v := f.Value
	if v.IsZero() {
		if text, ok := f.Tag.Lookup("default"); ok {
			return text
		}
	}
	if d, ok := v.Interface().(time.Duration); ok {
		return d.String()
	}
	if v.Kind() == reflect.String {
		return strconv.Quote(v.String())
	}
	return fmt.Sprint(v.Interface())
}

// Check returns all options of a struct that are not what their tags ask for, joined.
func Check(of any) error {
	return errors.Join(lists.Of(Fields(of), func(f Field) error { return f.check() })...)
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
	return human.FaultIf(!slices.Contains(valid, value), "unknown %s %q%s", name, value, human.Hint(value, valid))
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

// hold reports whether x is a finite number within the bounds.
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

// String returns what the bounds ask for.
func (b bounds) String() string {
	if len(b) == 2 && b[0].sign == ">=" && b[1].sign == "<=" {
		return "between " + b[0].text + " and " + b[1].text
	}
	words := map[string]string{">=": "at least ", ">": "above ", "<=": "at most ", "<": "below "}
	list := lists.Of(b, func(c bound) string { return words[c.sign] + c.text })
	return strings.Join(list, " and ")
}

// ZeroRefused reports whether an option that stands for its default when it is 0 may not be 0 itself.
func (f Field) ZeroRefused() bool {
	text, ok := f.Tag.Lookup("range")
	return ok && !parseBounds(text).hold(0)
}
