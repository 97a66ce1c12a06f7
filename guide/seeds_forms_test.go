package guide

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
)

// Forms of files with what may stand in them.
func TestManyForms(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []SeedTopic
	}{
		{"a.txt", "a: b c^2 d", []SeedTopic{{"a", []SeedWord{{"b", 0}, {"c", 2}, {"d", 0}}, 0}}},
		{"a.txt", "a  b : c d; e ^ 0.5 ,, f", []SeedTopic{{"a b", []SeedWord{{"c d", 0}, {"e", 0.5}, {"f", 0}}, 0}}},
		{"a.txt", "a: b:c, d\n#x: y\n", []SeedTopic{{"a", []SeedWord{{"b:c", 0}, {"d", 0}}, 0}}},
		{"a.TXT", "a: b", []SeedTopic{{"a", []SeedWord{{"b", 0}}, 0}}},
		{"a.yml", "- {name: a, words: b, weight: 3}", []SeedTopic{{"a", []SeedWord{{"b", 0}}, 3}}},
		{"a.YAML", "topics:\n  a: b", []SeedTopic{{"a", []SeedWord{{"b", 0}}, 0}}},
		{"a.yaml", "topics: b\nc: d", []SeedTopic{{"topics", []SeedWord{{"b", 0}}, 0}, {"c", []SeedWord{{"d", 0}}, 0}}},
		{"a.yaml", "a: {word: b, weight: 2}", []SeedTopic{{"a", []SeedWord{{"b", 2}}, 0}}},
		{
			"a.yaml", "a: &x [b, &y {word: c, weight: 2}]\nd: *x\ne: [*y, f]\n",
			[]SeedTopic{
				{"a", []SeedWord{{"b", 0}, {"c", 2}}, 0},
				{"d", []SeedWord{{"b", 0}, {"c", 2}}, 0},
				{"e", []SeedWord{{"c", 2}, {"f", 0}}, 0},
			},
		},
		{
			"a.csv", "Topic, WORD\na,b\nc,d\na,\"e,f\"\n",
			[]SeedTopic{{"a", []SeedWord{{"b", 0}, {"e,f", 0}}, 0}, {"c", []SeedWord{{"d", 0}}, 0}},
		},
		{"a.csv", "weight,word,topic\n0.5,b,a\n,c,a\n", []SeedTopic{{"a", []SeedWord{{"b", 0.5}, {"c", 0}}, 0}}},
		{"a.tsv", "word\ttopic\nb c\ta\n", []SeedTopic{{"a", []SeedWord{{"b c", 0}}, 0}}},
	} {
		got, err := ReadSeeds(write(t, c.name, c.text))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %q: %+v, %v; want %+v", c.name, c.text, got, err, c.want)
		}
	}
}

func TestMoreFaults(t *testing.T) {
	const none = "there is no topic in it"
	for _, c := range [][3]string{
		{"a.txt", "a: b\nc:  ,;\n", `line 2: topic "c" has no words`},
		{"a.txt", "a: b^0\n", `line 1: the weight "0" must be a number above 0`},
		{"a.txt", "a: b^inf\n", `line 1: the weight "inf" must be a number above 0`},
		{"a.txt", "a: b^nan\n", `line 1: the weight "nan" must be a number above 0`},
		{"a.txt", "a: " + strings.Repeat("b", 16<<20) + "\n", "token too long"},
		{"a.yaml", "", none},
		{"a.yaml", "a: *x\n", "unknown anchor 'x' referenced"},
		{"a.yaml", "a: &x [b, *x]\n", "line 1: expected a word"}, // a list in itself
		{"a.yaml", "[]", none},
		{"a.yaml", "a: b\n' a ': c\n", `line 2: there are two topics "a"`},
		{"a.yaml", "- {name: a, words: b}\n- {name: a, words: c}\n", `line 2: there are two topics "a"`},
		{"a.yaml", "- {name: a}\n", `line 1: topic "a" has no words`},
		{"a.yaml", "- {words: a}\n", "line 1: a topic needs a name"},
		{"a.yaml", "- a\n", "line 1: expected a topic with name and words"},
		{"a.yaml", "a:\n- b\n- ' '\n", "line 3: expected a word"},
		{"a.yaml", "a:\n- b\n- [c]\n", "line 3: expected a word"},
		{"a.yaml", "a:\n- {word: b, weight: x}\n", `line 2: the weight "x" must be a number above 0`},
		{"a.yaml", "a:\n- {wort: b}\n", `line 2: unknown key "wort": did you mean "word"?`},
		{"a.yaml", "- {name: a, words: [{weight: 1}]}\n", "line 1: expected a word"},
		{"a.csv", "topic\na\n", "line 1: the header must name the columns topic and word"},
		{"a.csv", "word\na\n", "line 1: the header must name the columns topic and word"},
		{"a.csv", "topic,word\n,b\n", "line 2: a topic needs a name"},
		{"a.csv", "topic,word,weight\na,b,-1\n", `line 2: the weight "-1" must be a number above 0`},
		{"a.csv", "topic,word\na,b\nc\"d,e\n", `line 3, column 2: bare "`},
		{"a.csv", "topic,word\na,\"b\n", `extraneous or missing " in quoted-field`},
		{"a.csv", "topic,word\n", none},
		{"a.csv", "to\"pic,word\n", "line 1: expected a header"},
	} {
		path := write(t, c[0], c[1])
		_, err := ReadSeeds(path)
		if err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%.40q: %.200v, want %s", c[1], err, c[2])
		}
	}
	if _, err := ReadSeeds("none.txt"); !errors.Is(err, os.ErrNotExist) ||
		!strings.HasPrefix(err.Error(), "cannot read the seeds: ") {
		t.Error(err)
	}
}
