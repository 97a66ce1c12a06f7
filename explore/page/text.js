// A text that the reader types: its topics, its words, similar documents. Only a page that
// comes from a server has this view; the server finds the topics.

import { announce, cut, fill, h, said } from "./dom.js";
import { bar } from "./charts.js";
import { count, many, percent } from "./format.js";
import { link } from "./state.js";
import { metaLine, readableTime } from "./doclist.js";
import { panel } from "./panel.js";
import { table } from "./table.js";

/** Milliseconds after the last key until the server is asked. */
const pause = 350;

/** What was typed last, for when the reader comes back. */
const last = { text: "" };

/** @param {import("./app.js").App} app */
export function textView(app) {
	if (!app.model.info.served) return null;
	const results = h("div", { id: "answers", class: "grid two" });
	const status = h(
		"p",
		{ class: "note", id: "answered" },
		"The topics of what you type appear below.",
	);
	/** @type {AbortController|null} */
	let asking = null;
	let timer = 0;
	const ask = async () => {
		if (asking) asking.abort();
		last.text = box.value;
		if (box.value.trim() === "") {
			fill(results);
			return;
		}
		const mine = (asking = new AbortController());
		try {
			const [found, near] = await Promise.all([
				post(
					"v1/infer",
					{ documents: [box.value], model: app.model.info.name, top: 12, words: true },
					mine.signal,
				),
				post(
					"v1/similar",
					{ documents: [box.value], model: app.model.info.name, count: 8 },
					mine.signal,
				).catch((e) => (e.code === "no_documents" ? null : Promise.reject(e))),
			]);
			const doc = found.documents[0];
			fill(
				status,
				found.fingerprint === app.model.info.fingerprint
					? ""
					: "The server has loaded another version of the model: reload the page. ",
				`${many(doc.doc_tokens, "word")} that the model knows, ${count(found.unknown_tokens[0])} that it does not know.`,
			);
			fill(
				results,
				h(
					"div",
					{ class: "column" },
					wordsPanel(app, doc),
					near && nearPanel(app, near.documents[0].similar),
				),
				topicsPanel(app, doc),
			);
			announce(
				doc.topics.length > 0
					? `Mostly topic ${doc.topics[0].topic}, ${app.title(doc.topics[0].topic)}`
					: "No topic",
			);
		} catch (e) {
			if (/** @type {any} */ (e).name === "AbortError") return;
			fill(status, `The server did not answer: ${/** @type {any} */ (e).message}`);
		}
	};
	const box = /** @type {HTMLTextAreaElement} */ (
		h("textarea", {
			id: "typed",
			rows: 7,
			placeholder: "Type or paste a text",
			"aria-label": "Text to find topics in",
			spellcheck: "false",
			value: last.text,
			oninput: () => {
				clearTimeout(timer);
				timer = setTimeout(ask, pause);
			},
		})
	);
	if (last.text) ask();
	return {
		title: "A text",
		node: h("div", {}, panel("A text", { wide: true, name: "typed" }, box, status), results),
	};
}

/**
 * Asks the server that the page came from.
 * @param {string} path @param {any} body @param {AbortSignal} signal
 */
async function post(path, body, signal) {
	const answer = await fetch(new URL(path, location.href.split(/[?#]/)[0]), {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify(body),
		signal,
	});
	const value = await answer.json();
	if (!answer.ok) throw Object.assign(new Error(value.error), { code: value.code });
	return value;
}

/** @param {import("./app.js").App} app @param {any} doc */
function topicsPanel(app, doc) {
	const rows = table({
		caption: "Topics of the text",
		rows: doc.topics,
		sort: "-theta",
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
				title: "Words",
				number: true,
				value: (t) => t.tokens,
				show: (t) => t.tokens.toFixed(1),
			},
		],
	});
	return panel("Topics", { name: "topics", csv: rows.csv }, rows.node);
}

/** @param {import("./app.js").App} app @param {any} doc */
function wordsPanel(app, doc) {
	const order = new Map(
		doc.topics.map((/** @type {any} */ t, /** @type {number} */ i) => [t.topic, i]),
	);
	const sorted = [...doc.words].sort(
		(a, b) => (order.get(a.topic) ?? 1e9) - (order.get(b.topic) ?? 1e9) || b.count - a.count,
	);
	return panel(
		"Words",
		{
			name: "bag",
			note: "Words that the model knows, in the colour of their most likely topic here.",
			csv: () => [
				["word", "topic", "count", "share"],
				...sorted.map((w) => [w.word, w.topic, w.count, w.share]),
			],
		},
		h(
			"p",
			{ class: "bag" },
			sorted.map((w) => [
				h(
					"a",
					{
						class: "mark",
						href: link("topic", w.topic),
						hue: app.hue(w.topic),
						title: `topic ${w.topic}: ${app.title(w.topic)}, ${percent(w.share)}`,
						"data-topic": w.topic,
					},
					said(cut(w.word, 80)),
					w.count > 1 && h("sub", {}, w.count),
				),
				" ",
			]),
		),
	);
}

/** @param {import("./app.js").App} app @param {any[]} similar */
function nearPanel(app, similar) {
	return panel(
		"Similar documents",
		{
			name: "similar",
			note: "Documents of the model with the most similar shares of topics.",
			csv: () => [
				["document", "id", "title", "label", "time", "similarity"],
				...similar.map((d) => [d.doc, d.id, d.title, d.label, d.time, d.similarity]),
			],
		},
		h(
			"ol",
			{ class: "docs" },
			similar.map((d) =>
				h(
					"li",
					{ "data-doc": d.doc },
					h(
						"div",
						{ class: "line" },
						app.model.place(d.doc) >= 0
							? h(
									"a",
									{ class: "doc", href: link("doc", d.doc) },
									said(cut(d.title || d.id, 160)),
								)
							: said(cut(d.title || d.id, 160)),
						h(
							"span",
							{
								class: "number",
								title: "Σ √(θ θ'): 100 % where the shares of topics are the same",
							},
							percent(d.similarity),
						),
					),
					d.snippet && h("p", { class: "snippet" }, said(cut(d.snippet, 220))),
					metaLine([d.label, d.time && readableTime(d.time)]),
				),
			),
		),
	);
}
