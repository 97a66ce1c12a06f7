// The table of topics.

import { cut, h, said } from "./dom.js";
import { fixed, many, percent } from "./format.js";
import { bar, sparkbars, sparkline } from "./charts.js";
import { link, keep } from "./state.js";
import { panel } from "./panel.js";
import { table } from "./table.js";

/** @param {import("./app.js").App} app @param {import("./state.js").Place} place */
export function topicsView(app, place) {
	const { model, names } = app;
	let text = place.options.q || "";
	let all = place.options.hidden === "1";
	const top = Math.max(
		...Array.from({ length: Math.min(model.K, 100000) }, (_, k) => model.share(k)),
	);

	const rows = () => {
		const wanted = text.toLowerCase();
		return Array.from({ length: model.K }, (_, k) => k)
			.filter((k) => all || !names.hidden.has(k))
			.filter(
				(k) =>
					!wanted ||
					String(k) === wanted ||
					`${names.of(k)} ${app.wordList(k, 12)}`.toLowerCase().includes(wanted),
			);
	};
	const course = sparks(app);
	const topics = table({
		caption: "Topics",
		rows: rows(),
		sort: place.options.sort || "-share",
		option: "sort",
		cards: true,
		row: (k) => ({ "data-topic": k, class: names.hidden.has(k) ? "faded" : null }),
		columns: [
			{ name: "topic", title: "Topic", value: (k) => k, show: (k) => app.badge(k) },
			{
				name: "name",
				title: "Name and words",
				value: (k) => names.of(k) || app.wordList(k, 12),
				show: (k) => nameCell(app, k),
			},
			{
				name: "share",
				title: "Share",
				number: true,
				value: (k) => model.share(k),
				hint: "n_k/N: the share of all tokens",
				show: (k) =>
					h(
						"div",
						{ class: "withbar" },
						bar(model.share(k), top, app.hue(k)),
						h("span", {}, percent(model.share(k))),
					),
			},
			{
				name: "npmi",
				title: "Coherence",
				number: true,
				value: (k) => model.arrays.npmi[k],
				hint: "NPMI of the top 10 words, −1 to 1",
				show: (k) => fixed(model.arrays.npmi[k]),
			},
			{
				name: "exclusivity",
				title: "Exclusivity",
				number: true,
				value: (k) => model.arrays.exclusivity[k],
				hint: "How exclusive the top 10 words are to this topic (as in stm)",
				show: (k) => fixed(model.arrays.exclusivity[k], 2),
			},
			...course,
		],
	});
	const filter = h("input", {
		type: "search",
		id: "filter",
		placeholder: "Filter by word or name",
		"aria-label": "Filter topics",
		value: text,
		oninput: (/** @type {any} */ e) => {
			text = e.target.value.trim();
			keep({ q: text });
			topics.update(rows());
		},
	});
	const showHidden =
		names.hidden.size > 0 &&
		h(
			"label",
			{ class: "check" },
			h("input", {
				type: "checkbox",
				checked: all,
				onchange: (/** @type {any} */ e) => {
					all = e.target.checked;
					keep({ hidden: all ? 1 : "" });
					topics.update(rows());
				},
			}),
			` ${many(names.hidden.size, "hidden topic")}`,
		);
	return {
		title: "Topics",
		node: panel(
			"Topics",
			{
				csv: () => csv(app, rows()),
				tools: [filter, showHidden],
				wide: true,
				name: "topics",
				note: intro(app),
			},
			topics.node,
		),
	};
}

/** @param {import("./app.js").App} app */
function intro(app) {
	const { info } = app.model;
	return `${many(info.topics, "topic")} of ${many(info.docs, "document")}, ${many(info.tokens, "token")}, ${many(info.words, "word")}.${info.pseudo ? ` ${many(info.pseudo, "pseudo-count")} guide the topics. They belong to no document: shares and tokens of topics do not include them, probabilities of words do.` : ""}`;
}

/** @param {import("./app.js").App} app @param {number} k */
function nameCell(app, k) {
	const name = app.names.of(k);
	return h(
		"a",
		{ class: "named", href: link("topic", k), tabindex: -1 },
		name && [said(name, "name"), " "],
		h(
			"span",
			{ class: name ? "words" : "words main" },
			app.model
				.topWords(k, 8)
				.map((/** @type {number} */ w) => [said(cut(app.model.words.at(w), 40)), " "]),
		),
	);
}

/**
 * A column with the course over time, or else over groups.
 * @param {import("./app.js").App} app
 * @returns {any[]}
 */
function sparks(app) {
	const { model } = app;
	const { calendars, groups } = model.info;
	if (calendars && calendars.length > 0) {
		const n = calendars[0].bins.length;
		return [
			{
				name: "course",
				title: "Over time",
				show: (/** @type {number} */ k) =>
					sparkline(
						model.arrays.timeShares0.subarray(k * n, (k + 1) * n),
						`topic ${k} over time`,
						app.hue(k),
					),
			},
		];
	}
	if (groups && groups.length > 1) {
		const n = groups.length;
		return [
			{
				name: "groups",
				title: "By group",
				show: (/** @type {number} */ k) =>
					sparkbars(
						model.arrays.groupShares.subarray(k * n, (k + 1) * n),
						`topic ${k} by group`,
						app.hue(k),
					),
			},
		];
	}
	return [
		{
			name: "spread",
			title: "In documents",
			hint: "Documents in which the topic has a share of 10 %, 20 %, … 90 % and more",
			show: (/** @type {number} */ k) =>
				sparkbars(
					model.arrays.spread.subarray(9 * k, 9 * k + 9),
					`topic ${k} by its share of documents`,
					app.hue(k),
				),
		},
	];
}

/** @param {import("./app.js").App} app @param {number[]} rows */
function csv(app, rows) {
	const { model, names } = app;
	return [
		["topic", "name", "share", "tokens", "alpha", "npmi", "exclusivity", "words"],
		...rows.map((k) => [
			k,
			names.of(k),
			model.share(k),
			model.tokens[k],
			model.alpha[k],
			model.arrays.npmi[k],
			model.arrays.exclusivity[k],
			app.wordList(k, 10),
		]),
	];
}
