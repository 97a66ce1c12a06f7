package remote

import "github.com/topoi-lda/topoi/internal/objects"

// opener is how package objects knows this package.
type opener struct{}

func init() { objects.Stores.Register(opener{}) }

func (opener) Prepare(paths ...string)                    { Prepare(paths...) }
func (opener) Take(path string) (objects.Object, error)   { return object(Take(path)) }
func (opener) Stat(path string) (objects.Info, error)     { return Stat(path) }
func (opener) List(prefix string) ([]objects.Info, error) { return List(prefix) }
func (opener) Glob(pattern string) ([]string, error)      { return Glob(pattern) }
func (opener) IsFolder(path string) (bool, error)         { return IsFolder(path) }

// object returns no object where there is an error: an interface around a nil pointer would be one.
func object(o *Object, err error) (objects.Object, error) {
	if err != nil {
		return nil, err
	}
	return o, nil
}
