// A topic's words over time, of models that were trained by slices of time.

import { count } from "./format.js";
import { h } from "./dom.js";
import { panel } from "./panel.js";
import { table } from "./table.js";

/** Slices that are shown at first. */
const portion = 30;

/** @param {import("./app.js").App} app @param {number} k */
export function driftPanel(app, k) {
	const { model } = app;
	const { drift } = model.info;
	if (!drift) return null;
	const slices = model.drift(k);
	const rows = table({
		caption: `Words of topic ${k} over time`,
		rows: slices,
		cards: true,
		portion,
		row: (r) => ({ "data-period": r.period }),
		columns: [
			{
				name: "period",
				title: drift.unit[0].toUpperCase() + drift.unit.slice(1),
				value: (r) => r.period,
				show: (r) => r.period,
			},
			{
				name: "tokens",
				title: "Tokens",
				number: true,
				value: (r) => r.tokens,
				show: (r) => count(r.tokens),
				hint: `of the topic in this ${drift.unit}`,
			},
			{
				name: "words",
				title: "Words",
				show: (r) =>
					h(
						"span",
						{ class: "driftwords" },
						r.words.map((w) => [
							h(w.fresh ? "strong" : "span", {}, app.word(w.word)),
							" ",
						]),
					),
			},
		],
	});
	const csv = () => [
		["period", "topic_tokens", "rank", "word", "phi"],
		...slices.flatMap((r) =>
			r.words.map((w, i) => [r.period, r.tokens, i + 1, model.words.at(w.word), w.phi]),
		),
	];
	return panel(
		`Words of topic ${k} over time`,
		{
			csv,
			name: "drift",
			note: `The most probable words in each ${drift.unit}, by its documents and ${Math.round(100 * drift.carry)} % of the counts before. Bold words were not in the row above.`,
		},
		rows.node,
	);
}
