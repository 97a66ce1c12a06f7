// Package lists has what package slices lacks: lists made from lists, numbers in a row, and the first elements of many.
package lists

import "slices"

// Of returns f of every element.
func Of[E, T any](list []E, f func(E) T) []T {
	values := make([]T, len(list))
	for i, e := range list {
		values[i] = f(e)
	}
	return values
}

// Upto returns the numbers 0, …, n-1.
func Upto(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

// First collects the n first of many elements in the order of compare; equal ones are in the order in which they came.
// It holds up to 2n elements and then drops the later half, so that adding one costs O(log n) on average, and one
// comparison if n others come before it.
type First[T any] struct {
	n       int
	compare func(a, b T) int
	list    []T
	full    bool // list[:n] are the first ones of some
}

// NewFirst returns an empty collection.
func NewFirst[T any](n int, compare func(a, b T) int) *First[T] {
	return &First[T]{n: n, compare: compare, list: []T{}}
}

// Add adds an element.
func (f *First[T]) Add(e T) {
	if f.n <= 0 || f.full && f.compare(e, f.list[f.n-1]) >= 0 {
		return
	}
	if f.list = append(f.list, e); len(f.list)/2 >= f.n {
		f.list, f.full = f.List(), true
	}
}

// List returns the first n elements in order, or all if there are fewer. It is valid until the next Add.
func (f *First[T]) List() []T {
	slices.SortStableFunc(f.list, f.compare)
	return f.list[:max(0, min(f.n, len(f.list)))]
}
