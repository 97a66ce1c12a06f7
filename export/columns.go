package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/topoi-lda/topoi/column"
	"github.com/topoi-lda/topoi/corpus"
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
	var names []string
	for _, c := range j.with[j.docs] {
		names = append(names, c.Name)
	}
	return names
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
		case column.IsMissing(c.value):
			to.empty()
		case c.column.Kind == column.Number && !c.parquet().IsNull():
			to.number(strings.TrimSpace(c.value))
		default:
			to.str(c.value)
		}
	}
}

// parquet returns the value for Parquet. It is null if the value is missing, or is not a number in a column
// of numbers.
func (c cell) parquet() parquet.Value {
	if column.IsMissing(c.value) {
		return parquet.NullValue()
	}
	if c.column.Kind != column.Number {
		return parquet.ByteArrayValue([]byte(c.value))
	}
	x, ok := column.ParseNumber(strings.TrimSpace(c.value))
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
	var columns []namedNode
	for _, f := range schema.Fields() {
		columns = append(columns, namedNode{f.Name(), f})
	}
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
