// The topics of one number of topics: how they read, and whether they come back.

import { cut, fitted, h, s, visible } from "./dom.js";
import { fixed, percent } from "./format.js";
import { choice, panel, select } from "./panel.js";
import { keep, parsePlace } from "./state.js";
import { extent, tickText, ticks } from "./axes.js";

/** @typedef {import("./runs.js").Sweep} Sweep */

/** The choice of a number of topics. @param {Sweep} sweep @param {number} chosen @param {(k: string) => void} choose */
function sizes(sweep, chosen, choose) {
	return select(
		"Number of topics",
		sweep.sizes.map((k) => [String(k), `${k} topics`]),
		String(chosen),
		choose,
	);
}

const coherences = /** @type {[string, string][]} */ ([
	["npmi", "NPMI"],
	["c_v", "C_V"],
	["umass", "UMass"],
]);

/**
 * Coherence against exclusivity of every topic: good topics lie above and to the right.
 * @param {Sweep} sweep @param {number} chosen @param {(k: string) => void} choose
 */
export function scatterPanel(sweep, chosen, choose) {
	const wanted = parsePlace(location.hash).options.coherence;
	const measure = coherences.some(([name]) => name === wanted) ? wanted : "npmi";
	const list = sweep.topics(chosen);
	const pick = (/** @type {string} */ name) => {
		keep({ coherence: name === "npmi" ? "" : name });
		choose(String(chosen));
	};
	return panel(
		"Topics",
		{
			wide: true,
			name: "topics",
			tools: [sizes(sweep, chosen, choose), choice("Coherence", coherences, measure, pick)],
			csv: () => [
				[
					"topics",
					"seed",
					"topic",
					"share",
					"npmi",
					"c_v",
					"umass",
					"exclusivity",
					"stability",
					"words",
				],
				...list.map((t) => [
					chosen,
					sweep.runs[t.run].seed,
					t.topic,
					t.share,
					t.values.npmi,
					t.values.c_v,
					t.values.umass,
					t.values.exclusivity,
					t.values.stability,
					t.words,
				]),
			],
			note: "Every topic of every seed: coherence against exclusivity, larger dots for larger topics, one colour per seed. Faint dots are topics that other seeds do not find.",
		},
		fitted((width) => scatter(sweep, list, measure, width)),
	);
}

/** @param {Sweep} sweep @param {import("./runs.js").Topic[]} list @param {string} measure @param {number} width */
function scatter(sweep, list, measure, width) {
	const [height, left, right, above, below] = [
		Math.min(420, Math.max(260, 0.8 * width)),
		52,
		20,
		14,
		44,
	];
	const [x0, x1] = extent(list.map((t) => t.values.exclusivity));
	const [y0, y1] = extent(list.map((t) => t.values[measure]));
	const x = (/** @type {number} */ v) => left + ((width - left - right) * (v - x0)) / (x1 - x0);
	const y = (/** @type {number} */ v) =>
		height - below - ((height - above - below) * (v - y0)) / (y1 - y0);
	const [across, up] = [ticks(x0, x1, Math.min(8, width / 90)), ticks(y0, y1, 6)];
	const name = (coherences.find(([m]) => m === measure) || ["", ""])[1];
	return s(
		"svg",
		{
			class: "chart scatter",
			viewBox: `0 0 ${width} ${height}`,
			role: "img",
			"aria-label": `${name} against exclusivity of ${list.length} topics; copy the numbers as CSV`,
		},
		up.map((v) => [
			s("line", { class: "grid", x1: left, x2: width - right, y1: y(v), y2: y(v) }),
			s("text", { x: left - 8, y: y(v) + 4, "text-anchor": "end" }, tickText(v, up)),
		]),
		across.map((v) =>
			s(
				"text",
				{ x: x(v), y: height - below + 18, "text-anchor": "middle" },
				tickText(v, across),
			),
		),
		s(
			"text",
			{ x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" },
			"exclusivity",
		),
		s("text", { x: left + 4, y: above + 4 }, name),
		list
			.filter((t) => Number.isFinite(t.values[measure]))
			.map((t) => {
				const run = sweep.runs[t.run];
				const back = t.values.stability;
				const circle = s(
					"circle",
					{
						class: "dot",
						hue: sweep.hue(t.run),
						cx: x(t.values.exclusivity).toFixed(1),
						cy: y(t.values[measure]).toFixed(1),
						r: (2.5 + 22 * Math.sqrt(t.share)).toFixed(1),
						opacity: Number.isFinite(back) ? (0.2 + 0.7 * back).toFixed(2) : 0.7,
						"data-topic": `${run.seed}-${t.topic}`,
					},
					s(
						"title",
						{},
						`${visible(cut(t.words, 120))}\nseed ${run.seed}, topic ${t.topic}, ${percent(t.share)}; ${name} ${fixed(t.values[measure])}, exclusivity ${fixed(t.values.exclusivity, 2)}, stability ${fixed(back)}`,
					),
				);
				return run.page
					? s("a", { href: `${run.page}#/topic/${t.topic}` }, circle)
					: circle;
			}),
	);
}

/**
 * How every two runs agree.
 * @param {Sweep} sweep @param {number} chosen @param {(k: string) => void} choose
 */
export function agreementPanel(sweep, chosen, choose) {
	const places = sweep.of(chosen);
	if (places.length < 2) return null;
	const cell = (/** @type {number} */ a, /** @type {number} */ b) => {
		const v = sweep.agreement(chosen, a, b);
		return h(
			"td",
			{ class: "number" },
			h(
				"span",
				{
					class: "heat",
					heat: v.toFixed(3),
					"data-pair": `${sweep.runs[places[a]].seed}-${sweep.runs[places[b]].seed}`,
				},
				fixed(v),
			),
		);
	};
	return panel(
		"Stability",
		{
			wide: true,
			name: "stability",
			tools: sizes(sweep, chosen, choose),
			csv: () => [
				["topics", "seed_a", "seed_b", "agreement"],
				...sweep.sizes.flatMap((k) =>
					sweep.of(k).flatMap((_, a) =>
						sweep
							.of(k)
							.map((_, b) => [
								k,
								sweep.runs[sweep.of(k)[a]].seed,
								sweep.runs[sweep.of(k)[b]].seed,
								sweep.agreement(k, a, b),
							])
							.slice(a + 1),
					),
				),
			],
			note: "Topics of every two runs are matched one by one; a number is the mean share of their 20 top words that matched topics have in common (Jaccard index). The typical run agrees best with the others.",
		},
		h(
			"div",
			{ class: "scroll" },
			h(
				"table",
				{ class: "agreement" },
				h("caption", { class: "offscreen" }, `Agreement of the runs with ${chosen} topics`),
				h(
					"thead",
					{},
					h(
						"tr",
						{},
						h("th", {}, `${chosen} topics`),
						places.map((i) =>
							h(
								"th",
								{ class: "number", scope: "col" },
								`seed ${sweep.runs[i].seed}`,
							),
						),
					),
				),
				h(
					"tbody",
					{},
					places.map((i, a) =>
						h(
							"tr",
							{},
							h(
								"th",
								{ scope: "row" },
								`seed ${sweep.runs[i].seed}`,
								sweep.runs[i].typical && " (typical)",
							),
							places.map((_, b) => cell(a, b)),
						),
					),
				),
			),
		),
	);
}
