// Search in topics, words and documents.

import { cut, fill, h, said } from "./dom.js";
import { link } from "./state.js";

/** Results of a kind that are listed. */
const most = 8;

/** @typedef {{kind: string, href: string, show: () => any}} Result */

/**
 * What fits a text: topics by number, name and top words, words by their beginning and
 * then anywhere, documents by title, id and snippet.
 * @param {import("./app.js").App} app @param {string} text
 * @returns {Result[]}
 */
export function search(app, text) {
	const wanted = text.trim().toLowerCase();
	if (!wanted) return [];
	return [...findTopics(app, wanted), ...findWords(app, wanted), ...findDocs(app, wanted)];
}

/** @param {import("./app.js").App} app @param {string} wanted @returns {Result[]} */
function findTopics(app, wanted) {
	const { model, names } = app;
	const found = [];
	for (let k = 0; k < model.K && found.length < 400; k++) {
		const name = names.of(k).toLowerCase();
		const score =
			String(k) === wanted
				? 3
				: name.includes(wanted)
					? 2
					: app.wordList(k, 8).toLowerCase().includes(wanted)
						? 1
						: 0;
		if (score > 0) found.push({ k, score });
	}
	found.sort((a, b) => b.score - a.score || model.share(b.k) - model.share(a.k) || a.k - b.k);
	return found.slice(0, most).map(({ k }) => ({
		kind: "topic",
		href: link("topic", k),
		show: () => [h("span", { class: "badge", hue: app.hue(k) }, k), " ", said(app.title(k, 6))],
	}));
}

/** @param {import("./app.js").App} app @param {string} wanted @returns {Result[]} */
function findWords(app, wanted) {
	const { model } = app;
	/** @type {number[]} */
	const begin = [];
	/** @type {number[]} */
	const inside = [];
	for (let w = 0; w < model.words.length && begin.length < 200; w++) {
		const at = model.words.at(w).toLowerCase().indexOf(wanted);
		if (at === 0) begin.push(w);
		else if (at > 0 && inside.length < most) inside.push(w);
	}
	begin.sort(
		(a, b) =>
			Number(model.words.at(b).length === wanted.length) -
				Number(model.words.at(a).length === wanted.length) ||
			model.wordTotals[b] - model.wordTotals[a],
	);
	return [...begin, ...inside].slice(0, most).map((w) => ({
		kind: "word",
		href: link("word", model.wordIDs[w]),
		show: () => said(cut(model.words.at(w), 60)),
	}));
}

/** @param {import("./app.js").App} app @param {string} wanted @returns {Result[]} */
function findDocs(app, wanted) {
	const { model } = app;
	/** @type {number[]} */
	const titled = [];
	/** @type {number[]} */
	const others = [];
	for (let d = 0; d < model.docs && titled.length < most; d++) {
		if (
			model.docTitle(d).toLowerCase().includes(wanted) ||
			model.docID(d).toLowerCase() === wanted
		)
			titled.push(d);
		else if (others.length < most && model.docSnippet(d).toLowerCase().includes(wanted))
			others.push(d);
	}
	return [...titled, ...others].slice(0, most).map((d) => ({
		kind: "document",
		href: link("doc", model.numbers[d]),
		show: () => said(cut(model.docTitle(d), 80)),
	}));
}

/** The search box with its list. @param {import("./app.js").App} app */
export function searchBox(app) {
	const list = h("ul", { id: "results", role: "listbox", "aria-label": "Results", hidden: true });
	/** @type {Result[]} */
	let results = [];
	let active = -1;
	const close = () => {
		list.hidden = true;
		input.setAttribute("aria-expanded", "false");
		active = -1;
	};
	const go = (/** @type {number} */ i) => {
		if (!results[i]) return;
		location.hash = results[i].href;
		close();
		input.value = "";
		input.blur();
	};
	const draw = () => {
		fill(
			list,
			results.map((r, i) =>
				h(
					"li",
					{
						id: `result-${i}`,
						role: "option",
						"aria-selected": String(i === active),
						class: i === active ? "active" : null,
						onmousedown: (/** @type {Event} */ e) => {
							e.preventDefault();
							go(i);
						},
					},
					h("span", { class: "kind" }, r.kind),
					h("span", { class: "hit" }, r.show()),
				),
			),
			results.length === 0 && h("li", { class: "none" }, "Nothing found in this page."),
		);
		list.hidden = input.value.trim() === "";
		input.setAttribute("aria-expanded", String(!list.hidden));
		input.setAttribute("aria-activedescendant", active >= 0 ? `result-${active}` : "");
	};
	const input = /** @type {HTMLInputElement} */ (
		h("input", {
			type: "search",
			id: "search",
			placeholder: "Search topics, words, documents",
			"aria-label": "Search topics, words and documents",
			role: "combobox",
			"aria-controls": "results",
			"aria-expanded": "false",
			"aria-autocomplete": "list",
			autocomplete: "off",
			oninput: () => {
				results = search(app, input.value);
				active = results.length > 0 ? 0 : -1;
				draw();
			},
			onblur: close,
			onfocus: () => {
				if (input.value) draw();
			},
			onkeydown: (/** @type {KeyboardEvent} */ e) => {
				if (e.key === "ArrowDown" || e.key === "ArrowUp") {
					e.preventDefault();
					active =
						results.length === 0
							? -1
							: (active + (e.key === "ArrowDown" ? 1 : results.length - 1)) %
								results.length;
					draw();
				} else if (e.key === "Enter") go(Math.max(0, active));
				else if (e.key === "Escape") {
					close();
					input.blur();
				}
			},
		})
	);
	return h("div", { class: "search", role: "search" }, input, list);
}
