// Package sealed writes JSON with a checksum of itself, for small files that a run goes on from.
package sealed

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/zeebo/xxh3"
)

// ErrAltered is returned for content that does not have the checksum that it carries.
var ErrAltered = errors.New("the checksum does not match: the file is damaged or was edited by hand")

// key is the field of an object that holds the checksum of all other fields.
const key = "checksum"

// Marshal returns v, which must become an object without the field "checksum", as indented JSON with that field.
func Marshal(v any, indent string) ([]byte, error) {
	plain, err := marshal(v, "")
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(plain, &fields); err != nil {
		return nil, err
	}
	seal, _ := json.Marshal(sum(fields)) // a string
	plain = plain[:len(plain)-len("}\n")]
	if len(fields) > 0 {
		plain = append(plain, ',')
	}
	return marshal(json.RawMessage(append(append(plain, `"`+key+`":`...), append(seal, '}')...)), indent)
}

// marshal is json.Marshal that leaves characters of HTML as they are.
func marshal(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return b.Bytes(), err
}

// Unmarshal is json.Unmarshal that compares the checksum, and reports whether there is one. The error is ErrAltered
// if it does not match.
func Unmarshal(b []byte, v any) (sealed bool, err error) {
	if err := json.Unmarshal(b, v); err != nil {
		return false, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return false, err
	}
	seal, sealed := fields[key]
	if !sealed {
		return false, nil
	}
	delete(fields, key)
	var said string
	if json.Unmarshal(seal, &said) != nil || said != sum(fields) {
		return true, ErrAltered
	}
	return true, nil
}

// sum returns the XXH3-128 of an object, whatever the order of its fields and the space between them.
func sum(fields map[string]json.RawMessage) string {
	h := xxh3.New()
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		var b bytes.Buffer
		_ = json.Compact(&b, fields[name]) // it has been parsed
		_, _ = h.WriteString(name + "\x00" + b.String() + "\x00")
	}
	digest := h.Sum128().Bytes()
	return hex.EncodeToString(digest[:])
}
