// The page of two models: which topics of one are in the other.

import { cut, fill, fitted, h, s, said, visible } from "./dom.js";
import { count, fixed, many, percent } from "./format.js";
import { keep, parsePlace } from "./state.js";
import { choice, panel } from "./panel.js";
import { table } from "./table.js";
import { unpack } from "./data.js";

const fates = ["kept", "split", "merged", "lost", "new"];
const hues = [200, 80, 300, 25, 140]; // by fate

/** Topics of a side up to which they are drawn. */
const drawnMost = 200;

/** @typedef {{a: number, b: number, similarity: number, shared: number, matched: boolean}} Link */

/** Two models and their links. */
class Comparison {
	/** @param {any} info @param {Record<string, any>} arrays */
	constructor(info, arrays) {
		this.info = info;
		this.arrays = arrays;
		/** @type {Link[]} */
		this.links = Array.from(arrays.linkA, (a, i) => ({
			a,
			b: arrays.linkB[i],
			similarity: arrays.linkSimilarity[i],
			shared: arrays.linkShared[i],
			matched: arrays.linkMatched[i] === 1,
		}));
	}

	/** @param {number} side @param {number} k */
	fate(side, k) {
		return fates[this.arrays[`fates${side}`][k]];
	}

	/** @param {number} side @param {number} k */
	share(side, k) {
		return this.arrays[`shares${side}`][k];
	}

	/** The name of a topic and its words. @param {number} side @param {number} k @param {number} n */
	title(side, k, n) {
		const words = this.arrays[`words${side}`].at(k).split(" ").slice(0, n).join(" ");
		return this.info.sides[side].labels?.[k] || words;
	}

	/** The topics of a side, largest first. @param {number} side */
	topics(side) {
		return Array.from({ length: this.info.sides[side].topics }, (_, k) => k).sort(
			(x, y) => this.share(side, y) - this.share(side, x) || x - y,
		);
	}
}

async function main() {
	const block = /** @type {HTMLElement} */ (document.getElementById("data"));
	const page = /** @type {HTMLElement} */ (document.getElementById("page"));
	if (typeof DecompressionStream === "undefined") {
		fill(
			page,
			h(
				"p",
				{ class: "note" },
				"This browser is too old for this page: it needs Chrome 80, Firefox 113, Safari 16.4 or newer.",
			),
		);
		return;
	}
	const { info, arrays } = await unpack((block.textContent || "").trim());
	const c = new Comparison(info, arrays);
	const content = h("main", { id: "content", "data-view": "comparison" });
	fill(
		page,
		h(
			"header",
			{ class: "top" },
			h(
				"span",
				{ class: "brand" },
				h("span", { class: "mark-logo", "aria-hidden": "true" }),
				said(`${info.sides[0].name} and ${info.sides[1].name}`),
			),
		),
		content,
		foot(c),
	);
	const show = () =>
		fill(
			content,
			summary(c, parsePlace(location.hash).options.fate || "all", show),
			picture(c),
			linkPanel(c),
			alone(c, 0),
			alone(c, 1),
		);
	show();
	addEventListener("hashchange", show);
	document.documentElement.dataset.ready = "yes";
}

/** @param {Comparison} c @param {string} chosen @param {() => void} show */
function summary(c, chosen, show) {
	const { info } = c;
	const counts = (/** @type {number} */ side) =>
		fates
			.map((f) => [f, c.topics(side).filter((k) => c.fate(side, k) === f).length])
			.filter(([, n]) => n);
	const line = (/** @type {number} */ side) =>
		h(
			"p",
			{},
			said(info.sides[side].name, "name"),
			`: ${many(info.sides[side].topics, "topic")} — `,
			counts(side).map(([f, n], i) => [i > 0 && ", ", `${n} ${f}`]),
		);
	return panel(
		"Comparison",
		{
			wide: true,
			name: "summary",
			tools: choice(
				"Which links",
				[
					["all", "all links"],
					["kept", "kept"],
					["split", "split"],
					["merged", "merged"],
				],
				chosen,
				(f) => {
					keep({ fate: f === "all" ? "" : f });
					show();
				},
			),
			note: `Similarity is ${info.measure === "words" ? `the share of the ${info.words} top words that two topics have in common` : "one minus the Jensen-Shannon divergence over log 2"}; topics are linked from ${fixed(info.threshold, 2)}. The mean over partners is ${fixed(info.mean)}.${info.exact ? "" : " For large models only topics that share top words are compared."}`,
		},
		line(0),
		line(1),
	);
}

/** The links that are wanted. @param {Comparison} c */
function wanted(c) {
	const fate = parsePlace(location.hash).options.fate || "all";
	return c.links.filter(
		(l) => fate === "all" || c.fate(0, l.a) === fate || c.fate(1, l.b) === fate,
	);
}

/** The topics of both models beside each other, joined by links. @param {Comparison} c */
function picture(c) {
	if (Math.max(c.info.sides[0].topics, c.info.sides[1].topics) > drawnMost) return null;
	const left = c.topics(0);
	const placeA = new Map(left.map((k, i) => [k, i]));
	/** @type {(k: number) => number} where the best partner of a topic stands */
	const pull = (k) => {
		const best = c.links
			.filter((l) => l.b === k)
			.sort((x, y) => y.similarity - x.similarity)[0];
		return best ? placeA.get(best.a) || 0 : 1e6;
	};
	const right = c
		.topics(1)
		.map((k) => ({ k, at: pull(k) }))
		.sort((x, y) => x.at - y.at)
		.map((t) => t.k);
	const placeB = new Map(right.map((k, i) => [k, i]));
	const row = 20;
	const y = (/** @type {number|undefined} */ i) => 14 + row * (i || 0);
	const draw = (/** @type {number} */ width) => {
		const [from, to] = [0.39 * width, 0.61 * width];
		const letters = Math.floor((from - 10) / 7.2);
		const name = (
			/** @type {number} */ side,
			/** @type {number} */ k,
			/** @type {number} */ i,
		) =>
			s(
				"text",
				{
					x: side === 0 ? from - 8 : to + 8,
					y: y(i) + 4,
					"text-anchor": side === 0 ? "end" : "start",
					class: ["lost", "new"].includes(c.fate(side, k)) ? "alone" : null,
				},
				visible(cut(c.title(side, k, 4), letters)),
				s("title", {}, `${k}: ${c.title(side, k, 10)}, ${c.fate(side, k)}`),
			);
		const middle = width / 2;
		return s(
			"svg",
			{
				class: "tree",
				viewBox: `0 0 ${width} ${row * Math.max(left.length, right.length) + 12}`,
				role: "img",
				"aria-label":
					"Topics of both models with their links; the table below has them all",
			},
			wanted(c).map((l) =>
				s("path", {
					class: "link",
					hue: hues[
						fates.indexOf(c.fate(0, l.a) === "kept" ? c.fate(1, l.b) : c.fate(0, l.a))
					],
					"stroke-width": (0.5 + 5 * l.similarity ** 2).toFixed(2),
					d: `M${from},${y(placeA.get(l.a))}C${middle},${y(placeA.get(l.a))} ${middle},${y(placeB.get(l.b))} ${to},${y(placeB.get(l.b))}`,
				}),
			),
			left.map((k, i) => name(0, k, i)),
			right.map((k, i) => name(1, k, i)),
		);
	};
	return panel(
		"Both models",
		{
			wide: true,
			name: "picture",
			note: "Topics of the first model are on the left, by share. Topics of the second are beside their most similar ones. Thicker lines mean greater similarity.",
		},
		fitted(draw),
	);
}

/** A topic of a side. @param {Comparison} c @param {number} side @param {number} k */
function topic(c, side, k) {
	return [
		h("span", { class: "badge", hue: hues[fates.indexOf(c.fate(side, k))] }, k),
		" ",
		said(cut(c.title(side, k, 5), 80)),
	];
}

/** @param {Comparison} c */
function linkPanel(c) {
	const rows = table({
		caption: "Links",
		rows: wanted(c),
		sort: parsePlace(location.hash).options.sort || "-similarity",
		option: "sort",
		cards: true,
		row: (l) => ({ "data-link": `${l.a}-${l.b}` }),
		columns: [
			{
				name: "a",
				title: cut(c.info.sides[0].name, 40),
				value: (l) => l.a,
				show: (l) => topic(c, 0, l.a),
			},
			{
				name: "fate_a",
				title: "Fate",
				value: (l) => c.fate(0, l.a),
				show: (l) => c.fate(0, l.a),
			},
			{
				name: "b",
				title: cut(c.info.sides[1].name, 40),
				value: (l) => l.b,
				show: (l) => topic(c, 1, l.b),
			},
			{
				name: "fate_b",
				title: "Fate",
				value: (l) => c.fate(1, l.b),
				show: (l) => c.fate(1, l.b),
			},
			{
				name: "similarity",
				title: "Similarity",
				number: true,
				value: (l) => l.similarity,
				show: (l) => fixed(l.similarity),
			},
			{
				name: "shared_words",
				title: "Shared words",
				number: true,
				value: (l) => l.shared,
				show: (l) => count(l.shared),
			},
			{
				name: "partners",
				title: "Partners",
				value: (l) => (l.matched ? "yes" : "no"),
				show: (l) => (l.matched ? "yes" : "–"),
			},
		],
	});
	return panel("Links", { wide: true, name: "links", csv: rows.csv }, rows.node);
}

/** Topics without links. @param {Comparison} c @param {number} side */
function alone(c, side) {
	const list = c.topics(side).filter((k) => ["lost", "new"].includes(c.fate(side, k)));
	if (list.length === 0) return null;
	const title = side === 0 ? "Lost topics" : "New topics";
	const rows = table({
		caption: title,
		rows: list,
		sort: "-share",
		cards: true,
		columns: [
			{ name: "topic", title: "Topic", value: (k) => k, show: (k) => topic(c, side, k) },
			{
				name: "words",
				title: "Words",
				value: (k) => c.arrays[`words${side}`].at(k),
				show: (k) => said(c.arrays[`words${side}`].at(k)),
			},
			{
				name: "share",
				title: "Share",
				number: true,
				value: (k) => c.share(side, k),
				show: (k) => percent(c.share(side, k)),
			},
		],
	});
	return panel(
		title,
		{ wide: true, name: side === 0 ? "lost" : "new", csv: rows.csv },
		rows.node,
	);
}

/** @param {Comparison} c */
function foot(c) {
	const { sides, common } = c.info;
	return h(
		"footer",
		{},
		h(
			"p",
			{},
			`Models ${sides[0].fingerprint} (${many(sides[0].words, "word")}) and ${sides[1].fingerprint} (${many(sides[1].words, "word")}), ${count(common)} in common. Made by topoi.`,
		),
	);
}

main();
