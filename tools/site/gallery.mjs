// The gallery: pages of topoi explore. The texts are in this repository or in the installation of Go, so no data are fetched.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const files = (dir) => readdirSync(dir, { recursive: true }).map(String).sort();
const lines = (documents) =>
	documents
		.filter((d) => d.text.length > 300)
		.map((d) => JSON.stringify(d) + "\n")
		.join("");

/** The comments of Go's standard library, a document for each file. */
function comments() {
	const src = join(execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim(), "src");
	const skipped =
		/_test\.go$|testdata|^(cmd|vendor)\/|internal\/|\/z|_(windows|plan9|js|wasip1|darwin|freebsd|netbsd|openbsd|solaris|aix)/;
	return lines(
		files(src)
			.filter((f) => f.endsWith(".go") && !skipped.test(f))
			.map((f) => {
				const code = readFileSync(join(src, f), "utf8").replace(
					/^\/\/ (Copyright|Use of this|license that).*$/gm,
					"",
				);
				return {
					id: f,
					title: f,
					label: f.split("/").slice(0, -1).join("/"),
					text: [...code.matchAll(/^\s*\/\/ (.*)$/gm)].map((m) => m[1]).join("\n"),
				};
			}),
	);
}

/** The prose of this documentation, a document for each section. */
function sections(docs) {
	return lines(
		files(docs)
			.filter((f) => f.endsWith(".md"))
			.flatMap((f) =>
				readFileSync(join(docs, f), "utf8")
					.replace(/```[^]*?```|<!--[^]*?-->|^\|.*$/gm, "")
					.replace(/`[^`]*`|\]\([^)]*\)|[[*]/g, " ")
					.split(/^(?=##? )/m)
					.map((text) => ({
						id: `${f}: ${/^#+ (.*)/.exec(text)?.[1]}`,
						title: `${f}: ${/^#+ (.*)/.exec(text)?.[1]}`,
						label: f,
						text,
					})),
			),
	);
}

/** Writes the pages of the gallery into a directory, and the page that lists them. */
export function writeGallery(root, pages, topoi) {
	const data = join(pages, ".data");
	const gallery = join(pages, "public/gallery");
	mkdirSync(gallery, { recursive: true });
	cpSync(join(root, "docs/data"), data, { recursive: true });
	for (const name of ["speeches", "cells"])
		execFileSync("tar", ["xzf", join(data, `${name}.tar.gz`), "-C", data]);
	cpSync(join(root, "internal/demo/texts.csv"), join(data, "demo.csv"));
	writeFileSync(join(data, "go.jsonl"), comments());
	writeFileSync(join(data, "docs.jsonl"), sections(join(root, "docs")));
	const real = [
		[
			"go",
			"go.jsonl",
			"The comments in the source of Go's standard library, by package. Copyright The Go Authors, under [the licence of Go](https://go.dev/LICENSE)",
			["-k", "30", "--snippet", "all", "--iterations", "200"],
		],
		[
			"documentation",
			"docs.jsonl",
			"The sections of this documentation, by page",
			["-k", "15", "--snippet", "all"],
		],
		[
			"demo",
			"demo.csv",
			"Short texts on six everyday themes, written for `topoi demo`",
			["-k", "6", "--snippet", "all"],
		],
	];
	const composed = [
		[
			"speeches",
			"speeches",
			"600 speeches of a parliament, 2001 to 2020",
			[
				"-k",
				"8",
				"--seed",
				"2",
				"--snippet",
				"all",
				"--name-pattern",
				"{date}_{party}_{speaker}_{number}.txt",
			],
		],
		[
			"survey",
			"survey.csv",
			"400 answers to an open question of a survey",
			[
				"-k",
				"4",
				"--seed",
				"1",
				"--snippet",
				"all",
				"--text-field",
				"answer",
				"--label-field",
				"group",
			],
		],
		["tweets", "tweets.csv", "1,200 tweets of one month", ["-k", "4", "--snippet", "all"]],
		["cells", "cells", "Genes of 240 single cells", ["-k", "4"]],
	];
	for (const [name, input, , options] of [...real, ...composed]) {
		topoi("train", join(data, input), ...options, "--quiet", "-o", join(data, `${name}.model`));
		topoi(
			"explore",
			join(data, `${name}.model`),
			"--quiet",
			"--name",
			name,
			"-o",
			join(gallery, `${name}.html`),
		);
	}
	rmSync(data, { recursive: true });
	const list = (shown) =>
		shown
			.map(
				([name, , text]) =>
					`- <a href="./gallery/${name}.html" target="_self">${name}</a>: ${text}`,
			)
			.join("\n");
	writeFileSync(
		join(pages, "gallery.md"),
		`# Gallery

Each link opens a page that \`topoi explore\` made.

## Open texts

${list(real)}

## Data of the tutorials

A program composed these texts and counts, so that it is known what is true of them ([tutorials](docs/README.md#tutorials)).

${list(composed)}
`,
	);
}
