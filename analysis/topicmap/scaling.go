package topicmap

import (
	"context"
	"errors"
	"math"

	"github.com/topoi-lda/topoi/internal/eigen"
	"github.com/topoi-lda/topoi/topic"
)

// Point is the position of a topic in the plane.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Layout is a map of topics.
type Layout struct {
	Measure   string     // of distances: "jensen-shannon" or "hellinger"
	Points    []Point    // K
	Landmarks int        // topics whose distances made the map; K unless there are too many
	Explained [2]float64 // share of each axis in the sum of all positive eigenvalues
}

// landmarks is the number of topics that make the map if there are too many topics.
const landmarks = 400

// Map places topics in the plane by classical scaling (Torgerson 1952). With the distances d_ij, the
// eigenvectors v of B = −½ J d² J, J = I − 1/K, for the two largest eigenvalues λ give the coordinates √λ
// v; negative λ count as 0. The solver is symmetric, so coordinates are real, also for one or two topics.
//
// With more than 1,000 topics it scales 400 of them, every (K/400)th by size, and places the others by their
// Hellinger distances to those (de Silva and Tenenbaum, "Sparse multidimensional scaling using landmark points", 2004).
//
// The number of goroutines never changes the map; 0 means all cores.
//
// An axis is directed such that the point farthest from the origin is on the positive side.
func Map(ctx context.Context, m topic.Model, threads int) (*Layout, error) {
	if m.NumTopics() > exactTopics {
		return landmarkMap(ctx, m, threads, landmarks)
	}
	d, err := Between(ctx, m, threads)
	if err != nil {
		return nil, err
	}
	return d.Map()
}

// Map does what the function Map does, for distances that are already known. It costs O(K³); use the
// function for more than 1,000 topics.
func (d *Distances) Map() (*Layout, error) {
	s, err := scale(len(d.order), d.at)
	if err != nil {
		return nil, err
	}
	layout := &Layout{
		Measure: d.measure, Points: make([]Point, len(d.order)), Landmarks: len(d.order),
		Explained: s.explained,
	}
	for i, topic := range d.order {
		layout.Points[topic] = Point{s.coordinate(i, 0), s.coordinate(i, 1)}
	}
	return layout, nil
}

// scaled is the result of classical scaling.
type scaled struct {
	means     []float64    // n: mean over j of d_ij²
	values    [2]float64   // the largest eigenvalues, not negative
	vectors   [2][]float64 // n: their eigenvectors
	explained [2]float64
}

// scale scales the distances of n points.
func scale(n int, distance func(i, j int) float64) (*scaled, error) {
	s := &scaled{means: make([]float64, n), vectors: [2][]float64{make([]float64, n), make([]float64, n)}}
	all := 0.0
	for i := range n {
		for j := range n {
			d := distance(i, j)
			s.means[i] += d * d / float64(n)
		}
		all += s.means[i] / float64(n)
	}
	b := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			d := distance(i, j)
			b[i*n+j] = -0.5 * (float64(d*d) - s.means[i] - s.means[j] + all)
		}
	}
	values, vectors, ok := eigen.Largest(b, n, 2)
	if !ok {
		return nil, errors.New("the distances between topics could not be scaled to a map")
	}
	s.take(values, vectors)
	return s, nil
}

// take keeps the two largest eigenvalues with their vectors.
func (s *scaled) take(values []float64, vectors [][]float64) {
	positive := 0.0
	for _, v := range values {
		positive += max(v, 0)
	}
	for axis, v := range vectors {
		value := values[len(values)-1-axis]
		if value <= 1e-12*positive { // rounding, not a dimension
			continue
		}
		s.values[axis], s.explained[axis] = value, value/positive
		s.vectors[axis] = v
		if flipped(v) {
			for i := range v {
				v[i] = -v[i]
			}
		}
	}
}

// flipped reports whether the largest component is negative; among components that are equal up to
// rounding, the first decides.
func flipped(v []float64) bool {
	largest := 0.0
	for _, x := range v {
		largest = max(largest, math.Abs(x))
	}
	for _, x := range v {
		if math.Abs(x) >= (1-1e-9)*largest {
			return x < 0
		}
	}
	return false
}

// coordinate returns √λ v_i, but never a negative zero.
func (s *scaled) coordinate(i, axis int) float64 {
	return float64(math.Sqrt(s.values[axis])*s.vectors[axis][i]) + 0
}

// place returns the coordinate of a point from its distances to all scaled ones:
func (s *scaled) place(distances []float64, axis int) float64 {
	if s.values[axis] == 0 {
		return 0
	}
	sum := 0.0
	for i, d := range distances {
		sum += float64(s.vectors[axis][i] * (float64(d*d) - s.means[i]))
	}
	return -0.5*sum/math.Sqrt(s.values[axis]) + 0
}

// landmarkMap scales the given number of topics and places all by their distances to them.
func landmarkMap(ctx context.Context, m topic.Model, threads, count int) (*Layout, error) {
	order := canonical(m)
	k := len(order)
	n := min(count, k)
	marks, number := make([]int, n), make(map[int]int, n)
	for i := range marks {
		marks[i] = order[i*k/n]
		number[marks[i]] = i
	}
	rows := make([][]float64, n) // distances from landmark i to all topics
	err := newRooted(m).each(ctx, marks, false, threads, func(topic int,
		distances []float64,
	) {
		rows[number[topic]] = distances
	})
	if err != nil {
		return nil, err
	}
	s, err := scale(n, func(i, j int) float64 { return rows[max(i, j)][marks[min(i, j)]] })
	if err != nil {
		return nil, err
	}
	layout := &Layout{Measure: byHellinger, Points: make([]Point, k), Landmarks: n, Explained: s.explained}
	distances := make([]float64, n)
	for topic := range k {
		for i := range rows {
			distances[i] = rows[i][topic]
		}
		layout.Points[topic] = Point{s.place(distances, 0), s.place(distances, 1)}
	}
	return layout, nil
}
