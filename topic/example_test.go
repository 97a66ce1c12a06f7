package topic_test

import (
	"fmt"
	"log"
	"os"

	"github.com/topoi-lda/topoi/topic"
)

// Names that people give to topics are kept in a file beside the model.
func ExampleLabels() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	labels, err := topic.Labels{Names: map[int]string{0: " energy ", 2: "health"}, Hidden: []int{1}}.Checked(3)
	if err != nil {
		log.Fatal(err)
	}
	if err := labels.SaveIn(dir); err != nil {
		log.Fatal(err)
	}
	fmt.Println(labels.Name(0), labels.IsHidden(1))
	_, err = topic.Labels{Names: map[int]string{7: "nothing"}}.Checked(3)
	fmt.Println(err)
	// Output:
	// energy true
	// there is no topic 7: the model's topics are 0 to 2
}
