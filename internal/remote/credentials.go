package remote

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/aws/smithy-go"
	"golang.org/x/oauth2"
)

// explain makes one line of an error of the libraries that find credentials. It says who answered what, and nothing of
// what was sent.
func explain(err error) error {
	if e, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		return answered(e.Response, e.ErrorCode, e.ErrorDescription)
	}
	if e, ok := errors.AsType[*azidentity.AuthenticationFailedError](err); ok && e.RawResponse != nil {
		var said struct {
			Code        string `json:"error"`
			Description string `json:"error_description"`
		}
		if body, err := runtime.Payload(e.RawResponse); err == nil {
			_ = json.Unmarshal(body, &said) // other servers answer with a page
		}
		return answered(e.RawResponse, said.Code, said.Description)
	}
	if e, ok := errors.AsType[smithy.APIError](err); ok {
		return errors.New(firstLine(e.ErrorCode() + ": " + e.ErrorMessage()))
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		host := e.URL
		if address, fault := url.Parse(e.URL); fault == nil {
			host = address.Host
		}
		return errors.New(host + ": " + firstLine(e.Err.Error()))
	}
	return errors.New(oneLine(err.Error()))
}

// longest is how many bytes of a library's sentence are shown.
const longest = 600

// oneLine joins the lines of a text, and cuts it off where it goes on for long.
func oneLine(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' || r == '\t' }), "; ")
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + " …"
	}
	return text
}

// answered returns an error about an answer that is no success.
func answered(r *http.Response, code, description string) error {
	host := "the service that gives tokens"
	if r.Request != nil && r.Request.URL != nil {
		host = r.Request.URL.Host
	}
	said := strings.Trim(code+": "+firstLine(description), ": ")
	if said == "" {
		return fmt.Errorf("%s answered %s", host, r.Status)
	}
	return fmt.Errorf("%s answered %s (%s)", host, r.Status, said)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}
