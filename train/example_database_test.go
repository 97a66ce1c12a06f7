package train_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"iter"
	"log"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// letters yields the rows of a table as documents.
func letters(ctx context.Context, db *sql.DB) iter.Seq2[corpus.Document, error] {
	return func(yield func(corpus.Document, error) bool) {
		rows, err := db.QueryContext(ctx, "SELECT id, year, body FROM letters ORDER BY id")
		if err != nil {
			yield(corpus.Document{}, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			var d corpus.Document
			err := rows.Scan(&d.ID, &d.Time, &d.Text)
			if !yield(d, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(corpus.Document{}, err)
		}
	}
}

// Texts from a database: a query, a corpus, a model.
func Example_database() {
	ctx := context.Background()
	db := sql.OpenDB(archive{})
	defer db.Close()
	c, report, err := corpus.FromSeq(ctx, letters(ctx, db), corpus.ImportOptions{MinDF: 1, MaxDF: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	m, err := train.Run(ctx, c, topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 50, AlphaSum: 0.5, OptimizeInterval: -1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Docs, "letters")
	for t := range m.Summary(nil, 1) {
		fmt.Printf("%.0f %% of the words are about %s\n", 100*t.Share, t.Words[0].Term)
	}
	// Output:
	// 4 letters
	// 48 % of the words are about whale
	// 52 % of the words are about bread
}

// archive stands for a database server. Other programs import a driver and call sql.Open.
type archive struct{}

func (archive) Connect(context.Context) (driver.Conn, error) { return connection{}, nil }
func (archive) Driver() driver.Driver                        { return nil }

type connection struct{}

func (connection) Prepare(string) (driver.Stmt, error) { return statement{}, nil }
func (connection) Close() error                        { return nil }
func (connection) Begin() (driver.Tx, error)           { return nil, driver.ErrSkip }

type statement struct{}

func (statement) Close() error                               { return nil }
func (statement) NumInput() int                              { return 0 }
func (statement) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }
func (statement) Query([]driver.Value) (driver.Rows, error) {
	return &table{rows: [][]driver.Value{
		{"a", "1851", "The whale and the ship: the sea, the harpoon, the whale."},
		{"b", "1852", "A ship at sea. The harpoon flew, and the whale dived."},
		{"c", "1853", "Bread and flour. The oven is hot, the yeast is old, the bread is good."},
		{"d", "1853", "Flour, yeast, an oven: bread."},
	}}, nil
}

type table struct{ rows [][]driver.Value }

func (*table) Columns() []string { return []string{"id", "year", "body"} }
func (*table) Close() error      { return nil }
func (t *table) Next(dst []driver.Value) error {
	if len(t.rows) == 0 {
		return io.EOF
	}
	copy(dst, t.rows[0])
	t.rows = t.rows[1:]
	return nil
}
