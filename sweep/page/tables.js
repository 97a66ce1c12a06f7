// The runs, and what the measures are.

import { h } from "./dom.js";
import { count, fixed } from "./format.js";
import { panel } from "./panel.js";
import { parsePlace } from "./state.js";
import { table } from "./table.js";

/** @typedef {import("./runs.js").Sweep} Sweep */

/** All runs, with links to the pages of their models. @param {Sweep} sweep */
export function runTable(sweep) {
	const columns = sweep.metrics.map((m) => ({
		name: m.name,
		title: m.title,
		number: true,
		hint: `${m.formula}; ${m.better} is better, ${m.unit}`,
		value: (/** @type {number} */ i) => sweep.value(m.name, i),
		show: (/** @type {number} */ i) => {
			const v = sweep.value(m.name, i);
			return fixed(v, Math.abs(v) >= 1000 ? 0 : 3);
		},
	}));
	const rows = table({
		caption: "Runs",
		rows: sweep.runs.map((_, i) => i),
		sort: parsePlace(location.hash).options.sort || "topics",
		option: "sort",
		cards: true,
		row: (i) => ({ "data-run": sweep.runs[i].name }),
		columns: [
			{
				name: "topics",
				title: "Topics",
				number: true,
				value: (i) => sweep.runs[i].topics,
				show: (i) => count(sweep.runs[i].topics),
			},
			{
				name: "seed",
				title: "Seed",
				number: true,
				value: (i) => sweep.runs[i].seed,
				show: (i) => sweep.runs[i].seed,
			},
			{ name: "page", title: "Model", show: (i) => model(sweep.runs[i]) },
			{
				name: "iterations",
				title: "Sweeps",
				number: true,
				value: (i) => sweep.runs[i].iterations,
				show: (i) => count(sweep.runs[i].iterations),
			},
			{
				name: "stopped",
				title: "Stopped by",
				value: (i) => sweep.runs[i].stopped,
				show: (i) => sweep.runs[i].stopped,
			},
			...columns,
		],
	});
	return panel("Runs", { wide: true, name: "runs", csv: rows.csv }, rows.node);
}

/** @param {import("./runs.js").Run} run */
function model(run) {
	if (run.page)
		return h("a", { class: "page", href: run.page }, run.typical ? "open (typical)" : "open");
	return run.model ? h("code", {}, run.model) : "not kept";
}

/** What every measure is, and where it comes from. @param {Sweep} sweep */
export function definitions(sweep) {
	return panel(
		"Definitions",
		{ wide: true, name: "definitions" },
		h(
			"dl",
			{ class: "definitions" },
			sweep.metrics.map((m) => [
				h(
					"dt",
					{},
					m.title,
					h("span", { class: "meta" }, ` ${m.name}, ${m.unit}, ${m.better} is better`),
				),
				h("dd", {}, m.formula, m.source && h("span", { class: "meta" }, ` ${m.source}`)),
			]),
		),
	);
}
