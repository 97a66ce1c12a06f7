package serve

import (
	"errors"
	"testing"
)

// Whatever a body holds, it is read or refused with a problem of the client's, and never
// has more words than allowed.
func FuzzBodies(f *testing.F) {
	for _, seed := range []string{
		`{"documents":["a",{"id":1,"text":"b"},{"tokens":["c"]},{"counts":{"d":2}}],"top":3,"seed":1}`,
		`{"documents":[null,{"text":null}],"words":true,"min_theta":0.5,"burn_in":0}`, `{"documents":[[]]}`, `[`, ``, `{"documents":[{"counts":{"a":1e9}}]}`,
		`{"inputs":[{"name":"text","datatype":"BYTES","shape":[1,1],"data":[["a"]]}],"parameters":{"seed":1}}`,
	} {
		f.Add([]byte(seed))
	}
	s := &Server{limits: Options{Limits: Limits{Tokens: 100, Docs: 10}}.withDefaults().Limits}
	f.Fuzz(func(t *testing.T, data []byte) {
		var p params
		docs, err := s.parseBody(data, &p, inferParams)
		if err == nil {
			_, _, docs, err = tensors{s}.parseTensors(data)
			if err == nil && len(docs) > 10 {
				t.Errorf("%d documents", len(docs))
			}
		}
		for _, d := range docs {
			total := 0
			for _, c := range d.counts {
				total += c.n
			}
			if total > 100 || len(d.tokens) > 100 {
				t.Errorf("%d and %d words", total, len(d.tokens))
			}
		}
		var fault *problem
		if err != nil && (!errors.As(err, &fault) || fault.status >= 500 || fault.message == "") {
			t.Errorf("%q: %v", data, err)
		}
	})
}

// Whatever a query holds, it is read or refused.
func FuzzQueries(f *testing.F) {
	for _, seed := range []string{"text=a&top=1", "min_theta=NaN", "iterations=1&burn_in=0", "seed=18446744073709551615", "%zz", "a=b", "words=maybe"} {
		f.Add(seed)
	}
	limits := Options{}.withDefaults().Limits
	f.Fuzz(func(t *testing.T, query string) {
		var p params
		err := p.fromQuery(query, textParams, limits)
		if err == nil && (p.iterations > limits.Iterations || p.top < 0 || !(p.minTheta >= 0 && p.minTheta <= 1)) {
			t.Errorf("%q: %+v", query, p)
		}
	})
}
