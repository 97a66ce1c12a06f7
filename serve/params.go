package serve

import (
	"cmp"
	"encoding/json"
	"math"
	"net/url"
	"slices"
	"strconv"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
)

// params are the options of a request.
type params struct {
	draws
	model    string
	top      int
	minTheta float64
	words    bool
	count    int // number of similar documents
	offset   int
	limit    int
	text     string
	hasText  bool
}

// param is an option that a request may have.
type param struct {
	name string
	kind string // type of its value in JSON
	set  func(p *params, value string, limits Limits) error
}

const (
	kindString  = "a string"
	kindNumber  = "a number"
	kindBoolean = "true or false"
)

// Options by name. Routes list those that they accept.
var (
	paramModel = param{"model", kindString, func(p *params, v string, _ Limits) error { p.model = v; return nil }}
	paramText  = param{
		"text", kindString,
		func(p *params, v string, _ Limits) error { p.text, p.hasText = v, true; return nil },
	}
	paramTop      = numberParam("top", 0, math.MaxInt32, func(p *params) *int { return &p.top })
	paramMinTheta = param{"min_theta", kindNumber, setMinTheta}
	paramWords    = param{"words", kindBoolean, setWords}
	paramIters    = param{"iterations", kindNumber, func(p *params, v string, l Limits) error {
		return whole(&p.iterations, "iterations", v, 1, l.Iterations)
	}}
	paramBurnIn = param{"burn_in", kindNumber, setBurnIn}
	paramSeed   = param{"seed", kindNumber, setSeed}
	paramCount  = numberParam("count", 1, 1000, func(p *params) *int { return &p.count })

	paramTopWords = numberParam("words", 1, 1000, func(p *params) *int { return &p.count })
	paramOffset   = numberParam("offset", 0, math.MaxInt32, func(p *params) *int { return &p.offset })
	paramLimit    = numberParam("limit", 1, 1000, func(p *params) *int { return &p.limit })

	drawParams    = []param{paramIters, paramBurnIn, paramSeed}
	inferParams   = append([]param{paramModel, paramTop, paramMinTheta, paramWords}, drawParams...)
	textParams    = append([]param{paramText}, inferParams...)
	similarParams = append([]param{paramModel, paramCount}, drawParams...)
)

// numberParam returns an option that is a whole number between two bounds.
func numberParam(name string, least, most int, at func(p *params) *int) param {
	return param{name, kindNumber, func(p *params, v string,
		_ Limits,
	) error {
		return whole(at(p), name, v, least, most)
	}}
}

// whole parses a whole number between two bounds.
func whole(to *int, name, value string, least, most int) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > most {
		return badRequest("%s is %s: it must be a whole number between %d and %d", name, shown(value), least, most)
	}
	*to = n
	return nil
}

func setMinTheta(p *params, value string, _ Limits) error {
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || !(x >= 0 && x <= 1) {
		return badRequest("min_theta is %s: it must be a number between 0 and 1", shown(value))
	}
	p.minTheta = x
	return nil
}

func setWords(p *params, value string, _ Limits) error {
	if value != "true" && value != "false" {
		return badRequest("words is %s: it must be true or false", shown(value))
	}
	p.words = value == "true"
	return nil
}

func setBurnIn(p *params, value string, l Limits) error {
	err := whole(&p.burnIn, "burn_in", value, 0, l.Iterations)
	if p.burnIn == 0 {
		p.burnIn = -1
	}
	return err
}

func setSeed(p *params, value string, _ Limits) error {
	n, err := strconv.ParseUint(value, 10, 64)
	if err != nil {
		return badRequest("seed is %s: it must be a whole number between 0 and %d", shown(value),
			uint64(math.MaxUint64))
	}
	p.seed = n
	return nil
}

// shown returns a value as messages show it.
func shown(value string) string {
	if len(value) > 40 {
		value = value[:40] + "…"
	}
	return strconv.Quote(value)
}

// fromQuery reads the options of a query.
func (p *params) fromQuery(rawQuery string, known []param, limits Limits) error {
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return badRequest("the query cannot be read: %v", err)
	}
	for name, values := range query {
		if len(values) > 1 {
			return badRequest("%s appears twice in the query", shown(name))
		}
		option, err := findParam(name, known)
		if err != nil {
			return err
		}
		if err := option.set(p, values[0], limits); err != nil {
			return err
		}
	}
	return p.check()
}

// fromJSON reads an option from JSON.
func (p *params) fromJSON(name string, raw json.RawMessage, known []param, limits Limits) error {
	option, err := findParam(name, known)
	if err != nil {
		return err
	}
	value := string(raw)
	kind := kindNumber
	switch raw[0] {
	case '"':
		kind = kindString
		if json.Unmarshal(raw, &value) != nil {
			return badRequest("%s is not a string", name)
		}
	case 't', 'f':
		kind = kindBoolean
	case '{', '[', 'n':
		kind = ""
	}
	if kind != option.kind {
		return badRequest("%s is %s: it must be %s", name, shown(string(raw)), option.kind)
	}
	return option.set(p, value, limits)
}

func findParam(name string, known []param) (param, error) {
	i := slices.IndexFunc(known, func(k param) bool { return k.name == name })
	if i < 0 {
		names := lists.Of(known, func(k param) string { return k.name })
		return param{}, badRequest("unknown option %s%s", shown(name), human.Hint(name, names))
	}
	return known[i], nil
}

// check returns the fault of options that contradict each other.
func (p *params) check() error {
	if err := p.options(1).Validate(); err != nil {
		return badRequest("%v", err)
	}
	return nil
}

// draws are the options that determine a document's topics.
type draws struct {
	iterations, burnIn int // as in topoi.InferOptions: 0 is the default, a burn-in of -1 means none
	seed               uint64
}

// sweeps returns the cost of a document in sweeps. Computing expected topics costs about ten.
func (d draws) sweeps() int { return cmp.Or(d.iterations, 10) }

func (d draws) options(threads int) topoi.InferOptions {
	return topoi.InferOptions{Iterations: d.iterations, BurnIn: d.burnIn, Seed: d.seed, Threads: threads, Device: "cpu"}
}
