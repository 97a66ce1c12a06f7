// Package grid cuts the D × V matrix of tokens into pieces that can be worked on
// apart from each other. What it returns depends on the corpus and on options,
// never on the machine.
package grid
