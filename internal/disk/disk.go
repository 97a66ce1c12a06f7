// Package disk tells how much room there is.
package disk
