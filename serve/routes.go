package serve

import (
	"net/http"
	"slices"
	"strings"
)

// route is a path and method that can be requested.
type route struct {
	method string
	path   string  // as in openapi.yaml
	open   bool    // whether no token is needed
	takes  []param // parameters in its query; nil if the query is ignored
	handle func(s *Server, a *answer, r *http.Request, p *params) error
}

// by returns a handler of a route from a method of one of these types.
func by[T ~struct{ *Server }](handle func(s T, a *answer, r *http.Request, p *params) error,
) func(s *Server, a *answer, r *http.Request, p *params) error {
	return func(s *Server, a *answer, r *http.Request, p *params) error { return handle(T{s}, a, r, p) }
}

// of returns a handler of a route from a method that answers for a model.
func of[T interface {
	~struct{ *Server }
	model(r *http.Request, p *params) (*version, error)
}](handle func(s T, a *answer, r *http.Request, p *params, v *version) error,
) func(s *Server, a *answer, r *http.Request, p *params) error {
	return func(s *Server, a *answer, r *http.Request, p *params) error {
		v, err := T{s}.model(r, p)
		if err != nil {
			return err
		}
		defer v.done()
		return handle(T{s}, a, r, p, v)
	}
}

// serverPath is the only path besides / that ends with a slash, as the Open Inference Protocol defines it.
const serverPath = "/v2/"

// routes lists all routes, as openapi.yaml does.
var routes = []route{
	{"GET", "/", false, []param{paramModel}, of(catalog.getPage)},
	{"GET", "/v1/infer", false, textParams, (*Server).getInfer},
	{"POST", "/v1/infer", false, inferParams, (*Server).postInfer},
	{"POST", "/v1/similar", false, similarParams, (*Server).postSimilar},
	{"GET", "/v1/models", false, []param{}, by(catalog.getModels)},
	{"GET", "/v1/models/{model}", false, nil, of(catalog.getModel)},
	{"GET", "/v1/topics", false, []param{paramModel, paramTopWords, paramOffset, paramLimit}, of(catalog.getTopics)},
	{"GET", "/v1/topics/{topic}", false, []param{paramModel, paramTopWords}, of(catalog.getTopic)},
	{"GET", "/v2", false, nil, by(tensors.getServer)},
	{"GET", serverPath, false, nil, by(tensors.getServer)},
	{"GET", "/v2/health/live", true, nil, by(tensors.getLiveTensor)},
	{"GET", "/v2/health/ready", true, nil, by(tensors.getReadyTensor)},
	{"GET", "/v2/models/{model}", false, nil, of(tensors.getTensorModel)},
	{"GET", "/v2/models/{model}/ready", false, nil, of(tensors.getTensorModelReady)},
	{"POST", "/v2/models/{model}/infer", false, nil, by(tensors.postTensors)},
	{"GET", "/v2/models/{model}/versions/{version}", false, nil, of(tensors.getTensorModel)},
	{"GET", "/v2/models/{model}/versions/{version}/ready", false, nil, of(tensors.getTensorModelReady)},
	{"POST", "/v2/models/{model}/versions/{version}/infer", false, nil, by(tensors.postTensors)},
	{"GET", "/livez", true, nil, by(catalog.getLive)},
	{"GET", "/readyz", true, nil, by(catalog.getReady)},
	{"GET", "/metrics", false, nil, by(catalog.getMetrics)},
	{"GET", "/openapi.yaml", false, nil, by(catalog.getOpenAPI)},
}

// newMux makes the routes ready. Every path has one handler, which knows its methods.
func (s *Server) newMux() *http.ServeMux {
	mux := http.NewServeMux()
	byPath := map[string][]route{}
	for _, r := range routes {
		byPath[r.path] = append(byPath[r.path], r)
	}
	for path, list := range byPath {
		pattern := path
		if strings.HasSuffix(path, "/") {
			pattern += "{$}" // not what is below it
		}
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.dispatch(w.(*answer), r, path, list) })
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { s.dispatch(w.(*answer), r, "none", nil) })
	return mux
}

// dispatch calls the route that fits the method, if the client may.
func (s *Server) dispatch(a *answer, r *http.Request, path string, list []route) {
	a.route = path
	i := slices.IndexFunc(list, func(c route) bool {
		return c.method == r.Method || c.method == http.MethodGet && r.Method == http.MethodHead
	})
	var err error
	switch {
	case (i < 0 || !list[i].open) && !s.tokens.allow(r):
		a.Header().Add("WWW-Authenticate", `Bearer realm="topoi"`)
		a.Header().Add("WWW-Authenticate", `Basic realm="topoi", charset="UTF-8"`)
		err = newProblem(http.StatusUnauthorized, "unauthorized",
			"a token is required: send the header Authorization: Bearer TOKEN")
	case list == nil:
		err = notFound("there is nothing at %s: /openapi.yaml lists what there is", shown(r.URL.Path))
	case i < 0:
		err = notAllowed(r.Method, list)
	default:
		err = s.handle(a, r, &list[i])
	}
	if err != nil {
		s.fail(a, err)
	}
}

// handle reads the options of a request and answers it.
func (s *Server) handle(a *answer, r *http.Request, to *route) error {
	var p params
	if to.takes != nil {
		if err := p.fromQuery(r.URL.RawQuery, to.takes, s.limits); err != nil {
			return err
		}
	}
	return to.handle(s, a, r, &p)
}

func notAllowed(method string, list []route) error {
	var allow []string
	for _, r := range list {
		allow = append(allow, r.method)
		if r.method == http.MethodGet {
			allow = append(allow, http.MethodHead)
		}
	}
	p := newProblem(http.StatusMethodNotAllowed, "method_not_allowed", "the method %s is not allowed here: use %s",
		shown(method), strings.Join(allow, ", "))
	p.allow = strings.Join(allow, ", ")
	return p
}
