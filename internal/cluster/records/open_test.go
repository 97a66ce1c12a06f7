package records

import (
	"fmt"
	"testing"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// A job of another program is refused by a sentence that names both versions, also where one is not known.
func TestRefuse(t *testing.T) {
	unsealed := func(p int, program string) string {
		return fmt.Sprintf(`{"protocol":%d,"program":%q,"results":"a"}`, p, program)
	}
	same := protocol.Protocol
	results := func(string) (string, error) { return "b", nil }
	const everywhere = ": run the same program everywhere"
	for _, test := range []struct {
		protocol int
		program  string
		build    Build
		want     string
	}{
		{3, "0.9", Build{Version: "1.0"}, fmt.Sprintf("job news was submitted by topoi 0.9 (protocol 3) and this is topoi 1.0 (protocol %d)", same) + everywhere},
		{3, "", Build{}, fmt.Sprintf("job news was submitted by topoi of an unknown version (protocol 3) and this is topoi of an unknown version (protocol %d)", same) + everywhere},
		{same, "", Build{Version: "1.0"}, fmt.Sprintf("job news was submitted by topoi of an unknown version (protocol %d) and this is topoi 1.0 (protocol %[1]d)", same) + everywhere},
		{same, "", Build{Results: results}, "job news was submitted by topoi of an unknown version whose small runs give a, and those of this topoi of an unknown version give b, " +
			"so that it would make another model" + everywhere + ", and see that the machine is sound"},
	} {
		j := &Job{Blobs: Blobs{Layout: protocol.NewLayout("news", protocol.Spec{})}}
		if test.protocol == same {
			j.Protocol, j.Program, j.Results = same, test.program, "a"
		} else if err := j.readSpec(unsealed(test.protocol, test.program)); err != nil {
			t.Fatal(err)
		}
		if err := j.refuse(test.build); err == nil || err.Error() != test.want {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
}
