//go:build !linux

package topoi

func exchange(a, b string) error { return swap(a, b) }
