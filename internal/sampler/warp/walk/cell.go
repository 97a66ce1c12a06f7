package walk

// TopicCell is what one goroutine stores about a topic. Topics come in any order, and with very many of them
// each access is a cache miss. So what is needed together is stored together, four topics to a cache line.
type TopicCell struct {
	N     int32   // count in the current row; zero between rows
	Inv   float32 // warp's inv_k
	Prior float32 // float32(α_k)
	Total uint32  // tokens with the topic, until flush adds them to n_k
}

// setDenseGo sets the counts of topics from first on, lists those that occur, and returns their number and
// the sum of their counts. As in Add, no branch depends on the counts.
func setDenseGo(cells []TopicCell, seen []uint32, row []int32, first int) (n, sum int) {
	cells = cells[:len(row)]
	for k := first; k < len(row); k++ {
		cells[k].N = row[k]
		seen[n] = uint32(k)
		next := n + 1
		if row[k] == 0 {
			next = n
		}
		n = next
		sum += int(row[k])
	}
	return n, sum
}
