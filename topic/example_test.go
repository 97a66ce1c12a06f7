package topic_test

import (
	"fmt"

	"github.com/topoi-lda/topoi/topic"
)

// A model takes names of its topics in the form that Checked returns.
func ExampleLabels() {
	labels, err := topic.Labels{Names: map[int]string{0: " energy ", 2: "health"}, Hidden: []int{1}}.Checked(3)
	fmt.Println(labels.Name(0), labels.IsHidden(1), err)
	_, err = topic.Labels{Names: map[int]string{7: "nothing"}}.Checked(3)
	fmt.Println(err)
	// Output:
	// energy true <nil>
	// there is no topic 7: the model's topics are 0 to 2
}
