// Measures the prose of Markdown pages: node readability.mjs [--long N] FILE...
// Tables, headings, code blocks and comments are left out; a code span or a formula counts as one
// word. --long N lists the sentences with more than N words.
import { readFileSync } from "node:fs";
import readability from "text-readability";

/** The paragraphs and list items of a page, as plain text. */
export function paragraphs(markdown) {
	const plain = markdown
		.replace(/^```[\s\S]*?^```/gm, "\n\n")
		.replace(/^---\n[\s\S]*?\n---\n/, "")
		.replace(/<!--[\s\S]*?-->/g, "\n\n")
		.replace(/^\s*\|.*$/gm, "\n")
		.replace(/^#.*$/gm, "\n")
		.replace(/^ {4}.*$/gm, "\n")
		.replace(/!\[[^\]]*\]\([^)]*\)/g, "")
		.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
		.replace(/`[^`]*`/g, "Code")
		.replace(/^\s*(?:[-*]|\d+\.)\s+/gm, "\n\n")
		.replace(/[*_]{1,2}/g, "");
	return plain
		.split(/\n\s*\n/)
		.map((p) => p.replace(/\s+/g, " ").trim())
		.filter((p) => /[a-z]{2}/i.test(p));
}

/** The sentences of a paragraph. A point inside a number or an abbreviation ends none. */
export function sentences(paragraph) {
	return paragraph
		.split(/(?<=[.!?:])["”)]?\s+(?=["“(]?(?:[\p{Lu}\d]|topoi\b|[φθαβ]|n_|nw|lift ))/u)
		.map((s) => s.trim())
		.filter((s) => s.split(" ").length > 2);
}

const words = (s) => s.split(" ").length;
const args = process.argv.slice(2);
const limit = args[0] === "--long" ? Number(args.splice(0, 2)[1]) : 0;
const all = [];
const row = (name, list) => {
	const lengths = list.map(words).sort((a, b) => a - b);
	const total = lengths.reduce((a, b) => a + b, 0);
	const text = list.join(" ");
	const share = (n) => ((100 * lengths.filter((l) => l > n).length) / lengths.length).toFixed(0);
	console.log(
		[
			name.padEnd(36),
			String(total).padStart(6),
			String(list.length).padStart(5),
			(total / list.length).toFixed(1).padStart(5),
			String(lengths[Math.floor(lengths.length * 0.9)]).padStart(4),
			String(lengths.at(-1)).padStart(4),
			share(25).padStart(4),
			share(40).padStart(4),
			readability.fleschKincaidGrade(text).toFixed(1).padStart(6),
			readability.fleschReadingEase(text).toFixed(0).padStart(5),
		].join(" "),
	);
};
if (args.length) {
	if (!limit)
		console.log("page".padEnd(36), " words sent.  mean  90%  max >25% >40%  grade  ease");
	for (const file of args) {
		const list = paragraphs(readFileSync(file, "utf8")).flatMap(sentences);
		all.push(...list);
		if (limit)
			for (const s of list.filter((s) => words(s) > limit))
				console.log(`${file}: ${words(s)}: ${s}`);
		else row(file, list);
	}
	if (!limit) row("all", all);
}
