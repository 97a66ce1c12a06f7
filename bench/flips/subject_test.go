package flips

import (
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/internal/guard"
)

// subject is a kind of files, with a use of them that gives a fingerprint.
type subject struct {
	kind    string
	dir     string // where copies of the files are used
	names   []string
	content map[string][]byte
	use     func(dir string) (fingerprint string, err error)
	want    string            // what use gives when nothing is wrong
	twin    map[string][]byte // files of the same names that belong elsewhere; nil: none
}

// newSubject takes all files below from, and uses them once.
func newSubject(kind, from string, use func(dir string) (string, error)) (*subject, error) {
	s := &subject{kind: kind, dir: from + ".used", content: map[string][]byte{}, use: use}
	err := filepath.WalkDir(from, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, _ := filepath.Rel(from, path) // it is below
		b, err := os.ReadFile(path)
		if len(b) > 0 {
			s.names = append(s.names, name)
		}
		s.content[name] = b
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(s.names)
	if err := s.putBack("", nil); err != nil {
		return nil, err
	}
	if s.want, err = use(s.dir); err != nil {
		return nil, fmt.Errorf("%s: without damage: %w", kind, err)
	}
	return s, nil
}

// putBack makes the directory what it was, but for the content of one file.
func (s *subject) putBack(name string, content []byte) error {
	if err := os.RemoveAll(s.dir); err != nil {
		return err
	}
	for file, b := range s.content {
		if file == name {
			b = content
		}
		path := filepath.Join(s.dir, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, b, 0o666)); err != nil {
			return err
		}
	}
	return nil
}

// choose chooses a file: any is as likely, or any byte of all, in turns.
func (s *subject) choose(random *rand.Rand, turn int) string {
	if turn%2 == 0 {
		return s.names[random.IntN(len(s.names))]
	}
	bytes := 0
	for _, name := range s.names {
		bytes += len(s.content[name])
	}
	at := random.IntN(bytes)
	for _, name := range s.names {
		if at -= len(s.content[name]); at < 0 {
			return name
		}
	}
	panic("no such byte")
}

// flip flips one bit of one file, and uses all.
func (s *subject) flip(random *rand.Rand, o *outcome) error {
	name := s.choose(random, o.flips)
	b := slices.Clone(s.content[name])
	at, bit := random.IntN(len(b)), random.IntN(8)
	b[at] ^= 1 << bit
	return s.judge(name, b, fmt.Sprintf("bit %d of byte %d", bit, at), o)
}

// swap puts another file in the place of one, of the same subject or of its twin, and uses all.
func (s *subject) swap(random *rand.Rand, o *outcome) error {
	name := s.choose(random, 0)
	from, which := s.content, s.names[random.IntN(len(s.names))]
	if which == name || random.IntN(2) == 0 {
		from, which = s.twin, name
	}
	return s.judge(name, from[which], "instead of it "+which, o)
}

// judge uses all files, of which one has other content, and counts what becomes of it.
func (s *subject) judge(name string, b []byte, how string, o *outcome) error {
	if err := s.putBack(name, b); err != nil {
		return err
	}
	var got string
	err := guard.Try(func() (err error) {
		got, err = s.use(s.dir)
		return err
	})
	o.flips++
	var fault *guard.Fault
	switch {
	case errors.As(err, &fault) || err != nil && strings.ContainsAny(err.Error(), "\n"):
		o.trace++
		log.Printf("%s: %s of %s: %v", s.kind, how, name, err)
	case err != nil:
		o.refused++
	case got == s.want:
		o.harmless++
	default:
		o.silent++
		log.Printf("%s: %s of %s: another result", s.kind, how, name)
	}
	return nil
}
