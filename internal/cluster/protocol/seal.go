package protocol

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"
)

// Seal returns v as JSON, followed by a line with its XXH3, so that a damaged spec or state is noticed.
func Seal(v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	return string(text) + "\n" + digest(string(text)), nil
}

func digest(text string) string { return strconv.FormatUint(xxh3.HashString(text), 16) }

// Unseal reads what Seal wrote.
func Unseal(text string, v any) error {
	body, sum, ok := strings.Cut(text, "\n")
	if !ok || sum != digest(body) {
		return errors.New("the checksum does not match")
	}
	return json.Unmarshal([]byte(body), v)
}
