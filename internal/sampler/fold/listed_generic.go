//go:build !amd64 || noasm

package fold

func words(l *listed) { wordsGo(l) }

func spread(l *listed) { spreadGo(l) }
