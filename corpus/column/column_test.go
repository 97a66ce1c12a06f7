package column

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// list is values in memory.
type list []string

func (l list) Len() int        { return len(l) }
func (l list) At(i int) string { return l[i] }

func TestLevelsAreInTheirNaturalOrder(t *testing.T) {
	c := Column{Name: "grade", Values: list{"10", "9", "", "b", "a", "9"}}
	levels, codes := c.Levels()
	if want := []string{"9", "10", "a", "b"}; !slices.Equal(levels, want) {
		t.Errorf("levels %q, want %q", levels, want)
	}
	if want := []uint32{1, 0, None, 3, 2, 0}; !slices.Equal(codes, want) {
		t.Errorf("codes %v, want %v", codes, want)
	}
}

func TestNumbers(t *testing.T) {
	c := Column{Kind: Number, Values: list{"1", "x", "NA", "2,5"}}
	numbers, unread := c.Numbers()
	if numbers[0] != 1 || !math.IsNaN(numbers[1]) || !math.IsNaN(numbers[2]) || numbers[3] != 2.5 || unread != 1 {
		t.Errorf("%v, %d unread", numbers, unread)
	}
	c = Column{Kind: Date, Values: list{"1970-01-02", "13/1/1970"}}
	if numbers, unread := c.Numbers(); numbers[0] != 86400 || numbers[1] != 12*86400 || unread != 0 {
		t.Errorf("%v, %d unread", numbers, unread)
	}
}

// Blanks about values do not count.
func TestNumbersWithBlanks(t *testing.T) {
	c := Column{Kind: Number, Values: list{" 7 ", " NA ", "x"}}
	if got, unread := c.Numbers(); got[0] != 7 || !math.IsNaN(got[1]) || unread != 1 {
		t.Errorf("%v, %d unread", got, unread)
	}
}

func TestFind(t *testing.T) {
	columns := []Column{{Name: "Party"}, {Name: "year"}, {Name: "Year"}, {Name: "YEAR"}}
	for name, want := range map[string]string{
		"Party": "Party", "PARTY": "Party", "year": "year", "Year": "Year",
		"YEAR": "YEAR",
	} {
		if c, err := Find(columns, name); err != nil || c.Name != want {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
	for _, c := range []struct {
		columns    []Column
		name, want string
	}{
		{columns, "yEar", `there is no column "yEar"`},
		{columns, "Parti", `there is no column "Parti": did you mean "Party"?`},
		{columns, "something else", `there is no column "something else": it must be one of Party, year, Year, YEAR`},
		{nil, "year", `there is no column "year": the documents have no columns`},
	} {
		if _, err := Find(c.columns, c.name); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// Labels and times are found by their roles too, unless a column has that name.
func TestFindByRole(t *testing.T) {
	columns := []Column{{Name: "party", Role: "label"}, {Name: "year", Role: "time"}, {Name: "x"}}
	for name, want := range map[string]string{"label": "party", "time": "year", "party": "party", "Year": "year"} {
		if c, err := Find(columns, name); err != nil || c.Name != want {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
	columns[2].Name = "label"
	if c, err := Find(columns, "label"); err != nil || c.Role != "" {
		t.Errorf("a column called label: %v, %v", c, err)
	}
	if _, err := Find(columns, ""); err == nil {
		t.Error("a column without a name is found")
	}
}
