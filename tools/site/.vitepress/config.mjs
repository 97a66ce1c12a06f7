// The documentation as a site: npm ci && npm run build, which writes .vitepress/dist. It needs no
// network after npm ci, and the pages need none at all.
import { execFileSync } from "node:child_process";
import {
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { writeGallery } from "../gallery.mjs";
import { miniSearch } from "../search.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const source = "https://github.com/topoi-lda/topoi/blob/main/";
const version = readFileSync(join(root, "cmd/topoi/VERSION"), "utf8").trim();

// All versions that the server has, the newest first: TOPOI_SITE_VERSIONS=0.2.0,0.1.0, or the tags.
const tags = execFileSync("git", ["-C", root, "tag", "--sort=-version:refname", "--list", "v*"], {
	encoding: "utf8",
});
const versions =
	process.env.TOPOI_SITE_VERSIONS?.split(",") ??
	tags
		.split("\n")
		.filter(Boolean)
		.map((tag) => tag.slice(1));
if (!versions.includes(version)) versions.unshift(version);

/** The pages of the site: those of the root and of .github that readers want, docs and bench/notes. */
const rootPages = ["README.md", "CHANGELOG.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md"];

/** The place of a page below the site: the generator passes over directories whose name begins with a dot. */
const placeOf = (path) => path.replace(".github/", "github/");
const isPage = (path) =>
	path === "gallery.md" ||
	path.startsWith("reference/") ||
	rootPages.includes(path) ||
	/^(docs|bench\/notes)\/.*\.md$/.test(path);

// The generator wants its pages below its own directory.
const pages = fileURLToPath(new URL("../pages", import.meta.url));
rmSync(pages, { recursive: true, force: true });
mkdirSync(pages);
for (const path of [...rootPages, "docs", "bench/notes"])
	cpSync(join(root, path), join(pages, placeOf(path)), { recursive: true });
cpSync(join(root, "bench/results"), join(pages, "bench/results"), {
	recursive: true,
	filter: (f) => !/\.[a-z]+$/.test(f) || f.endsWith(".svg"),
});

// The help of every command becomes a page: TOPOI names the program, which Go builds otherwise.
const program = process.env.TOPOI ?? join(pages, ".topoi");
if (!process.env.TOPOI)
	execFileSync("go", ["build", "-o", program, "./cmd/topoi"], { cwd: root, stdio: "inherit" });
const topoi = (...args) => execFileSync(program, args, { encoding: "utf8" });
const commands = [];
mkdirSync(join(pages, "reference"));
(function write(words) {
	const man = topoi("man", ...words);
	const name = ["topoi", ...words].join(" ");
	commands.push(`reference/${name.replaceAll(" ", "-")}.md`);
	const help = topoi(...words, words.length ? "--help-all" : "--help");
	writeFileSync(
		join(pages, commands.at(-1)),
		`# ${name}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`,
	);
	for (const [, sub] of man.split(".SH COMMANDS")[1]?.matchAll(/^\.B topoi (.*)$/gm) ?? [])
		write(sub.replaceAll("\\-", "-").split(" "));
})([]);

// All messages of the program, so that the search finds the one that a reader pastes.
const messages = new Map();
for (const path of execFileSync("git", ["-C", root, "ls-files", "*.go"], {
	encoding: "utf8",
}).split("\n")) {
	if (
		!path ||
		/_test\.go$|^(bench|deploy|release|site)\/|testdata\/|\/(emulate|redistest|samplertest)\//.test(
			path,
		)
	)
		continue;
	const text = readFileSync(join(root, path), "utf8").replace(/^\s*\/\/.*$/gm, "");
	for (const [, quoted] of text.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)) {
		const message = quoted
			.replace(/%%/g, "%")
			.replace(/%[-+#0-9.*]*[a-zA-Z]/g, "…")
			.replace(/\\n|\\t/g, " ")
			.replace(/ +/g, " ")
			.replace(/\\(["\\])/g, "$1")
			.trim();
		if (
			message.split(" ").filter((w) => /^[a-zA-Z',-]{2,}[:;]?$/.test(w)).length < 4 ||
			/[<{]|redis\.call|https?:\/\/www|^\$|option:/.test(message)
		)
			continue;
		messages.set(message, (messages.get(message) ?? new Set()).add(path));
	}
}
const escaped = (s) =>
	s
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll(">", "&gt;")
		.replaceAll("{", "&#123;")
		.replace(/[*_`[\]#\\]/g, "\\$&");
writeFileSync(
	join(pages, "reference/messages.md"),
	"---\noutline: false\n---\n# Messages\n\nAll messages of topoi. `…` stands for a name, a number or another message.\n" +
		[...messages]
			.sort()
			.map(
				([message, paths]) =>
					`\n#### ${escaped(message)}\n\n${[...paths].map((p) => `[${p}](${source}${p})`).join(", ")}\n`,
			)
			.join(""),
);

// All flags with their commands.
const flags = new Map();
for (const path of commands) {
	for (const [, flag, help] of readFileSync(join(pages, path), "utf8").matchAll(
		/^ +(?:-\w, )?(--[a-z][\w-]*)(.*)$/gm,
	)) {
		if (!flags.has(flag)) flags.set(flag, []);
		flags
			.get(flag)
			.push(
				`- [${path.slice(10, -3).replaceAll("-", " ")}](${path.slice(10)}): <code v-pre>${flag}${help.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replace(/ {2,}/, " ")}</code>`,
			);
	}
}
writeFileSync(
	join(pages, "reference/flags.md"),
	"# Flags\n\nAll flags, with the commands that have them.\n" +
		[...flags]
			.sort()
			.map(([flag, list]) => `\n## ${flag} {#flag${flag}}\n\n${list.join("\n")}\n`)
			.join(""),
);

writeFileSync(
	join(pages, ".names.json"),
	JSON.stringify({
		// what the test of the search asks for
		messages: [...messages.keys()],
		flags: [...flags.keys()],
		commands: commands.map((p) => p.slice(10, -3).replaceAll("-", " ")),
		formats: [
			...topoi("export", "--format", "list").matchAll(/^ {2}([a-z][\w-]+)\s{2,}/gm),
			...topoi("import", "--help-all")
				.split("Formats:")[1]
				.split("\n\n")[0]
				.matchAll(/^ {2}([a-z0-9][\w-]*)\s/gm),
		]
			.map((m) => m[1])
			.filter((n) => n !== "format"),
	}),
);

writeGallery(root, pages, topoi);
rmSync(join(pages, ".topoi"), { force: true });

/** Links to files that are not pages lead to the repository. */
function links(md) {
	const render =
		md.renderer.rules.link_open ??
		((tokens, i, options, env, self) => self.renderToken(tokens, i, options));
	md.core.ruler.push("repository_links", (state) => {
		for (const block of state.tokens) {
			for (const token of block.children ?? []) {
				const href = token.type === "link_open" ? token.attrGet("href") : null;
				if (!href || /^([a-z]+:|#)/i.test(href)) continue;
				const [target, anchor = ""] = href.split("#");
				const page = relative(pages, state.env.realPath ?? state.env.path);
				const path = normalize(join(dirname(page), target)).replace(/\/$/, "");
				if (isPage(path)) {
					token.attrSet("href", placeOf(href).replace(/README\.md(?=#|$)/, "index.md"));
					continue;
				}
				token.attrSet("href", source + path + (anchor && "#" + anchor));
			}
		}
	});
	md.renderer.rules.link_open = render;
}

/** The anchor of a heading, as the repository's own pages have it. */
const slugify = (text) =>
	text
		.trim()
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\-_ ]/gu, "")
		.replaceAll(" ", "-");

/** The heading of a page. */
const title = (path) =>
	/^# (.*)$/m.exec(readFileSync(join(root, path), "utf8"))?.[1].replaceAll("`", "") ?? path;
const list = (dir) =>
	readdirSync(join(root, dir))
		.filter((f) => f.endsWith(".md") && f !== "README.md")
		.map((f) => `${dir}/${f}`);
const items = (paths) =>
	paths
		.filter((p) => existsSync(join(root, p)))
		.map((p) => ({
			text: title(p),
			link:
				"/" +
				placeOf(p)
					.replace(/README\.md$/, "")
					.replace(/\.md$/, ""),
		}));
const group = (text, paths, collapsed = false) => ({ text, collapsed, items: items(paths) });
const docs = (...names) => names.map((n) => `docs/${n}.md`);

const groups = [
	group("Start", docs("install", "guide", "glossary")),
	group("Tutorials", list("docs/tutorials")),
	group(
		"Find topics",
		docs("text", "choosing", "explore", "guided", "priors", "analysis", "evaluation"),
	),
	group("Use it from programs", docs("cli", "python", "r", "serving", "mallet", "formats")),
	group("Coming from", list("docs/from"), true),
	group(
		"Much data",
		docs(
			"performance",
			"quality",
			"gpu",
			"memory",
			"large",
			"object-stores",
			"cluster",
			"deploying",
			"reliability",
		),
		true,
	),
	group("Samplers", ["docs/samplers/README.md", ...list("docs/samplers")], true),
	group(
		"Developers",
		[
			".github/CONTRIBUTING.md",
			".github/SECURITY.md",
			...list("docs/internals"),
			...list("bench/notes"),
		],
		true,
	),
];
groups.splice(4, 0, {
	text: "Commands",
	collapsed: true,
	items: [
		...commands.map((p) => ({
			text: p.slice(10, -3).replaceAll("-", " "),
			link: "/" + p.slice(0, -3),
		})),
		{ text: "Flags", link: "/reference/flags" },
		{ text: "Messages", link: "/reference/messages" },
	],
});
const listed = new Set(groups.flatMap((g) => g.items.map((i) => i.link)));
const others = items(list("docs")).filter((i) => !listed.has(i.link)); // pages that nobody has sorted yet
if (others.length) groups.push({ text: "More", items: others });

export default {
	title: "topoi",
	head: [
		[
			"link",
			{
				rel: "icon",
				href: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><circle cx='3' cy='5' r='3' fill='%234477aa'/><circle cx='6.5' cy='3' r='2' fill='%23ee6677'/></svg>",
			},
		],
	],
	description: "topoi finds out what a pile of texts is about",
	base: process.env.TOPOI_SITE_BASE ?? "/",
	srcDir: pages,
	outDir: fileURLToPath(new URL("dist", import.meta.url)),
	rewrites: (id) => (isPage(id) ? id.replace(/(^|\/)README\.md$/, "$1index.md") : id),
	cleanUrls: false,
	metaChunk: true,
	vite: { build: { chunkSizeWarningLimit: 8192 } },
	markdown: {
		emoji: { shortcuts: {} },
		config: links,
		anchor: { slugify },
		headers: { slugify },
	},
	themeConfig: {
		version,
		versions,
		search: { provider: "local", options: { detailedView: true, miniSearch } },
		nav: [
			{ text: "Guide", link: "/docs/guide" },
			{ text: "All pages", link: "/docs/" },
			{ text: "Gallery", link: "/gallery" },
			{ text: "Changes", link: "/CHANGELOG" },
		],
		sidebar: groups,
		outline: [2, 3],
		socialLinks: [{ icon: "github", link: "https://github.com/topoi-lda/topoi" }],
		footer: { message: `topoi ${version}, Apache-2.0` },
	},
};
