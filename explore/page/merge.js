// Pairs of topics with similar words, which the reader may mark to be merged. The marks stand in the address, and
// leave the page as a file of edits for topoi edit.

import { announce, fill, h } from "./dom.js";
import { count, fixed } from "./format.js";
import { download } from "./names.js";
import { keep } from "./state.js";
import { neighbours } from "./topic.js";
import { panel } from "./panel.js";
import { table } from "./table.js";

/** @param {import("./app.js").App} app @param {number[]} topics @param {Set<string>} marks pairs such as 3-17 */
export function mergePanel(app, topics, marks) {
	const pairs = similar(app, topics);
	const about = h("div", { class: "merges", role: "status" });
	const button = h(
		"button",
		{
			type: "button",
			id: "edits",
			onclick: () => download("edits.json", "application/json", edits(app, marks)),
		},
		"Download edits.json",
	);
	const tell = () => {
		keep({ merge: [...marks].join(",") });
		const lists = merged(app, marks);
		button.toggleAttribute("disabled", lists.length === 0);
		fill(
			about,
			lists.map((list) =>
				h(
					"p",
					{},
					list.slice(1).map((k) => [app.badge(k), " "]),
					"into ",
					app.topic(list[0], { words: 2 }),
				),
			),
		);
	};
	const mark = (/** @type {string} */ pair, /** @type {boolean} */ on) => {
		if (on) marks.add(pair);
		else marks.delete(pair);
		tell();
		announce(`${count(marks.size)} marked`);
	};
	const rows = table({
		caption: "Similar topics",
		rows: pairs,
		sort: "distance",
		portion: 10,
		row: (p) => ({ "data-pair": p.name }),
		columns: [
			{
				name: "topic",
				title: "Topic",
				value: (p) => p.a,
				show: (p) => app.topic(p.a, { words: 2 }),
			},
			{
				name: "with",
				title: "With",
				value: (p) => p.b,
				show: (p) => app.topic(p.b, { words: 2 }),
			},
			{
				name: "distance",
				title: "Distance",
				number: true,
				value: (p) => p.distance,
				show: (p) => fixed(p.distance),
				hint: app.model.info.distance,
			},
			{
				name: "merge",
				title: "Merge",
				show: (p) =>
					h("input", {
						type: "checkbox",
						checked: marks.has(p.name),
						"aria-label": `merge topics ${p.a} and ${p.b}`,
						onchange: (/** @type {any} */ e) => mark(p.name, e.target.checked),
					}),
			},
		],
	});
	tell();
	return panel(
		"Similar topics",
		{
			csv: rows.csv,
			name: "similar",
			tools: button,
			note: "These pairs have the most similar words. Mark those that should be one topic, download the edits, and run: topoi edit MODEL edits.json -o NEW-MODEL",
		},
		pairs.length > 0
			? rows.node
			: h(
					"p",
					{ class: "note" },
					"None of these topics is among the nearest topics of another.",
				),
		about,
	);
}

/** Pairs of neighbours among some topics, the most similar first. @param {import("./app.js").App} app @param {number[]} topics */
function similar(app, topics) {
	const among = new Set(topics.filter((k) => !app.names.hidden.has(k)));
	const pairs = new Map();
	for (const k of among) {
		for (const { topic, distance } of neighbours(app.model, k)) {
			const [a, b] = k < topic ? [k, topic] : [topic, k];
			if (among.has(topic)) pairs.set(`${a}-${b}`, { a, b, distance, name: `${a}-${b}` });
		}
	}
	return [...pairs.values()].sort((p, q) => p.distance - q.distance || p.a - q.a || p.b - q.b);
}

/** Lists of topics that marks join, the largest topic of each first. @param {import("./app.js").App} app @param {Set<string>} marks */
function merged(app, marks) {
	/** @type {Map<number, number[]>} */
	const lists = new Map();
	for (const mark of marks) {
		const [a, b] = mark.split("-").map(Number);
		if (a >= app.model.K || b >= app.model.K || a === b) continue;
		const list = [...new Set([...(lists.get(a) || [a]), ...(lists.get(b) || [b])])];
		for (const k of list) lists.set(k, list);
	}
	return [...new Set(lists.values())]
		.map((list) => list.sort((a, b) => app.model.share(b) - app.model.share(a) || a - b))
		.sort((x, y) => x[0] - y[0]);
}

/** The file of edits. @param {import("./app.js").App} app @param {Set<string>} marks */
function edits(app, marks) {
	return `${JSON.stringify({ fingerprint: app.model.info.fingerprint, merge: merged(app, marks) })}\n`;
}
