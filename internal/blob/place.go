package blob

// Place says where in its blob a row is, for those who want rows in another order than
// that of the blob. The zero Place is that of a row without entries, which is not there.
type Place struct {
	begin, end int // of its entries
	dense      bool
}

// Shifted returns the place of a row that came to be so much further behind (see
// Encoder.Join).
func (p Place) Shifted(by int) Place {
	if p.Empty() {
		return p
	}
	return Place{p.begin + by, p.end + by, p.dense}
}

// Empty says whether there is no row.
func (p Place) Empty() bool { return p.end == 0 }

// Place returns where the row is that was written last.
func (e *Encoder) Place() Place { return e.place }

// Place returns where the current row is.
func (d *Decoder) Place() Place {
	end := headerBytes + int(d.length) - len(d.rest)
	return Place{end - len(d.row), end, d.bits}
}

// At returns a decoder whose current, and last, row is that at a place of b, a blob of
// changes with so many topics. It does not look at the rest of the blob: whoever did
// not write it checks it before.
func At(b []byte, topics int, p Place) Decoder {
	return Decoder{header: header{ID: ID{Kind: Changes, Topics: uint32(topics)}}, row: b[p.begin:p.end], bits: p.dense}
}

// Row returns the bytes of the current row of a blob of counts, for RowOf.
func (d *Decoder) Row() []byte { return d.row }

// RowOf returns a decoder whose current, and last, row is what Row returned, with so many topics.
func RowOf(row []byte, topics int) Decoder {
	return Decoder{header: header{ID: ID{Kind: Counts, Topics: uint32(topics)}}, row: row}
}
