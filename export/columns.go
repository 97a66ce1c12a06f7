package export

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/tablecell"
)

// ownColumns are the names of the columns that tables of documents always have.
var ownColumns = append(strings.Split(docTopicsHeader, ","), "topics", "thetas", "main_topic", "main_topic_label",
	"main_theta")

// chooseColumns finds the columns that Options.With names. Tables always have labels and times. A column
// whose name is already used in a table is called column_NAME there.
func (j *job) chooseColumns(f Format) error {
	if len(j.options.With) == 0 {
		return nil
	}
	if !f.Columns {
		return fmt.Errorf("%s has no table of documents, so columns cannot be added: use a format such as csv-doc-topics",
			f.Name)
	}
	j.with = map[*corpus.Corpus][]column.Column{}
	for _, docs := range []*corpus.Corpus{j.docs, j.heldOut} {
		if docs == nil {
			continue
		}
		var list []column.Column
		for _, name := range j.options.With {
			found, err := column.Find(docs.Columns(), strings.TrimSpace(name))
			if err != nil {
				return err
			}
			c := *found
			if slices.Contains(ownColumns, c.Name) || slices.Contains(j.topicColumns(), c.Name) {
				c.Name = "column_" + c.Name
			}
			double := func(x column.Column) bool { return x.Name == c.Name }
			if found.Name != "label" && found.Name != "time" && !slices.ContainsFunc(list, double) {
				list = append(list, c)
			}
		}
		j.with[docs] = list
	}
	return nil
}

// withNames returns the names of the additional columns in tables of documents.
func (j *job) withNames() []string {
	return lists.Of(j.with[j.docs], func(c column.Column) string { return c.Name })
}

// cell is a document's value in a column.
type cell struct {
	column *column.Column
	value  string
}

// writeColumns writes the values of a document's columns, numbers as numbers.
func (v *docView) writeColumns(to cells) {
	for _, c := range v.with {
		switch {
		case tablecell.IsMissing(c.value):
			to.empty()
		case c.column.Kind == column.Number && !c.parquet().IsNull():
			to.number(strings.TrimSpace(c.value))
		default:
			to.str(c.value)
		}
	}
}

// parquet returns the value for Parquet. It is null if the value is missing, or is not a number in a column of numbers.
func (c cell) parquet() parquet.Value {
	if tablecell.IsMissing(c.value) {
		return parquet.NullValue()
	}
	if c.column.Kind != column.Number {
		return parquet.ByteArrayValue([]byte(c.value))
	}
	x, ok := tablecell.ParseNumber(strings.TrimSpace(c.value))
	if !ok {
		return parquet.NullValue()
	}
	return parquet.DoubleValue(x)
}

// withNodes returns the Parquet types of the columns: doubles for numbers, text for all others.
func (j *job) withNodes() []namedNode {
	var nodes []namedNode
	for _, c := range j.with[j.docs] {
		node := parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
		if c.Kind == column.Number {
			node = parquet.Leaf(parquet.DoubleType)
		}
		nodes = append(nodes, namedNode{c.Name, parquet.Optional(node)})
	}
	return nodes
}

// withColumns returns the schema of a table of documents with the additional columns at its end.
func (j *job) withColumns(schema *parquet.Schema) *parquet.Schema {
	more := j.withNodes()
	if len(more) == 0 {
		return schema
	}
	columns := lists.Of(schema.Fields(), func(f parquet.Field) namedNode { return namedNode{f.Name(), f} })
	return parquet.NewSchema(schema.Name(), inOrderGiven(append(columns, more...)))
}

// appendColumns appends the values of a document's columns to a row; first is the number of the first one.
func (v *docView) appendColumns(row parquet.Row, first int) parquet.Row {
	for i, c := range v.with {
		x, definition := c.parquet(), 1
		if x.IsNull() {
			definition = 0
		}
		row = append(row, x.Level(0, definition, first+i))
	}
	return row
}

// orderedGroup is a group of columns in the given order; parquet.Group sorts by name.
type orderedGroup struct {
	parquet.Group
	fields []parquet.Field
}

func (g *orderedGroup) Fields() []parquet.Field { return g.fields }

// namedNode is a column of a Parquet table.
type namedNode struct {
	name string
	node parquet.Node
}

// inOrderGiven makes a group of columns.
func inOrderGiven(columns []namedNode) parquet.Node {
	group := &orderedGroup{Group: parquet.Group{}}
	for _, c := range columns {
		group.Group[c.name] = c.node
	}
	byName := map[string]parquet.Field{}
	for _, f := range group.Group.Fields() {
		byName[f.Name()] = f
	}
	for _, c := range columns {
		group.fields = append(group.fields, byName[c.name])
	}
	return group
}

// topicColumns returns the name of every topic's column: topic_3, or topic_3 followed by a blank and the topic's label.
func (j *modelJob) topicColumns() []string {
	names := make([]string, j.model.NumTopics())
	for k := range names {
		names[k] = "topic_" + strconv.Itoa(k)
		if label := j.topicLabel(k); label != nil {
			names[k] += " " + *label
		}
	}
	return names
}

// cells writes the cells of a row, in CSV or in a sheet.
type cells interface {
	int(i int)
	f64(x float64)
	str(s string)
	number(s string)
	empty()
}

// docTopicsHeader names the columns of the table of documents and topics.
const docTopicsHeader = "doc,id,label,time,rank,topic,theta,tokens,doc_tokens,topic_label"
