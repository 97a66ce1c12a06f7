package export

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/analysis/prevalence"
	"github.com/topoi-lda/topoi/internal/tablecell"
)

// Limits of an Excel sheet.
const (
	xlsxRows    = 1 << 20
	xlsxColumns = 1 << 14
	xlsxLetters = 32_767 // characters in a cell
)

// Styles of cells, as xlsxStyles lists them.
const (
	styleHeader  = "1"
	stylePercent = "2"
)

// Parts of a workbook beside its sheets.
const (
	xlsxDeclaration = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	xlsxMain        = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	xlsxRelations   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	xlsxPackage     = "http://schemas.openxmlformats.org/package/2006/"
	xlsxTypes       = "application/vnd.openxmlformats-officedocument.spreadsheetml."
	xlsxStyles      = `<styleSheet xmlns="` + xlsxMain + `"><fonts count="2"><font/><font><b/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>` +
		`<cellXfs count="3"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="10" applyNumberFormat="1"/></cellXfs></styleSheet>`
)

// sheet is a table of a workbook.
type sheet struct {
	name    string
	columns []string
	rows    func(j *job, w io.Writer) error
}

// xlsx writes a workbook with documents, topics and words, and with groups if documents have labels.
func xlsx(j *job, w io.Writer) error {
	if rows := max(j.numDocs(), j.model.NumTopics()*j.words(xlsxWords)); rows >= xlsxRows {
		return fmt.Errorf("a sheet of Excel has at most %d rows, but this model needs %d: "+
			"choose csv-doc-topics and csv-topics, or parquet", xlsxRows, rows+1)
	}
	if j.model.NumTopics() > xlsxColumns-len(docColumns)-len(j.options.With) {
		return fmt.Errorf("a sheet of Excel has at most %d columns, but the model has %d topics: "+
			"choose csv-doc-topics or parquet", xlsxColumns, j.model.NumTopics())
	}
	sheets := []sheet{
		{"documents", slices.Concat(docColumns, j.withNames(), j.topicColumns()), xlsxDocs},
		{"topics", strings.Split(topicColumns, ","), xlsxTopics},
		{"words", strings.Split(topicWordColumns, ","), xlsxTopicWords},
	}
	groups, err := prevalence.Compute(j.ctx, j.model,
		prevalence.Options{By: "label", Interval: -1, Threads: j.options.Threads})
	switch {
	case err == nil:
		columns := append([]string{"label", "documents", "tokens"}, j.topicColumns()...)
		sheets = append(sheets, sheet{"groups", columns, func(_ *job,
			w io.Writer,
		) error {
			return xlsxGroups(w, groups)
		}})
	case !errors.Is(err, prevalence.ErrNoLabels):
		return err
	}
	return writeWorkbook(j, w, sheets)
}

// xlsxWords is the default number of words of a topic in a workbook.
const xlsxWords = 100

// docColumns precede the columns of topics in the sheet of documents.
var docColumns = []string{"doc", "id", "label", "time", "doc_tokens", "main_topic", "main_topic_label", "main_theta"}

func writeWorkbook(j *job, w io.Writer, sheets []sheet) error {
	z := zip.NewWriter(w)
	add := func(name, content string) error {
		f, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(f, xlsxDeclaration+content)
		}
		return err
	}
	var types, list, relations strings.Builder
	for i, s := range sheets {
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="%sworksheet+xml"/>`, i+1,
			xlsxTypes)
		fmt.Fprintf(&list, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, s.name, i+1, i+1)
		fmt.Fprintf(&relations, `<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1,
			xlsxRelations, i+1)
	}
	err := errors.Join(
		add("[Content_Types].xml", `<Types xmlns="`+xlsxPackage+`content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`+
			`<Override PartName="/xl/workbook.xml" ContentType="`+xlsxTypes+`sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="`+xlsxTypes+`styles+xml"/>`+types.String()+`</Types>`),
		add("_rels/.rels", `<Relationships xmlns="`+xlsxPackage+`relationships"><Relationship Id="rId1" Type="`+xlsxRelations+`/officeDocument" Target="xl/workbook.xml"/></Relationships>`),
		add("xl/workbook.xml", `<workbook xmlns="`+xlsxMain+`" xmlns:r="`+xlsxRelations+`"><sheets>`+list.String()+`</sheets></workbook>`),
		add("xl/_rels/workbook.xml.rels", `<Relationships xmlns="`+xlsxPackage+`relationships">`+relations.String()+
			`<Relationship Id="rIdStyles" Type="`+xlsxRelations+`/styles" Target="styles.xml"/></Relationships>`),
		add("xl/styles.xml", xlsxStyles),
	)
	for i, s := range sheets {
		if err == nil {
			err = writeSheet(j, z, fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1), s)
		}
	}
	if err != nil {
		return err
	}
	return z.Close()
}

// writeSheet writes a table whose first row stays visible.
func writeSheet(j *job, z *zip.Writer, name string, s sheet) error {
	f, err := z.Create(name)
	if err != nil {
		return err
	}
	head := xlsxRow{new(line)}
	head.line.str(xlsxDeclaration + `<worksheet xmlns="` + xlsxMain +
		`"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`)
	head.begin()
	for _, c := range s.columns {
		head.styled(c, styleHeader)
	}
	head.end()
	if _, err := f.Write(*head.line); err != nil {
		return err
	}
	if err := s.rows(j, f); err != nil {
		return err
	}
	_, err = io.WriteString(f, `</sheetData></worksheet>`)
	return err
}

// xlsxRow writes the cells of a row.
type xlsxRow struct{ *line }

func (r xlsxRow) begin() { r.line.str("<row>") }
func (r xlsxRow) end()   { r.line.str("</row>\n") }

// str writes a cell of text, which Excel never interprets as a formula.
func (r xlsxRow) str(s string) { r.styled(s, "0") }

func (r xlsxRow) styled(s, style string) {
	if utf8.RuneCountInString(s) > xlsxLetters {
		s = string([]rune(s)[:xlsxLetters])
	}
	r.line.str(`<c s="` + style + `" t="inlineStr"><is><t xml:space="preserve">`)
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // writing to a strings.Builder never fails
	r.line.str(b.String() + `</t></is></c>`)
}

func (r xlsxRow) empty() { r.line.str("<c/>") }

func (r xlsxRow) int(i int) { r.float(float64(i), "0") }

func (r xlsxRow) f64(x float64) { r.float(x, "0") }

// number writes a number that the input gave as text.
func (r xlsxRow) number(s string) {
	x, _ := tablecell.ParseNumber(s)
	r.f64(x)
}

// share writes a number that Excel shows as a percentage.
func (r xlsxRow) share(x float64) { r.float(x, stylePercent) }

func (r xlsxRow) float(x float64, style string) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		r.empty()
		return
	}
	r.line.str(`<c s="` + style + `"><v>`)
	*r.line = strconv.AppendFloat(*r.line, x, 'g', -1, 64)
	r.line.str(`</v></c>`)
}

func xlsxDocs(j *job, w io.Writer) error {
	k := j.model.NumTopics()
	return j.docText(w, k, func(l *line, v *docView) {
		r := xlsxRow{l}
		main := 0
		for topic := range k {
			if v.theta(topic) > v.theta(main) {
				main = topic
			}
		}
		r.begin()
		v.writeHead(r)
		r.int(v.tokens)
		r.int(main)
		maybe(r, j.topicLabel(main), r.str)
		r.share(v.theta(main))
		v.writeColumns(r)
		for topic := range k {
			r.share(v.theta(topic))
		}
		r.end()
	})
}

func xlsxTopics(j *job, w io.Writer) error {
	var l line
	return j.eachTopicRow(func(t *topicRow) error {
		l = l[:0]
		r := xlsxRow{&l}
		r.begin()
		t.write(r, r.share)
		r.end()
		_, err := w.Write(l)
		return err
	})
}

func xlsxTopicWords(j *job, w io.Writer) error {
	totals := wordTotals(j.model)
	return j.topWordText(w, j.words(xlsxWords), func(l *line, t topicWords) {
		for rank := range t.words {
			r, row := xlsxRow{l}, j.topicWordRow(t, rank, totals)
			r.begin()
			row.write(r, func(x float32) { r.share(float64(x)) }, func(x float32) { r.f64(float64(x)) })
			r.end()
		}
	})
}

// xlsxGroups writes the shares of topics in groups, the largest groups first.
func xlsxGroups(w io.Writer, groups *prevalence.Result) error {
	var l line
	r := xlsxRow{&l}
	for _, g := range groups.Blocks() {
		r.begin()
		r.str(groups.Cells[g].Label)
		r.int(groups.Cells[g].Docs)
		r.int(int(groups.Cells[g].Tokens))
		for _, s := range groups.Shares[g] {
			r.share(s.Share)
		}
		r.end()
	}
	_, err := w.Write(l)
	return err
}
