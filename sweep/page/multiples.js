// A small chart for every measure: a dot for every seed, a line through the means.

import { h, s } from "./dom.js";
import { fixed } from "./format.js";
import { panel } from "./panel.js";
import { extent, tickText, ticks } from "./axes.js";

/** @typedef {import("./runs.js").Sweep} Sweep */
/** @typedef {import("./runs.js").Metric} Metric */

const [width, height, left, right, above, below] = [360, 200, 52, 12, 12, 30];

/**
 * @param {Sweep} sweep @param {number} chosen the number of topics that is looked at @param {(k: string) => void} choose
 */
export function multiples(sweep, chosen, choose) {
	const shown = sweep.metrics.filter((m) =>
		sweep.runs.some((_, i) => Number.isFinite(sweep.value(m.name, i))),
	);
	return panel(
		"All measures",
		{
			wide: true,
			name: "multiples",
			csv: () => csv(sweep),
			note: "Each dot is a run, and the line connects the means over seeds. The ring marks the best mean, the dashed line the knee of the held-out curve, and the band the recommended number of topics. The axis of topics is logarithmic. Click a dot to open the page of its model.",
		},
		h(
			"div",
			{ class: "multiples" },
			shown.map((m) => chart(sweep, m, chosen, choose)),
		),
	);
}

/** @param {Sweep} sweep @param {Metric} metric @param {number} chosen @param {(k: string) => void} choose */
function chart(sweep, metric, chosen, choose) {
	const { sizes } = sweep;
	const [low, high] = extent(sweep.runs.map((_, i) => sweep.value(metric.name, i)));
	const span = Math.log(sizes[sizes.length - 1] / sizes[0]);
	const x = (/** @type {number} */ k) =>
		left +
		(width - left - right) * (span > 0 ? 0.04 + (0.92 * Math.log(k / sizes[0])) / span : 0.5);
	const y = (/** @type {number} */ v) =>
		height - below - ((height - above - below) * (v - low)) / (high - low);
	const best = sweep.best(metric);
	const marks = ticks(low, high, 4);
	const r = sweep.info.recommendation;
	const means = sizes.filter((k) => Number.isFinite(sweep.mean(metric.name, k)));
	return h(
		"figure",
		{ "data-metric": metric.name },
		h(
			"figcaption",
			{ title: `${metric.formula}${metric.source ? ` (${metric.source})` : ""}` },
			h("strong", {}, metric.title),
			` ${metric.better} is better, ${metric.unit}`,
		),
		s(
			"svg",
			{
				class: "chart",
				viewBox: `0 0 ${width} ${height}`,
				role: "img",
				"aria-label": `${metric.title} by number of topics; best mean with ${best} topics`,
			},
			sizes.includes(r.topics) &&
				s("rect", {
					class: "recommended",
					x: x(r.topics) - 9,
					y: above - 4,
					width: 18,
					height: height - above - below + 8,
					rx: 4,
				}),
			marks.map((v) => [
				s("line", { class: "grid", x1: left, x2: width - right, y1: y(v), y2: y(v) }),
				s("text", { x: left - 7, y: y(v) + 3.5, "text-anchor": "end" }, tickText(v, marks)),
			]),
			labelled(sizes, x).map((k) =>
				s(
					"text",
					{
						class: k === chosen ? "chosen" : null,
						x: x(k),
						y: height - 10,
						"text-anchor": "middle",
					},
					k,
				),
			),
			metric.name === "heldout" &&
				r.knee > 0 &&
				s(
					"line",
					{
						class: "knee",
						x1: x(r.knee),
						x2: x(r.knee),
						y1: above - 6,
						y2: height - below,
					},
					s("title", {}, `knee at ${r.knee} topics`),
				),
			s("polyline", {
				class: "line",
				points: means
					.map((k) => `${x(k).toFixed(1)},${y(sweep.mean(metric.name, k)).toFixed(1)}`)
					.join(" "),
			}),
			best > 0 &&
				s("circle", {
					class: "best",
					cx: x(best),
					cy: y(sweep.mean(metric.name, best)),
					r: 8,
				}),
			sizes.map((k) =>
				s(
					"rect",
					{
						class: "hit",
						x: x(k) - 8,
						y: above,
						width: 16,
						height: height - above - below,
						"data-k": k,
						onclick: () => choose(String(k)),
					},
					s("title", {}, `${k} topics: mean ${fixed(sweep.mean(metric.name, k), 4)}`),
				),
			),
			sweep.runs.map((run, i) => dot(sweep, metric, run, i, x, y)),
		),
	);
}

/** A run: a link where it has a page. @param {Sweep} sweep @param {Metric} metric @param {import("./runs.js").Run} run @param {number} i @param {(k: number) => number} x @param {(v: number) => number} y */
function dot(sweep, metric, run, i, x, y) {
	const v = sweep.value(metric.name, i);
	if (!Number.isFinite(v)) return null;
	const circle = s(
		"circle",
		{
			class: "dot",
			hue: sweep.hue(i),
			"data-run": run.name,
			cx: x(run.topics).toFixed(1),
			cy: y(v).toFixed(1),
			r: 3.4,
		},
		s(
			"title",
			{},
			`${run.topics} topics, seed ${run.seed}: ${fixed(v, 4)}${run.page ? " — open its page" : ""}`,
		),
	);
	return run.page ? s("a", { href: run.page }, circle) : circle;
}

/** Numbers of topics that can be written beside each other. @param {number[]} sizes @param {(k: number) => number} x */
function labelled(sizes, x) {
	let last = -1e9;
	return sizes.filter((k) => {
		if (x(k) - last < 22) return false;
		last = x(k);
		return true;
	});
}

/** @param {Sweep} sweep */
function csv(sweep) {
	return [
		["topics", "seed", ...sweep.metrics.map((m) => m.name)],
		...sweep.runs.map((r, i) => [
			r.topics,
			r.seed,
			...sweep.metrics.map((m) => sweep.value(m.name, i)),
		]),
	];
}
