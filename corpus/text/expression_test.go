package text

import (
	"strings"
	"testing"
	"time"
)

// Expressions that take many steps for each character are refused, and those that people use are not.
func TestExpressions(t *testing.T) {
	for _, good := range []string{
		`\p{L}[\p{L}\p{P}]+\p{L}`, `[a-z]{3,20}`, `\S+`, `(?i)[a-z]+(?:['-][a-z]+)*`, `\w{1,100}`, `#\w+|@\w+|\w+`,
		`(?i)climate|energy|forest|garden|harvest|island|journey|kitchen|library|market|nature|ocean|people|quality|river`, `a{1,100}b`,
	} {
		if err := checkExpression(good); err != nil {
			t.Errorf("%.40s: %v", good, err)
		}
	}
	for _, bad := range []string{
		`a{1,1000}b`, `a{1000}b`, `(?:a{1,30}){1,30}`, `(?i)a{1,500}`, strings.Repeat("a?", 300) + "b", `.{1,300}x`,
		`(?:[a-z]|[b-y]){1,150}Z`,
	} {
		err := checkExpression(bad)
		if err == nil || !strings.Contains(err.Error(), "places of it, and 100 are the limit") {
			t.Errorf("%.40s: %v", bad, err)
		}
	}
	if err := checkExpression(`a(`); err == nil || !strings.Contains(err.Error(), "missing closing") {
		t.Error(err)
	}
}

// The slowest expression that is taken reads a long line in seconds.
func TestSlowestExpression(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	p, err := New(Options{TokenRegexp: `a{1,100}b`})
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	p.Tokens(nil, []byte(strings.Repeat("a", 900_000)))
	if took := time.Since(begun); took > 30*time.Second {
		t.Errorf("900 kB took %v", took)
	}
}
