// Package remote reads and writes what is not on this machine: objects of Amazon S3 and of the stores that speak its
// protocol (s3://BUCKET/KEY), of Google (gs://BUCKET/KEY) and Azure (az://CONTAINER/NAME), and, for reading alone,
// files of web servers (https://…). The client is a small one of its own: see docs/internals/design.md.
package remote

import (
	"strings"

	"github.com/topoi-lda/topoi/internal/objects"
)

// locate takes a path apart.
func locate(path string) (place, error) {
	scheme, rest, _ := strings.Cut(path, "://")
	p := place{path: path}
	p.bucket, p.key, _ = strings.Cut(rest, "/")
	switch scheme {
	case "s3":
		p.in = settings()
	case "gs":
		p.in = googleSettings()
	case "az", "abfs", "abfss":
		container, host, _ := strings.Cut(p.bucket, "@")
		p.in, p.bucket = azureSettings().at(host), container
		if azureSettings().account == "" && host == "" {
			return p, &objects.Fault{Path: path, Msg: "the storage account is not known", Hint: "set AZURE_STORAGE_ACCOUNT, " +
				"or write abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/NAME"}
		}
	default:
		p.web = true
	}
	if p.bucket == "" {
		return p, &objects.Fault{
			Path: path, Msg: "the bucket or host is missing",
			Hint: "write s3://BUCKET/KEY, gs://BUCKET/KEY, az://CONTAINER/NAME or https://HOST/FILE",
		}
	}
	return p, nil
}
