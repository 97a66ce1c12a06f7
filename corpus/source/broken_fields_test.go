package source

import "testing"

func TestBrokenJSONL(t *testing.T) {
	js := func(name, content, want string, opts Options) broken {
		return broken{name: name, files: map[string]string{"a.jsonl": content}, opts: opts, want: want}
	}
	const ok = `{"text": "x", "id": 1}` + "\n"
	runBroken(t, []broken{
		js("empty", "", "a.jsonl: the file is empty; expected at least one document", Options{}),
		js("only blank lines", "\n \n", "a.jsonl: the file holds only blank lines; a jsonl input needs at least one document", Options{}),
		js("array", "[{\"text\": \"x\"}]\n", `a.jsonl:1: byte 1: found "[{\"text\": \"x", expected an object, which begins with {; every line must hold one JSON object (jq -c '.[]' turns an array into lines)`, Options{}),
		js("pretty printed", "{\n  \"text\": \"x\"\n}\n", "a.jsonl:1: byte 2: found the end of the line, expected a key in quotation marks; every line must hold one JSON object (jq -c '.[]' turns an array into lines)", Options{}),
		js("cut off", ok+`{"text": "x`, `a.jsonl:2: byte 10: found "\"x", expected a string that ends on the same line; every line must hold one JSON object (jq -c '.[]' turns an array into lines)`, Options{}),
		js("no comma", ok+`{"text": "x" "id": 2}`, `a.jsonl:2: byte 14: found "\"id\": 2}", expected a comma or }; every line must hold one JSON object (jq -c '.[]' turns an array into lines)`, Options{}),
		js("no colon", ok+`{"text" "x"}`, `a.jsonl:2: byte 9: found "\"x\"}", expected a colon; every line must hold one JSON object (jq -c '.[]' turns an array into lines)`, Options{}),
		js("no key", ok+`{text: "x"}`, `a.jsonl:2: byte 2: found "text: \"x\"}", expected a key in quotation marks; every line must hold one JSON object (jq -c '.[]' turns an array into lines)`, Options{}),
		js("bad literal", ok+`{"text": nul}`, `a.jsonl:2: byte 10: found "nul}", expected a value; every line must hold one JSON object (jq -c '.[]' turns an array into lines)`, Options{}),
		js("bad number", ok+`{"text": "x", "n": -}`, `a.jsonl:2: byte 21: found "}", expected a digit; every line must hold one JSON object (jq -c '.[]' turns an array into lines)`, Options{}),
		js("two objects", ok+`{"text": "x"} {"text": "x"}`, `a.jsonl:2: byte 15: found "{\"text\": \"x\"", expected the end of the line; every line must hold one JSON object (jq -c '.[]' turns an array into lines)`, Options{}),
		js("control character", ok+"{\"text\": \"a\tb\"}", `a.jsonl:2: byte 12: found "\tb\"}", expected an escape instead of a control character; every line must hold one JSON object (jq -c '.[]' turns an array into lines)`, Options{}),
		js("bad escape", ok+`{"text": "a\x"}`, `a.jsonl:2: byte 13: found "x\"}", expected one of " \ / b f n r t u after a backslash; every line must hold one JSON object (jq -c '.[]' turns an array into lines)`, Options{}),
		js("bad unicode escape", ok+`{"text": "a\u12g4"}`, `a.jsonl:2: byte 14: found "12g4\"}", expected four hexadecimal digits; every line must hold one JSON object (jq -c '.[]' turns an array into lines)`, Options{}),
		js("NUL escape", ok+`{"text": "a\u0000"}`, `a.jsonl:2: a string holds \u0000, which text never holds; remove it, or replace it with Options.RepairUTF8`, Options{}),
		js("NUL byte", ok+"{\"text\": \"a\x00\"}", "a.jsonl:2: byte 12 of the line is NUL, which text never contains; check that the file is text, name its encoding with Options.Encoding, or replace such bytes with Options.RepairUTF8", Options{}),
		js("invalid UTF-8", ok+"{\"text\": \"caf\xe9\"}", "a.jsonl:2: byte 14 of the line (0xe9) is not valid UTF-8; correct it, name the encoding of the text with Options.Encoding, or replace such bytes with Options.RepairUTF8", Options{Encoding: "utf-8"}),
		js("no such field", ok, `a.jsonl:1: no field is called "txt": did you mean "text"?`, Options{TextFields: []string{"txt"}}),
		js("no text field", `{"title": "x", "n": 1}`, `a.jsonl:1: no field holds text or tokens; found "title" (other), "n" (number); name the field with Options.TextFields or Options.TokensField`, Options{}),
		js("field missing later", ok+`{"id": 2}`, `a.jsonl:2: the object has no field "text"; every object must have it; null stands for an empty document`, Options{}),
		js("field never there", ok, `a.jsonl: no object has the field "lable"; correct the name of the field`, Options{LabelField: "lable"}),
		js("text is a number", ok+`{"text": 3}`, `a.jsonl:2: the field "text" is "3", expected a string; all objects must hold text in the same form as the first`, Options{}),
		js("id is an object", ok+`{"text": "y", "id": {}}`, `a.jsonl:2: the field "id" is "{}", expected a string or a number; choose another field, or flatten this one`, Options{}),
		js("tokens are text", ok, `a.jsonl:1: the field "text" is neither an array of tokens nor an object of counts; read text with Options.TextFields = text`, Options{TokensField: "text"}),
		js("token is a number", `{"tokens": ["a", 1]}`, `a.jsonl:1: the array "tokens" holds "1", expected tokens in quotation marks; every token must be a string`, Options{}),
		js("tokens become text", `{"tokens": ["a"]}`+"\n"+`{"tokens": "b"}`, `a.jsonl:2: the field "tokens" is "\"b\"", expected an array of tokens; all objects must hold tokens in the same form as the first`, Options{}),
		js("count is negative", `{"tokens": {"a": -1}}`, "a.jsonl:1: count -1 is negative; expected how often the word occurs", Options{}),
		js("count is text", `{"tokens": {"a": "b"}}`, `a.jsonl:1: count is "\"b\"", which is not a number; expected how often the word occurs`, Options{}),
		js("counts become tokens", `{"tokens": {"a": 1}}`+"\n"+`{"tokens": ["a"]}`, `a.jsonl:2: the field "tokens" is "[\"a\"]", expected an object of counts; all objects must hold counts in the same form as the first`, Options{}),
		js("empty term", `{"tokens": {"": 1}}`, `a.jsonl:1: the term "" is empty or holds \u0000; remove it`, Options{}),
		js("repeated id", ok+ok, `a.jsonl:2: the document id "1" was already used; make the ids unique, or accept duplicates by leaving out Options.UniqueIDs`, Options{UniqueIDs: true}),
		{
			name: "text and tokens", files: map[string]string{"a.jsonl": ok, "b.jsonl": `{"tokens": []}`}, in: []string{"a.jsonl", "b.jsonl"},
			want: "b.jsonl: its documents hold tokens, those of a.jsonl text; import the files one by one",
		},
	})
}

func TestBrokenParquet(t *testing.T) {
	file := func(name, content, want string) broken {
		return broken{name: name, files: map[string]string{"a.parquet": content}, want: want}
	}
	whole := string(parquetBytes(t, []parquetRow{{Text: "one"}, {Text: "caf\xe9"}}))
	runBroken(t, []broken{
		file("empty", "", "a.parquet: the file is empty; expected at least one document"),
		file("magic only", "PAR1", "a.parquet: this is not a valid Parquet file (it does not end as one does); write or copy it again"),
		file("truncated", cut(whole, 20), `a.parquet: this is not a valid Parquet file (it does not end as one does); write or copy it again`),
		file("invalid UTF-8", whole, "a.parquet: row 2: line 1: byte 4 of the line (0xe9) is not valid UTF-8; write the column as UTF-8, or replace such bytes with Options.RepairUTF8"),
		{name: "no such column", files: map[string]string{"a.parquet": whole}, opts: Options{TextFields: []string{"txt"}}, want: `a.parquet: no column is called "txt": did you mean "text"?`},
		{name: "group", files: map[string]string{"a.parquet": whole}, opts: Options{IDField: "meta"}, want: `a.parquet: the column "meta" is a group of several columns; name one of them with a dot: meta.label`},
		{name: "list for id", files: map[string]string{"a.parquet": whole}, opts: Options{IDField: "tokens"}, want: `a.parquet: the column "tokens" is a list, expected one value per row; choose another column`},
		{name: "numbers for text", files: map[string]string{"a.parquet": whole}, opts: Options{TextFields: []string{"number"}}, want: `a.parquet: the column "number" holds DOUBLE values, expected strings; name another with Options.TextFields or Options.TokensField`},
		{name: "directory", files: map[string]string{"d/a.md": whole}, in: []string{"d"}, opts: Options{Format: "parquet"}, want: "d: this is a directory, which the format parquet does not read; name the files in it"},
	})
}
