package explore

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/topoi-lda/topoi/internal/webpage"
)

// checkPolicy checks that the policy of a page names the hashes of exactly the script and the
// style that it has, that nothing in them ends their elements early, and that the script asks for
// nothing from elsewhere and never writes markup.
func checkPolicy(t *testing.T, page string) {
	t.Helper()
	_, style, _ := strings.Cut(page, "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	_, script, _ := strings.Cut(page, `<script type="module">`)
	script, _, _ = strings.Cut(script, "</script>")
	want := fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'", hashOf(script), hashOf(style))
	if !strings.Contains(page, want) {
		t.Error("the policy does not name the script and the style of the page")
	}
	if n := strings.Count(page, "<script"); n != 2 {
		t.Errorf("the page has %d scripts: data and code make two", n)
	}
	for _, forbidden := range []string{"http://", "https://", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("} {
		if strings.Contains(strings.ReplaceAll(script, "http://www.w3.org/2000/svg", ""), forbidden) {
			t.Errorf("the script has %q", forbidden)
		}
	}
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// directoryOf unpacks the data of a page as far as its directory.
func directoryOf(t *testing.T, page string) (info map[string]any, arrays map[string]webpage.Place) {
	t.Helper()
	_, data, _ := strings.Cut(page, `id="data">`)
	data, _, _ = strings.Cut(data, "</script>")
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(strings.TrimSpace(data))))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	size := binary.LittleEndian.Uint32(b)
	var d struct {
		Info   map[string]any
		Arrays map[string]webpage.Place
	}
	if err := json.Unmarshal(b[4:4+size], &d); err != nil {
		t.Fatal(err)
	}
	return d.Info, d.Arrays
}
