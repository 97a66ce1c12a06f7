package source

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/corpus/source/internal/roles"
	"github.com/topoi-lda/topoi/internal/columns"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/objects"
)

// filesAhead is the number of remote inputs that are opened before their turn.
const filesAhead = 8

// file is a file that an input names, matches or contains.
type file struct {
	path string
	name string // relative to the folder that was given, or to the one that a pattern begins with

	folders string // the path whose folders are columns: below the folder that was given, or all of it
}

// Files returns the paths of the files that [Open] would read, and the name of each: its path in the folder that was
// given, or in the one that a pattern begins with. A pattern becomes the files that it matches, a folder of tables its
// files in order. Other inputs stay as they are. A path that exists is not a pattern. Files whose folders contradict
// the condition are left out. Part and Parts are not considered.
func (o *Options) Files(inputs []string) (paths, names []string, err error) {
	files, err := expand(inputs, *o)
	if err == nil {
		files, err = o.matching(files)
	}
	for _, f := range files {
		paths, names = append(paths, f.path), append(names, f.name)
	}
	return paths, names, err
}

func expand(inputs []string, o Options) (files []file, err error) {
	if len(inputs) == 0 {
		return nil, errors.New("no input given: name a file, a directory, or - for standard input")
	}
	for _, in := range inputs {
		match, root := []string{in}, strings.TrimSuffix(in, "/")+"/"
		if isPattern(in) {
			root = in[:strings.LastIndex(in[:strings.IndexAny(in, "*?[")], "/")+1]
			match, err = glob(in)
		}
		for _, path := range match {
			paths := []string{path}
			if err == nil && path != "-" && input.IsDir(path) {
				paths, err = tables(path, o)
			}
			for _, path := range paths {
				name, below := strings.CutPrefix(filepath.ToSlash(path), root)
				folders := name
				if !below {
					name = filepath.Base(path)
				}
				files = append(files, file{path, name, folders})
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// matching returns the files whose folders do not contradict the condition of the options.
func (o *Options) matching(files []file) ([]file, error) {
	if o.Where == "" {
		return files, nil
	}
	c, err := columns.NewCondition(o.Where)
	if err != nil {
		return nil, err
	}
	mine := slices.DeleteFunc(slices.Clone(files), func(f file) bool {
		some, _ := c.Over(known(input.FolderColumns(f.folders)))
		return !some
	})
	if len(mine) == 0 {
		e := &input.Error{
			File: input.DisplayName(files[0].path),
			Msg: fmt.Sprintf("the condition %q holds for the folders of no file of %s", o.Where,
				human.Count(int64(len(files)))),
		}
		return nil, e.WithHint("compare it with the names of the folders")
	}
	return mine, nil
}

// known tells conditions what folders say.
func known(values map[string]string) func(name string) (columns.Range, bool) {
	return func(name string) (columns.Range, bool) {
		s, ok := values[name]
		return columns.Value(s, false), ok
	}
}

// share returns the files of the part that the options ask for: those whose middle is in it, and at least one.
func (o *Options) share(files []file) (mine []file, err error) {
	if o.Parts > len(files) {
		e := &input.Error{
			File: input.DisplayName(files[0].path),
			Msg:  fmt.Sprintf("%d parts are more than the %s", o.Parts, human.Of(len(files), "file")),
		}
		return nil, e.WithHint("use fewer parts")
	} else if o.Parts == 0 {
		return files, nil
	}
	sizes, total := make([]int64, len(files)), int64(0)
	for i, f := range files {
		if sizes[i], err = sizeOf(f.path); err != nil {
			return nil, input.OpenError(f.path, err)
		}
		total += sizes[i]
	}
	part, has, begin := 1, 0, int64(0)
	for i, f := range files {
		beyond := float64(begin+sizes[i]/2)*float64(o.Parts) >= float64(part)*float64(total)
		if has > 0 && part < o.Parts && (beyond || len(files)-i <= o.Parts-part) {
			part, has = part+1, 0
		}
		if part == o.Part {
			mine = append(mine, f)
		}
		has, begin = has+1, begin+sizes[i]
	}
	return mine, nil
}

// sizeOf returns the size of a file or an object.
func sizeOf(path string) (int64, error) {
	if objects.Is(path) {
		info, err := objects.Stat(path)
		return info.Size, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// totalSize returns the size of all inputs, or 0 when one of them is not a plain file.
func totalSize(paths []string) int64 {
	total := int64(0)
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		total += info.Size()
	}
	return total
}

// glob returns what a pattern matches.
func glob(pattern string) (match []string, err error) {
	if objects.Is(pattern) {
		match, err = objects.Glob(pattern)
	} else {
		match, err = filepath.Glob(pattern)
	}
	switch {
	case errors.Is(err, path.ErrBadPattern) || errors.Is(err, filepath.ErrBadPattern):
		return nil, &input.Error{File: pattern, Msg: "the pattern is malformed", Hint: "close every [ with ]", Err: err}
	case err == nil && len(match) == 0:
		err = &input.Error{File: pattern, Msg: "no file matches the pattern", Hint: "check the path"}
	}
	return match, err
}

func isPattern(in string) bool {
	if objects.Is(in) {
		return strings.Contains(in, "*")
	}
	_, err := os.Lstat(in)
	return err != nil && in != "-" && strings.ContainsAny(in, "*?[")
}

// tables returns the files at any depth below a folder if they are tables of one format, else the folder itself. Files
// of a remote folder may also be texts.
func tables(dir string, o Options) ([]string, error) {
	elsewhere := objects.Is(dir)
	if !elsewhere && (o.Pattern != "" || detectDir(dir) != "text") {
		return []string{dir}, nil
	}
	files, err := input.Below(dir)
	if err != nil {
		return nil, input.OpenError(dir, err)
	}
	kinds := map[string][]string{}
	for _, f := range files {
		kind := tableKinds[strings.ToLower(path.Ext(input.PlainName(f)))]
		switch {
		case o.Pattern != "" && !matches(o.Pattern, path.Base(f)):
			continue
		case o.Pattern != "":
			kind = "text"
		}
		kinds[kind] = append(kinds[kind], f)
	}
	delete(kinds, "")
	kind := o.Format
	if kind == "" || kind == "auto" {
		kind = strings.Join(slices.Collect(maps.Keys(kinds)), " ")
	}
	switch {
	case kinds[kind] != nil && (elsewhere || kind != "text"):
		return kinds[kind], nil
	case elsewhere:
		e := &input.Error{File: dir, Msg: "the files below this folder are not tables or texts of one format"}
		return nil, e.WithHint("name them by a pattern, such as %s*.csv", strings.TrimSuffix(dir, "/")+"/")
	}
	return []string{dir}, nil // texts, or what the reader of the format will say
}

// tableKinds are the formats of files that a folder of tables may hold. A .json is a list more often than lines.
var tableKinds = map[string]string{
	".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".txt": "text",
}

// takeFolders reads the columns in the names of folders, and takes them out of the options, so that nobody looks for
// them in the files.
func (r *Reader) takeFolders() {
	r.asked = r.opts
	names := map[string]bool{}
	for _, path := range r.below {
		columns := input.FolderColumns(path)
		r.folders = append(r.folders, columns)
		for name := range columns {
			names[name] = true
		}
	}
	o := &r.opts
	for _, field := range []*string{&o.LabelField, &o.TimeField} {
		if names[*field] {
			*field = ""
		}
	}
	if o.Columns != nil {
		o.Columns = slices.DeleteFunc(slices.Clone(o.Columns), func(name string) bool { return names[name] })
	}
}

// addFolders adds what the folders of its file say to a document.
func (r *Reader) addFolders(doc *Document) {
	columns := r.folders[r.next-1]
	if columns == nil || r.format.Name == "text" {
		return
	}
	r.along = append(r.along[:0], doc.Columns...)
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		value := []byte(columns[name])
		guess, exact := roles.Best(name)
		switch {
		case name == r.asked.LabelField:
			doc.Label = value
		case name == r.asked.TimeField, r.asked.TimeField == "" && exact && guess == roles.Time && len(doc.Time) == 0:
			doc.Time = value
		case r.asked.Columns == nil || slices.Contains(r.asked.Columns, name):
			r.along = append(r.along, Field{name, value})
		}
	}
	doc.Columns = r.along
}
