package rows

import "runtime"

// CountCounts returns how many n_wk have each value, from 1 on, by value.
func (m *Model) CountCounts() []uint64 {
	lists := make([][]uint64, runtime.GOMAXPROCS(0))
	rows := len(m.dense) / m.topics
	Spread(len(lists), 2*len(m.slices), func(goroutine, i int) {
		list := lists[goroutine]
		if i < len(m.slices) {
			for _, e := range m.slices[i].entries {
				list = countCount(list, e.Count)
			}
		} else {
			i -= len(m.slices)
			first, last := rows*i/len(m.slices), rows*(i+1)/len(m.slices)
			for _, n := range m.dense[first*m.topics : last*m.topics] {
				if n > 0 {
					list = countCount(list, uint32(n))
				}
			}
		}
		lists[goroutine] = list
	})
	var sum []uint64
	for _, list := range lists {
		sum = append(sum, make([]uint64, max(0, len(list)-len(sum)))...)
		for value, n := range list {
			sum[value] += n
		}
	}
	return sum
}

// countCount counts one value.
func countCount(list []uint64, value uint32) []uint64 {
	if int(value) >= len(list) {
		list = append(list, make([]uint64, int(value)+1-len(list))...)
	}
	list[value]++
	return list
}
