// Lists of documents: those of a topic, of a group, of a period.

import { cut, fill, h, said } from "./dom.js";
import { count, many, percent } from "./format.js";
import { panel } from "./panel.js";

/**
 * @param {import("./app.js").App} app
 * @param {{title: string, topic: number, place: any, wanted?: (d: number) => boolean, among?: string, all?: number}} o
 *   among: what the wanted documents have in common; all: how many there are in the corpus
 */
export function docList(app, o) {
	const { model } = app;
	const list = model.docsOf(o.topic, o.wanted);
	let shown = 8;
	const body = h("ol", { class: "docs" });
	const more = h("div", { class: "more" });
	const draw = () => {
		fill(
			body,
			list.slice(0, shown).map((r) => docItem(app, r.doc, r.theta, o.topic)),
		);
		fill(
			more,
			list.length > shown &&
				h(
					"button",
					{
						type: "button",
						class: "quiet",
						onclick: () => {
							shown += 40;
							draw();
						},
					},
					`Show more of ${count(list.length)}`,
				),
		);
	};
	draw();
	const csv = () => [
		["document", "id", "title", "group", "time", "theta", "tokens_of_topic", "tokens"],
		...list.map((r) => [
			model.numbers[r.doc],
			model.docID(r.doc),
			model.docTitle(r.doc),
			groupName(model, r.doc),
			timeOf(model, r.doc),
			r.theta,
			r.count,
			model.lengths[r.doc],
		]),
	];
	const none =
		list.length === 0 &&
		h(
			"p",
			{ class: "note" },
			model.docs < model.D ? "None of these documents is in this page." : "No document.",
		);
	return panel(
		o.title,
		{ csv, name: "documents", note: [o.among, model.docs < model.D && ` ${app.sampled()}`] },
		body,
		none,
		more,
	);
}

/** One document in a list. @param {import("./app.js").App} app @param {number} d @param {number} theta @param {number} k */
function docItem(app, d, theta, k) {
	const { model } = app;
	const snippet = model.docSnippet(d);
	return h(
		"li",
		{ "data-doc": model.numbers[d] },
		h(
			"div",
			{ class: "line" },
			app.doc(d),
			h(
				"span",
				{
					class: "number",
					hue: app.hue(k),
					title: `θ: ${many(model.lengths[d], "token")}`,
				},
				percent(theta),
			),
		),
		snippet && h("p", { class: "snippet" }, said(cut(snippet, 220))),
		meta(model, d),
	);
}

/** The group and the time of a document. @param {import("./model.js").Model} model @param {number} d */
export function meta(model, d) {
	return metaLine([groupName(model, d), timeOf(model, d)]);
}

/** What is known of a document, in one line. @param {(string|undefined)[]} list */
export function metaLine(list) {
	const parts = /** @type {string[]} */ (list.filter(Boolean));
	if (parts.length === 0) return null;
	return h(
		"p",
		{ class: "meta" },
		parts.map((p, i) => [i > 0 && " · ", said(cut(p, 80))]),
	);
}

/** @param {import("./model.js").Model} model @param {number} d */
export function groupName(model, d) {
	const g = model.docGroup(d);
	return g >= 0 ? model.info.groups[g].name : "";
}

/** @param {import("./model.js").Model} model @param {number} d */
export function timeOf(model, d) {
	return model.arrays.docTimes ? readableTime(model.arrays.docTimes.at(d)) : "";
}

/** A time as people write it: seconds and milliseconds since 1970 become days. @param {string} time */
export function readableTime(time) {
	if (!/^(\d{9,10}|\d{12,13})$/.test(time)) return time;
	return new Date(Number(time) * (time.length < 12 ? 1000 : 1)).toISOString().slice(0, 10);
}
