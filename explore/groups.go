package explore

// group is a label of documents.
type group struct {
	Name string `json:"name"`
	Docs int    `json:"docs"`
}

// calendar is a division of time into periods.
type calendar struct {
	Unit string   `json:"unit"` // year, quarter, month …
	Bins []string `json:"bins"` // names of the periods
	Docs []int    `json:"docs"` // of each period
}

// groups says where documents belong.
type groups struct {
	of   []int   // D: group of each document, −1 for none; nil without groups
	bins [][]int // by calendar, D: period of each document, −1 for none
}

// places returns every division of the documents.
func (g *groups) places() [][]int {
	var list [][]int
	if g.of != nil {
		list = append(list, g.of)
	}
	return append(list, g.bins...)
}

func (g *groups) packPlaces(p *pack, docs []int) {}

func (b *builder) groupAndTime() error { return nil }
