package remote

import (
	"encoding/base64"
	"io"
	"testing"
)

// StartStore starts a store for tests of the program.
func StartStore(t *testing.T) (put func(local, path string), get func(path string) []byte) {
	server(t)
	put = func(local, path string) {
		t.Helper()
		if err := Store(local, path, ""); err != nil {
			t.Fatal(err)
		}
	}
	get = func(path string) []byte {
		t.Helper()
		o, err := Open(path)
		if err != nil {
			t.Error(err)
			return nil
		}
		defer o.Close()
		b, err := io.ReadAll(o)
		if err != nil {
			t.Error(err)
		}
		return b
	}
	return put, get
}

// Asked returns how many bytes of objects Google's store was asked for since the last call.
var Asked func() int64

// StartClouds starts stores like Google's and Azure's that hold a folder, and returns where they are.
func StartClouds(t *testing.T, local, name string) (roots []string) {
	t.Helper()
	c, google := newCloud(t, false, version4("id", "secret"))
	Asked = func() int64 {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		defer func() { c.asked = 0 }()
		return c.asked
	}
	_, azure := newCloud(t, true, sharedKey("news", []byte("secret")))
	use(t, map[string]string{
		"STORAGE_EMULATOR_HOST": google, "GS_ACCESS_KEY_ID": "id", "GS_SECRET_ACCESS_KEY": "secret", "AZURE_STORAGE_ACCOUNT": "news",
		"AZURE_STORAGE_KEY": base64.StdEncoding.EncodeToString([]byte("secret")), "AZURE_STORAGE_SERVICE_ENDPOINT": azure,
	})
	roots = []string{"gs://bucket/", "az://container/", "abfss://other@news.dfs.core.windows.net/"}
	for _, root := range roots {
		if err := Store(local, root+name, ""); err != nil {
			t.Fatal(err)
		}
	}
	return roots
}
