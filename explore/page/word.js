// One word, and one document.

import { cut, h, said } from "./dom.js";
import { columnsOf } from "./columns.js";
import { count, many, percent } from "./format.js";
import { bar } from "./charts.js";
import { groupName, meta, timeOf } from "./doclist.js";
import { panel } from "./panel.js";
import { table } from "./table.js";

/** @param {import("./app.js").App} app @param {import("./state.js").Place} place */
export function wordView(app, place) {
	const { model } = app;
	const w = place.id === "" ? -1 : model.findWord(place.id);
	if (w < 0) return null;
	const total = model.wordTotals[w];
	const guides = model.arrays.wordPseudo[w]; // pseudo-counts, which counts include
	const list = model.topicsOf(w);
	const known = list.reduce((sum, t) => sum + t.count, 0);
	const rows = table({
		caption: "Topics of the word",
		rows: list,
		sort: place.options.sort || "-tokens",
		option: "sort",
		cards: true,
		columns: [
			{
				name: "topic",
				title: "Topic",
				value: (t) => t.topic,
				show: (t) => app.topic(t.topic, { words: 5 }),
			},
			{
				name: "tokens",
				title: "Tokens",
				number: true,
				value: (t) => t.count,
				show: (t) => count(t.count),
			},
			{
				name: "share",
				title: "Share of the word",
				number: true,
				value: (t) => t.count / total,
				show: (t) =>
					h(
						"div",
						{ class: "withbar" },
						bar(t.count / total, 1, app.hue(t.topic)),
						h("span", {}, percent(t.count / total)),
					),
				hint: "p(topic | word) = n_wk/n_w",
			},
			{
				name: "phi",
				title: "φ",
				number: true,
				value: (t) => t.phi,
				show: (t) => percent(t.phi),
				hint: "probability of the word in the topic",
			},
			{
				name: "lift",
				title: "Lift",
				number: true,
				value: (t) => model.lift(t.phi, total),
				show: (t) => model.lift(t.phi, total).toFixed(2),
			},
		],
	});
	const rest =
		known < total &&
		`${count(total - known)} more tokens are in topics that this page does not list for the word. `;
	const included =
		guides > 0 && "Tokens in this table include the pseudo-counts that guide topics.";
	return {
		title: model.words.at(w),
		node: h(
			"div",
			{},
			h(
				"header",
				{ class: "topichead" },
				h("h1", {}, said(model.words.at(w))),
				h(
					"dl",
					{ class: "facts" },
					h("div", {}, h("dt", {}, "tokens"), h("dd", {}, count(total - guides))),
					guides > 0 &&
						h("div", {}, h("dt", {}, "pseudo-counts"), h("dd", {}, count(guides))),
					h(
						"div",
						{},
						h("dt", {}, "share of the corpus"),
						h("dd", {}, percent((total - guides) / model.N)),
					),
					h("div", {}, h("dt", {}, "topics"), h("dd", {}, count(list.length))),
				),
			),
			panel(
				"Topics of this word",
				{ csv: rows.csv, wide: true, name: "topics", note: [rest, included] },
				rows.node,
			),
		),
	};
}

/** @param {import("./app.js").App} app @param {import("./state.js").Place} place */
export function docView(app, place) {
	const { model } = app;
	const d = place.id === "" ? -1 : model.place(Number(place.id));
	if (d < 0) return null;
	const topics = model.topicsOfDoc(d);
	const rows = table({
		caption: "Topics of the document",
		rows: topics,
		sort: "-theta",
		portion: 12,
		row: (t) => ({ "data-topic": t.topic }),
		columns: [
			{
				name: "topic",
				title: "Topic",
				value: (t) => t.topic,
				show: (t) => app.topic(t.topic),
			},
			{
				name: "theta",
				title: "Share θ",
				number: true,
				value: (t) => t.theta,
				show: (t) =>
					h(
						"div",
						{ class: "withbar" },
						bar(t.theta, 1, app.hue(t.topic)),
						h("span", {}, percent(t.theta)),
					),
			},
			{
				name: "tokens",
				title: "Tokens",
				number: true,
				value: (t) => t.count,
				show: (t) => count(t.count),
			},
		],
	});
	return {
		title: model.docTitle(d),
		node: h(
			"div",
			{},
			h(
				"header",
				{ class: "topichead" },
				h("h1", { class: "doctitle" }, said(model.docTitle(d))),
				meta(model, d),
				h(
					"dl",
					{ class: "facts" },
					h("div", {}, h("dt", {}, "document"), h("dd", {}, said(model.docID(d)))),
					h("div", {}, h("dt", {}, "tokens"), h("dd", {}, count(model.lengths[d]))),
					columnsOf(model)
						.slice(0, -1)
						.filter(
							(c) =>
								c.text(d) !== "" &&
								!["label", "time", model.info.groupName].includes(c.name),
						)
						.map((c) =>
							h(
								"div",
								{},
								h("dt", {}, said(cut(c.name, 40))),
								h("dd", {}, said(cut(c.text(d), 120))),
							),
						),
				),
			),
			h(
				"div",
				{ class: "grid two" },
				h("div", { class: "column" }, textPanel(app, d), bagPanel(app, d)),
				h(
					"div",
					{ class: "column" },
					panel(
						"Topics",
						{
							name: "topics",
							csv: () => [
								["document", "id", "group", "time", ...rows.csv()[0]],
								...rows
									.csv()
									.slice(1)
									.map((r) => [
										model.numbers[d],
										model.docID(d),
										groupName(model, d),
										timeOf(model, d),
										...r,
									]),
							],
						},
						rows.node,
					),
					similarPanel(app, d),
				),
			),
		),
	};
}

/** Documents with similar shares of topics. @param {import("./app.js").App} app @param {number} d */
function similarPanel(app, d) {
	const { model } = app;
	const list = model.similar(d, 8);
	if (list.length === 0) return null;
	return panel(
		"Similar documents",
		{
			name: "similar",
			note: `Documents with the most similar shares of topics${model.docs < model.D ? " among the documents of this page" : ""}.`,
			csv: () => [
				["document", "id", "title", "group", "time", "similarity"],
				...list.map((e) => [
					model.numbers[e.doc],
					model.docID(e.doc),
					model.docTitle(e.doc),
					groupName(model, e.doc),
					timeOf(model, e.doc),
					e.similarity,
				]),
			],
		},
		h(
			"ol",
			{ class: "docs" },
			list.map((e) =>
				h(
					"li",
					{ "data-doc": model.numbers[e.doc] },
					h(
						"div",
						{ class: "line" },
						app.doc(e.doc),
						h(
							"span",
							{
								class: "number",
								title: "Σ √(θ θ'): 100 % where the shares of topics are the same",
							},
							percent(e.similarity),
						),
					),
					meta(model, e.doc),
				),
			),
		),
	);
}

/** The beginning of the text, its words coloured. @param {import("./app.js").App} app @param {number} d */
function textPanel(app, d) {
	const { model } = app;
	const text = model.docSnippet(d);
	if (!text) return null;
	/** @type {any[]} */
	const parts = [];
	let at = 0;
	if (model.markEnds) {
		const { markGaps, markLengths, markTopics } = model.arrays;
		for (let i = d === 0 ? 0 : model.markEnds[d - 1]; i < model.markEnds[d]; i++) {
			const begin = at + markGaps[i];
			const end = begin + markLengths[i];
			parts.push(text.slice(at, begin), mark(app, markTopics[i], text.slice(begin, end)));
			at = end;
		}
	}
	parts.push(text.slice(at));
	const whole = model.info.texts;
	return panel(
		"Text",
		{
			name: "text",
			note: `${whole ? "" : "The beginning of the text. "}Words that the model counts have the colour of their topic.`,
		},
		h(
			"p",
			{ class: whole ? "text whole" : "text", dir: "auto" },
			parts.map((p) =>
				typeof p === "string"
					? p.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\ufffd")
					: p,
			),
		),
	);
}

/** @param {import("./app.js").App} app @param {number} k @param {string} text */
function mark(app, k, text) {
	return h("a", {
		class: "mark",
		href: `#/topic/${k}`,
		hue: app.hue(k),
		title: `topic ${k}: ${app.title(k)}`,
		"data-topic": k,
		text,
	});
}

/** The words that the page has of a document. @param {import("./app.js").App} app @param {number} d */
function bagPanel(app, d) {
	const { model } = app;
	const bag = model.bagOf(d);
	if (bag.length === 0) return null;
	const tokens = bag.reduce((sum, e) => sum + e.count, 0);
	const order = new Map(model.topicsOfDoc(d).map((t, i) => [t.topic, i]));
	const sorted = [...bag].sort(
		(a, b) =>
			(order.get(a.topic) ?? 1e9) - (order.get(b.topic) ?? 1e9) ||
			b.count - a.count ||
			a.word - b.word,
	);
	const all = tokens === model.lengths[d];
	return panel(
		"Words",
		{
			name: "bag",
			note: all
				? "Every word has the colour of the topic of its tokens here."
				: `${count(tokens)} of ${many(model.lengths[d], "token")}: the most frequent words. Colours are those of their topics.`,
			csv: () => [
				["word", "topic", "tokens"],
				...sorted.map((e) => [model.words.at(e.word), e.topic, e.count]),
			],
		},
		h(
			"p",
			{ class: "bag" },
			sorted.map((e) => [
				h(
					"a",
					{
						class: "mark",
						href: `#/word/${model.wordIDs[e.word]}`,
						hue: app.hue(e.topic),
						title: `topic ${e.topic}: ${app.title(e.topic)}`,
						"data-topic": e.topic,
					},
					said(cut(model.words.at(e.word), 80)),
					e.count > 1 && h("sub", {}, e.count),
				),
				" ",
			]),
		),
	);
}
