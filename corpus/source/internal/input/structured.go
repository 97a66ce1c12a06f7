package input

import (
	"bytes"
	"regexp"
	"slices"
)

// structured are files of text whose lines are no documents. Read line by line they would become thousands of scraps.
var structured = []struct {
	begins     []string       // in small letters
	like       *regexp.Regexp // if begins is not enough
	what, hint string
}{
	{
		begins: []string{"from "}, like: regexp.MustCompile(
			`^From \S+ +(Mon|Tue|Wed|Thu|Fri|Sat|Sun),? .*\d\d:\d\d.*\r?\n([>A-Za-z][\w-]*:|>From )`),
		what: "this is a mailbox (mbox), whose lines are no documents",
		hint: "write every message to a file of its own and give the directory, or a table with a message in each row",
	},
	{
		begins: []string{"<!doctype html", "<html"}, what: "this is an HTML page, whose lines are no documents",
		hint: "give the directory of the pages, each of which becomes a document: Options.Pattern = *.html",
	},
	{
		begins: []string{"<?xml"}, what: "this is XML, whose lines are no documents",
		hint: "write its documents to a table or to files; or give the directory, in which each file becomes a document: Options.Pattern = *.xml",
	},
	{
		begins: []string{"webvtt"}, like: regexp.MustCompile(`^WEBVTT([ \t].*)?\r?\n`),
		what: "these are subtitles (WebVTT), whose lines are no documents",
		hint: "remove the times, and give the directory of the texts or a table with one in each row",
	},
}

// RefuseLines returns an error if a file that begins with head has no documents in its lines.
func RefuseLines(path string, head []byte) error {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	text := bytes.TrimLeft(head, " \t\r\n")
	small := bytes.ToLower(text[:min(len(text), 16)])
	for _, s := range structured {
		begins := slices.ContainsFunc(s.begins, func(b string) bool { return bytes.HasPrefix(small, []byte(b)) })
		if begins && (s.like == nil || s.like.Match(head)) {
			return &Error{File: DisplayName(path), Msg: s.what, Hint: s.hint}
		}
	}
	return nil
}
