// What all views share: the model, the names, and how a topic, a word and a document
// are shown wherever they appear.

import { cut, h, said } from "./dom.js";
import { link } from "./state.js";

/** The page. */
export class App {
	/** @param {import("./model.js").Model} model @param {import("./names.js").Names} names */
	constructor(model, names) {
		this.model = model;
		this.names = names;
		this.hues = hues(model);
	}

	/** The hue of a topic: neighbours in the tree have similar ones. @param {number} k */
	hue(k) {
		return this.hues[k];
	}

	/** The name of a topic, else its first words. @param {number} k @param {number} [words] */
	title(k, words = 3) {
		return this.names.of(k) || this.wordList(k, words) || `topic ${k}`;
	}

	/** The top words of a topic. @param {number} k @param {number} n */
	wordList(k, n) {
		return this.model
			.topWords(k, n)
			.map((/** @type {number} */ w) => cut(this.model.words.at(w), 40))
			.join(" ");
	}

	/** The topics that are not hidden. */
	topics() {
		return Array.from({ length: this.model.K }, (_, k) => k).filter(
			(k) => !this.names.hidden.has(k),
		);
	}

	/** A link to a topic: its number in its colour, and its name. @param {number} k @param {{words?: number, options?: any}} [options] */
	topic(k, options = {}) {
		return h(
			"a",
			{
				class: "topic",
				href: link("topic", k, options.options),
				hue: this.hue(k),
				"aria-label": `topic ${k}, ${this.title(k)}`,
			},
			h("span", { class: "badge" }, k),
			" ",
			said(this.title(k, options.words || 3)),
		);
	}

	/** The number of a topic in its colour, as a link. @param {number} k */
	badge(k) {
		return h(
			"a",
			{
				class: "badge",
				href: link("topic", k),
				hue: this.hue(k),
				"aria-label": `topic ${k}, ${this.title(k)}`,
			},
			k,
		);
	}

	/** A link to a word. @param {number} w place in the page @param {string} [name] class */
	word(w, name) {
		return h(
			"a",
			{ class: name || "word", href: link("word", this.model.wordIDs[w]) },
			said(cut(this.model.words.at(w), 80)),
		);
	}

	/** A link to a document. @param {number} d place in the page */
	doc(d) {
		return h(
			"a",
			{ class: "doc", href: link("doc", this.model.numbers[d]) },
			said(cut(this.model.docTitle(d), 160)),
		);
	}

	/** What the page has of the documents, if not all. */
	sampled() {
		const { model } = this;
		if (model.docs === model.D) return "";
		return `This page has ${model.docs.toLocaleString("en-US")} of ${model.D.toLocaleString("en-US")} documents: for every topic those with its largest share θ. Numbers in tables and charts count all documents.`;
	}
}

/** @param {import("./model.js").Model} model */
function hues(model) {
	const order = leaves(model);
	const list = new Float32Array(model.K);
	order.forEach((k, i) => {
		list[k] = Math.round((360 * (i + 0.5)) / model.K + 20) % 360;
	});
	return list;
}

/**
 * The topics in the order in which the tree has them.
 * @param {import("./model.js").Model} model
 * @returns {number[]}
 */
export function leaves(model) {
	const { treeLeft, treeRight } = model.arrays;
	if (!treeLeft || model.K < 2) return Array.from({ length: model.K }, (_, k) => k);
	const order = [];
	const stack = [2 * model.K - 2];
	while (stack.length > 0) {
		const node = /** @type {number} */ (stack.pop());
		if (node < model.K) order.push(node);
		else stack.push(treeRight[node - model.K], treeLeft[node - model.K]);
	}
	return order;
}
