package innerstore

import "cmp"

// Options say whom a server admits, and how much it takes.
type Options struct {
	// User and Password are what clients must give. Default: no password; with a Password alone the user is "default".
	User, Password string

	// Memory is how many bytes of data it takes at most. Default: no bound.
	Memory int64

	// Full is called once, from any goroutine, when something does not fit into Memory. It may be nil.
	Full func()
}

func (o Options) user() string { return cmp.Or(o.User, defaultUser) }

// defaultUser is who gives a password and no name.
const defaultUser = "default"
