package serve

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// checkOrigin returns what is wrong with an allowed origin.
func checkOrigin(origin string) error {
	u, err := url.Parse(origin)
	if origin == "*" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.Scheme+"://"+u.Host == origin {
		return nil
	}
	return fmt.Errorf("%q is no origin of web pages: it must look like https://example.org, or be *", origin)
}

// mayHost says whether a request may name the server so.
func (s *Server) mayHost(host string) bool {
	if slices.Contains(s.options.Hosts, "*") {
		return true
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	if _, err := netip.ParseAddr(host); err == nil || host == "localhost" || host == "" {
		return true
	}
	return slices.ContainsFunc(s.options.Hosts, func(h string) bool { return strings.ToLower(h) == host })
}

// crossOrigin tells browsers whether scripts of another web page may read the answer, and
// answers the question that they ask before. It says whether all is answered.
func (s *Server) crossOrigin(a *answer, r *http.Request) bool {
	if len(s.options.Origins) == 0 {
		return false
	}
	h := a.Header()
	h.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if origin == "" || !slices.Contains(s.options.Origins, "*") && !slices.Contains(s.options.Origins, origin) {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	if slices.Contains(s.options.Origins, "*") {
		h.Set("Access-Control-Allow-Origin", "*")
	}
	h.Set("Access-Control-Expose-Headers", "ETag, Retry-After, Topoi-Fingerprint")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Content-Encoding, If-None-Match")
	h.Set("Access-Control-Max-Age", "600")
	a.WriteHeader(http.StatusNoContent)
	return true
}
