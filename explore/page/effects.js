// How the shares of topics depend on columns of the documents.

import { fill, h, s, said } from "./dom.js";
import { count } from "./format.js";
import { inRange } from "./groups.js";
import { keep } from "./state.js";
import { panel, select } from "./panel.js";
import { table } from "./table.js";

/** @param {import("./app.js").App} app @param {import("./state.js").Place} place */
export function effectsView(app, place) {
	const { info } = app.model;
	if (!info.effects) return null;
	const { terms } = info.effects;
	let term = inRange(place.options.term, terms.length, terms.length > 1 ? 1 : 0);
	const box = h("div", {});
	const draw = () => {
		keep({ term });
		fill(
			box,
			termPanel(
				app,
				term,
				select(
					"Term",
					terms.map((/** @type {string} */ name, /** @type {number} */ i) => [
						String(i),
						name,
					]),
					String(term),
					(v) => {
						term = Number(v);
						draw();
					},
				),
			),
		);
	};
	draw();
	return {
		title: "Effects",
		node: h(
			"div",
			{},
			box,
			panel(
				"What was done",
				{ wide: true, name: "methods" },
				info.effects.methods
					.split("\n\n")
					.map((/** @type {string} */ text) => h("p", {}, said(text))),
			),
		),
	};
}

/** @param {import("./app.js").App} app @param {number} term @param {HTMLElement} tools */
function termPanel(app, term, tools) {
	const { model } = app;
	const n = model.info.effects.terms.length;
	const at = (/** @type {string} */ name) => (/** @type {number} */ k) =>
		model.arrays[name][k * n + term];
	const [estimate, low, high, p, holm] = [
		"effects",
		"effectLow",
		"effectHigh",
		"effectP",
		"effectHolm",
	].map(at);
	const topics = app.topics().filter((k) => Number.isFinite(estimate(k)));
	const reach = topics.reduce(
		(most, k) => Math.max(most, Math.abs(low(k)) || 0, Math.abs(high(k)) || 0),
		1e-300,
	);
	const points = (/** @type {number} */ x) =>
		Number.isFinite(x) ? `${(100 * x).toFixed(2)} %` : "–";
	const chance = (/** @type {number} */ x) =>
		Number.isFinite(x) ? (x < 0.001 ? "<0.001" : x.toFixed(3)) : "–";
	const base = model.info.effects.bases[term];
	const documents = model.info.effects.with[term];
	const alone = topics.some((k) => !Number.isFinite(low(k)));
	const rows = table({
		caption: "Effects on the shares of topics",
		rows: topics,
		sort: "-estimate",
		portion: 100,
		row: (k) => ({ "data-topic": k }),
		cards: true,
		columns: [
			{ name: "topic", title: "Topic", value: (k) => k, show: (k) => app.topic(k) },
			{
				name: "estimate",
				title: "Effect",
				number: true,
				value: estimate,
				show: (k) => points(estimate(k)),
			},
			{ name: "low", title: "From", number: true, value: low, show: (k) => points(low(k)) },
			{ name: "high", title: "To", number: true, value: high, show: (k) => points(high(k)) },
			{
				name: "p",
				title: "p",
				number: true,
				value: p,
				show: (k) => chance(p(k)),
			},
			{
				name: "holm",
				title: "p (Holm)",
				number: true,
				value: holm,
				show: (k) => chance(holm(k)),
				hint: "corrected for all tests of the formula",
			},
			{ name: "base", title: "Against", value: () => base, show: () => base || "–" },
			{
				name: "n",
				title: "n",
				number: true,
				value: () => documents,
				show: () => count(documents),
				hint: "documents that have the value of the term; all of them if it has none",
			},
			{
				name: "picture",
				title: "",
				show: (k) => whisker(estimate(k), low(k), high(k), reach, app.hue(k)),
			},
		],
	});
	return panel(
		"Effects on shares",
		{
			csv: rows.csv,
			wide: true,
			name: "effects",
			tools,
			note: [
				said(model.info.effects.formula),
				` — by how much a document's share of a topic differs; intervals of ${Math.round(100 * model.info.interval)} %, with the topics treated as fixed.`,
				alone && " This term rests on a single document, so it has no interval.",
			],
		},
		rows.node,
	);
}

/** A dot with its interval around 0. @param {number} x @param {number} low @param {number} high @param {number} reach @param {number} hue */
function whisker(x, low, high, reach, hue) {
	const place = (/** @type {number} */ v) => 80 + (76 * v) / reach;
	return s(
		"svg",
		{
			viewBox: "0 0 160 16",
			width: 160,
			height: 16,
			hue,
			role: "img",
			"aria-label": `${(100 * x).toFixed(2)} %`,
		},
		s("line", { x1: 80, x2: 80, y1: 1, y2: 15, stroke: "currentColor", "stroke-opacity": 0.3 }),
		Number.isFinite(low) &&
			s("line", {
				x1: place(low),
				x2: place(high),
				y1: 8,
				y2: 8,
				stroke: "var(--topic)",
				"stroke-width": 2,
			}),
		s("circle", { cx: place(x), cy: 8, r: 4, fill: "var(--topic)" }),
	);
}
