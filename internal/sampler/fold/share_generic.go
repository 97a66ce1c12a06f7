//go:build !amd64 || noasm

package fold

func round(s *shares) { roundGo(s) }
