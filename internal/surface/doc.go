// Package surface tests what the public packages export. It has no code of its own: names.txt lists the names, and a
// new one fails the test until somebody decides that programs need it.
package surface
