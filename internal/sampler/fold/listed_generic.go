//go:build (!amd64 && !arm64) || noasm

package fold

func kernels() (words, spread func(l *listed)) { return wordsGo, spreadGo }
