package main

import (
	"encoding/json"
	"runtime/debug"
	"strings"
	"time"
)

// bill is a bill of materials in CycloneDX's form, version 1.5: what a program is made of.
type bill struct {
	Format      string      `json:"bomFormat"`
	SpecVersion string      `json:"specVersion"`
	Version     int         `json:"version"`
	Metadata    metadata    `json:"metadata"`
	Components  []component `json:"components"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"` // of the commit, so that it is repeated
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// billOfMaterials lists the modules of a program, as the Go tool has recorded them in it, and
// Go's own library.
func billOfMaterials(info *debug.BuildInfo, version string, t target, when time.Time) ([]byte, error) {
	program := module("application", info.Main.Path, version)
	program.Properties = []property{{"go:version", info.GoVersion}, {"go:os", t.os}, {"go:arch", t.arch}, {"go:tags", t.tags}}
	b := bill{
		Format: "CycloneDX", SpecVersion: "1.5", Version: 1,
		Metadata:   metadata{when.Format(time.RFC3339), program},
		Components: []component{module("library", "std", strings.TrimPrefix(info.GoVersion, "go"))},
	}
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		c := module("library", d.Path, d.Version)
		if d.Sum != "" {
			c.Properties = []property{{"go:sum", d.Sum}}
		}
		b.Components = append(b.Components, c)
	}
	data, err := json.MarshalIndent(b, "", "  ")
	return append(data, '\n'), err
}

func module(kind, path, version string) component {
	purl := "pkg:golang/" + path + "@" + version
	return component{Type: kind, Ref: purl, Name: path, Version: version, PURL: purl}
}
