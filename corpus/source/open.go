package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/topoi-lda/topoi/corpus/source/internal/counts"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/internal/columns"
	"github.com/topoi-lda/topoi/internal/objects"
	"github.com/topoi-lda/topoi/internal/piece"
)

// Reader is the Source that Open returns: the documents of all inputs, one input after the other.
type Reader struct {
	inputs  []string
	name    string   // of the input in messages, if it is a reader of the caller's
	below   []string // of each input, the path whose folders are columns
	opts    Options
	format  *format
	seen    idSet // ids of documents so far
	repeats int   // documents whose id was seen before
	pieces  pieces
	folders []map[string]string // what the folders of each input say; nil: nothing
	asked   Options             // before columns of folders were taken out
	along   []Field             // backing of Document.Columns
	where   *columns.Condition  // nil: all documents are read
	value   func(name string) (columns.Range, bool)

	next  int // inputs[next] is opened when cur ends
	cur   Source
	file  *input.File    // below cur; nil for directories
	in    *input.Scanner // reads file
	holds Content
	vocab []string
	owner string // input that vocab came from
	words int    // largest vocabulary size that an input declared
	done  bool

	read, total atomic.Int64 // bytes of the inputs as stored
}

// Open opens inputs of one format for reading: paths, patterns with * ? [ ], directories, or "-" for standard input.
// Names ending in .gz and .zst need no mention: compression is recognised by content. Parquet files, and objects at
// s3:// and the like, are read by programs that import corpus/source/all.
func Open(inputs []string, opts Options) (*Reader, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	all, err := expand(inputs, opts)
	if err != nil {
		return nil, err
	}
	files, err := opts.matching(all)
	left := len(all) - len(files)
	if err == nil {
		files, err = opts.share(files)
	}
	if err != nil {
		return nil, err
	}
	r := &Reader{opts: opts, seen: idSet{}}
	for _, f := range files {
		r.inputs, r.below = append(r.inputs, f.path), append(r.below, f.folders)
	}
	r.takeFolders()
	r.opts.root, r.opts.names, r.opts.taken, r.opts.read = commonDir(r.inputs), counts.NewNames(), new(Taken), &r.read
	r.opts.out = new(input.Expansion)
	r.opts.taken.LeftInputs = left
	if opts.Where != "" {
		r.where, _ = columns.NewCondition(opts.Where) // Validate has read it
	}
	r.total.Store(totalSize(r.inputs))
	if opts.Format != "" && opts.Format != "auto" {
		r.format = formatByName(opts.Format)
	}
	if err := r.advance(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Format returns the format that is being read.
func (r *Reader) Format() Format { return r.format.Format }

// Guessed reports whether the format was guessed rather than given.
func (r *Reader) Guessed() bool { return r.opts.Format == "" || r.opts.Format == "auto" }

// Taken tells how the inputs opened so far were understood.
func (r *Reader) Taken() Taken { return *r.opts.taken }

// Progress returns how many bytes of the inputs have been read and how many there are, both as stored (compressed);
// total is 0 when it is not known. It may be called from any goroutine.
func (r *Reader) Progress() (read, total int64) {
	read, total = r.read.Load(), r.total.Load()
	if total > 0 {
		read = min(read, total) // some formats look at the beginning twice
	}
	return read, total
}

// NumWords returns the size of the vocabulary when the format declares it in advance (uci, matrix-market, npz, npy,
// 10x, or any with a vocabulary file), else 0. All ids are below it.
func (r *Reader) NumWords() int { return r.words }

// Content returns which form of content the documents hold.
func (r *Reader) Content() Content { return r.holds }

// Next fills doc with the next document, or with the next piece of one.
func (r *Reader) Next(doc *Document) error {
	if r.opts.Pieces > 0 && r.holds == ContentText {
		return r.named(r.nextPiece(doc))
	}
	return r.named(r.nextDocument(doc))
}

// named puts the name of the caller's reader into an error.
func (r *Reader) named(err error) error {
	if r.name == "" || err == nil || err == io.EOF {
		return err
	}
	if e, ok := errors.AsType[*input.Error](err); ok && e.File == input.DisplayName("-") {
		e.File = r.name
	}
	return err
}

// Wholes returns the number of documents that were cut into pieces so far.
func (r *Reader) Wholes() int64 { return r.pieces.docs }

// nextPiece fills doc with the next piece of a document.
func (r *Reader) nextPiece(doc *Document) error {
	p := &r.pieces
	if len(p.rest) == 0 {
		if err := r.nextDocument(&p.doc); err != nil {
			return err
		}
		p.docs++
		p.rest, p.count = p.doc.Text, 0
		if p.id = append(p.id[:0], p.doc.ID...); len(p.id) == 0 {
			p.id = strconv.AppendInt(p.id, p.docs-1, 10)
		}
	}
	p.count++
	n := piece.Cut(p.rest, r.opts.Pieces)
	*doc = p.doc
	doc.Text, p.rest = p.rest[:n], p.rest[n:]
	doc.ID = strconv.AppendInt(append(p.id[:len(p.id):len(p.id)], piece.Mark...), int64(p.count), 10)
	return nil
}

func (r *Reader) nextDocument(doc *Document) error {
	if r.done {
		return io.EOF
	}
	for r.cur != nil {
		*doc = Document{}
		err := r.cur.Next(doc)
		if err == nil && !r.wanted() {
			continue
		}
		if err == nil {
			if r.format.Name != "text" { // names of files are what they are
				doc.ID, doc.Label = input.Tidy(doc.ID), input.Tidy(doc.Label)
			}
			r.addFolders(doc)
			return r.checkID(doc.ID)
		}
		if err != io.EOF {
			return err
		}
		if err := r.takeVocabulary(); err != nil {
			return err
		}
		if r.next == len(r.inputs) {
			r.done = true
			return io.EOF
		}
		if err := r.advance(); err != nil {
			return err
		}
	}
	return errors.New("source: Next called on a closed reader")
}

// checkID counts a document id that was seen before, or refuses it.
func (r *Reader) checkID(id []byte) error {
	if r.seen.add(id) {
		return nil
	}
	r.repeats++
	if !r.opts.UniqueIDs {
		return nil
	}
	e := &input.Error{
		File: input.DisplayName(r.inputs[r.next-1]),
		Msg:  fmt.Sprintf("the document id %s was already used", input.Quote(id)),
	}
	if s, ok := r.cur.(interface{ Line() int }); ok {
		e.Line = s.Line()
	} else if r.in != nil {
		e.Line = r.in.Line
	}
	return e.WithHint("make the ids unique, or accept duplicates by leaving out Options.UniqueIDs")
}

// Repeats returns how many documents so far had an id that an earlier document
// had too. It is exact up to four million documents, a lower bound beyond.
func (r *Reader) Repeats() int { return r.repeats }

// Vocabulary returns the words behind the ids; see Source.
func (r *Reader) Vocabulary() ([]string, error) {
	if !r.done {
		return nil, errors.New("source: Vocabulary called before the last document was read")
	}
	return r.vocab, nil
}

// Close releases the inputs.
func (r *Reader) Close() error {
	var err error
	if r.cur != nil {
		err = r.cur.Close()
		r.cur = nil
	}
	if r.file != nil {
		err = errors.Join(err, r.file.Close())
		r.file = nil
	}
	return err
}

// takeVocabulary checks that the input that has just ended means the same words
// by its ids as those before it. One vocabulary may go on where another ends.
func (r *Reader) takeVocabulary() error {
	v, err := r.cur.Vocabulary()
	if err != nil {
		return err
	}
	name := input.DisplayName(r.inputs[r.next-1])
	n := min(len(v), len(r.vocab))
	oneHasNone := r.next > 1 && n == 0 && len(v)+len(r.vocab) > 0
	if oneHasNone || !slices.Equal(v[:n], r.vocab[:n]) {
		e := &input.Error{
			File: name,
			Msg: fmt.Sprintf("its vocabulary differs from that of %s, so the same id would mean different words",
				r.owner),
		}
		return e.WithHint("import the files one by one, or give one vocabulary for all with Options.VocabPath")
	}
	if len(v) > len(r.vocab) || r.next == 1 {
		r.vocab, r.owner = v, name
	}
	return nil
}

// advance closes the current input and opens the following one.
func (r *Reader) advance() error {
	if err := r.Close(); err != nil {
		return err
	}
	path := r.inputs[r.next]
	objects.Prepare(r.inputs[r.next:min(r.next+1+filesAhead, len(r.inputs))]...)
	r.in = nil
	var head []byte
	if !input.IsDir(path) {
		f, err := input.OpenFile(path, r.opts.text(), &r.read)
		if err != nil {
			return err
		}
		r.file = f
		r.in = input.NewScanner("", nil)
		if head, err = r.in.BeginFile(path, f); err != nil {
			return err
		}
	}
	if r.format == nil {
		name, err := detect(path, head, len(r.inputs))
		if err != nil {
			return err
		}
		r.format = formatByName(name)
	}
	if r.in == nil && !r.format.dirs {
		return (&input.Error{File: path, Msg: fmt.Sprintf("this is a directory, which the format %s does not read",
			r.format.Name)}).WithHint("name the files in it")
	}
	if r.in != nil && len(head) == 0 && r.format.Name != "text" {
		return (&input.Error{
			File: input.DisplayName(path),
			Msg:  "the file is empty",
		}).WithHint("expected at least one document")
	}
	if err := r.opts.checkHonoured(path, r.format); err != nil {
		return err
	}
	cur, err := r.format.open(path, r.in, &r.opts)
	if err != nil {
		return err
	}
	if s, ok := cur.(interface{ NumWords() int }); ok {
		r.words = max(r.words, s.NumWords())
	}
	if r.next > 0 && cur.Content() != r.holds {
		cur.Close()
		e := &input.Error{File: input.DisplayName(path), Msg: fmt.Sprintf("its documents hold %v, those of %s %v",
			cur.Content(), input.DisplayName(r.inputs[0]), r.holds)}
		return e.WithHint("import the files one by one")
	}
	if s, ok := cur.(interface{ taken() Taken }); ok {
		r.opts.taken.add(s.taken())
	}
	r.cur, r.holds = cur, cur.Content()
	if err := r.watch(); err != nil {
		return err
	}
	r.next++
	return nil
}

// watch prepares the current input for the condition.
func (r *Reader) watch() error {
	if r.where == nil {
		return nil
	}
	rows, ok := r.cur.(rowSource)
	if !ok {
		e := &input.Error{
			File: input.DisplayName(r.inputs[r.next]),
			Msg: fmt.Sprintf("the condition %q needs columns, which the format %s does not have", r.opts.Where,
				r.format.Name),
		}
		return e.WithHint("leave out Options.Where, or read csv, tsv, xlsx, jsonl or parquet")
	}
	folders, values := known(r.folders[r.next]), map[string]func() columns.Range{}
	for _, name := range r.where.Names {
		if _, ok := folders(name); ok {
			continue
		}
		value, list, err := rows.watch(name)
		if err != nil {
			return err
		}
		values[name] = func() columns.Range { return columns.Value(string(bytes.TrimSpace(value())), list) }
	}
	r.value = func(name string) (columns.Range, bool) {
		if value := values[name]; value != nil {
			return value(), true
		}
		return folders(name)
	}
	if p, ok := rows.(*parquetRows); ok {
		return p.skip(r.where, folders)
	}
	return nil
}

// wanted reports whether the condition holds for the current row.
func (r *Reader) wanted() bool {
	if r.where == nil {
		return true
	}
	some, _ := r.where.Over(r.value)
	if !some {
		r.opts.taken.LeftRows++
	}
	return some
}
