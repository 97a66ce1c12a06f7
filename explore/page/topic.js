// One topic.

import { fill, h, said } from "./dom.js";
import { count, fixed, many, percent, small } from "./format.js";
import { bar, lines } from "./charts.js";
import { choice, panel } from "./panel.js";
import { docList } from "./doclist.js";
import { driftPanel } from "./drift.js";
import { inGroups, inPeriods } from "./shares.js";
import { keep, link } from "./state.js";
import { largest } from "./groups.js";
import { table } from "./table.js";

/** @param {import("./app.js").App} app @param {import("./state.js").Place} place */
export function topicView(app, place) {
	const k = Number(place.id);
	if (!Number.isInteger(k) || k < 0 || k >= app.model.K || place.id === "") return null;
	return {
		title: `Topic ${k}: ${app.title(k)}`,
		node: h(
			"div",
			{ class: "grid two", "data-topic": k },
			heading(app, k),
			h("div", { class: "column" }, wordsPanel(app, k, place), neighboursPanel(app, k)),
			h(
				"div",
				{ class: "column" },
				timePanel(app, k),
				driftPanel(app, k),
				docList(app, { title: "Documents", topic: k, place }),
				groupsPanel(app, k),
			),
		),
	};
}

/** @param {import("./app.js").App} app @param {number} k */
function heading(app, k) {
	const { model, names } = app;
	const { npmi, exclusivity, dominant } = model.arrays;
	const input = /** @type {HTMLInputElement} */ (
		h("input", {
			id: "rename",
			type: "text",
			maxlength: 200,
			value: names.of(k),
			placeholder: app.wordList(k, 3),
			"aria-label": `Name of topic ${k}`,
			dir: "auto",
			autocomplete: "off",
			onchange: () =>
				names.rename(k, input.value.replace(/[\u0000-\u001f\u007f-\u009f]/g, " ")),
			onkeydown: (/** @type {KeyboardEvent} */ e) => {
				if (e.key === "Enter") input.blur();
			},
		})
	);
	const hidden = h(
		"label",
		{ class: "check" },
		h("input", {
			type: "checkbox",
			id: "hide",
			checked: names.hidden.has(k),
			onchange: (/** @type {any} */ e) => names.hide(k, e.target.checked),
		}),
		" hide",
	);
	const next = (k + 1) % model.K;
	const previous = (k + model.K - 1) % model.K;
	const fact = (
		/** @type {string} */ name,
		/** @type {string} */ value,
		/** @type {string} */ hint,
	) => h("div", { title: hint }, h("dt", {}, name), h("dd", {}, value));
	return h(
		"header",
		{ class: "topichead wide", hue: app.hue(k) },
		h(
			"div",
			{ class: "line" },
			h(
				"h1",
				{},
				h("span", { class: "badge large" }, k),
				h("span", { class: "offscreen" }, `Topic ${k}: ${app.title(k)}`),
			),
			input,
			hidden,
			h(
				"nav",
				{ class: "steps", "aria-label": "Other topics" },
				h(
					"a",
					{
						href: link("topic", previous),
						rel: "prev",
						"aria-label": "previous topic",
						title: "previous topic ([)",
					},
					"‹",
				),
				h(
					"a",
					{
						href: link("topic", next),
						rel: "next",
						"aria-label": "next topic",
						title: "next topic (])",
					},
					"›",
				),
			),
		),
		h(
			"dl",
			{ class: "facts" },
			fact("share", percent(model.share(k)), "n_k/N: the share of all tokens"),
			fact("tokens", count(model.tokens[k]), "n_k"),
			model.info.pseudo > 0 &&
				fact(
					"pseudo-counts",
					count(model.totals[k] - model.tokens[k]),
					"pseudo-counts that guide the topic",
				),
			fact("α", small(model.alpha[k]), "prior weight in documents"),
			fact("coherence", fixed(npmi[k]), "NPMI of the top 10 words"),
			fact(
				"exclusivity",
				fixed(exclusivity[k], 2),
				"how exclusive the top 10 words are to this topic",
			),
			fact(
				"main topic of",
				many(dominant[k], "document"),
				"documents in which no topic has a larger share",
			),
		),
	);
}

const orders = /** @type {[string, string][]} */ ([
	["relevance", "Relevance"],
	["probability", "Probability"],
	["frex", "FREX"],
	["lift", "Lift"],
]);
const explained = /** @type {Record<string, string>} */ ({
	relevance: "λ log φ + (1−λ) log lift: λ = 1 orders words by probability, λ = 0 by lift.",
	probability: "φ: the most frequent words of the topic.",
	frex: "Words that are both frequent in the topic and rare in others: the harmonic mean of both ranks.",
	lift: "φ divided by the word's share of the corpus; rare words come first.",
});

/** @param {import("./app.js").App} app @param {number} k @param {import("./state.js").Place} place */
function wordsPanel(app, k, place) {
	const { model } = app;
	let order = orders.some(([name]) => name === place.options.order)
		? place.options.order
		: "relevance";
	let lambda = Math.min(1, Math.max(0, Number.parseFloat(place.options.lambda ?? "0.6"))) || 0;
	let shown = 30;
	const words = model.wordsOf(k);
	const list = h("ol", { class: "words" });
	const note = h("p", { class: "note" });
	const score = (/** @type {any} */ w) =>
		({
			relevance: model.relevance(w.phi, w.total, lambda),
			probability: w.phi,
			frex: w.frex,
			lift: w.lift,
		})[order] || 0;
	const ranked = () =>
		words
			.map((w) => ({ ...w, score: score(w) }))
			.sort((a, b) => b.score - a.score || b.count - a.count || a.word - b.word);

	const draw = () => {
		const all = ranked();
		const top = Math.max(...all.slice(0, shown).map((w) => w.phi), 1e-300);
		fill(
			list,
			all.slice(0, shown).map((w) =>
				h(
					"li",
					{ "data-word": model.wordIDs[w.word], "data-score": w.score },
					app.word(w.word),
					bar(w.phi, top, app.hue(k)),
					h(
						"span",
						{
							class: "number",
							title: `${count(w.count)} of ${many(w.total, "token")} of this word${model.info.pseudo ? ", pseudo-counts included" : ""}; φ ${percent(w.phi)}, lift ${fixed(w.lift, 2)}, FREX ${fixed(w.frex)}`,
						},
						percent(w.phi),
					),
				),
			),
		);
		fill(note, explained[order]);
		slider.hidden = order !== "relevance";
		fill(
			more,
			all.length > shown &&
				h(
					"button",
					{
						type: "button",
						class: "quiet",
						onclick: () => {
							shown += 100;
							draw();
						},
					},
					`Show more of ${many(all.length, "word")}`,
				),
			!model.info.wordsComplete &&
				h(
					"p",
					{ class: "note" },
					`This page has ${many(all.length, "word")} of this topic: those at the top of one of the four orders.`,
				),
		);
	};
	const value = h("output", { for: "lambda" });
	const range = /** @type {HTMLInputElement} */ (
		h("input", {
			type: "range",
			id: "lambda",
			min: 0,
			max: 1,
			step: 0.01,
			"aria-label": "λ of relevance",
			oninput: () => {
				lambda = Number(range.value);
				fill(value, lambda.toFixed(2));
				keep({ lambda: range.value });
				draw();
			},
		})
	);
	range.value = String(lambda);
	fill(value, lambda.toFixed(2));
	const slider = h("div", { class: "slider" }, h("label", { for: "lambda" }, "λ"), range, value);
	const more = h("div", { class: "more" });
	draw();
	const csv = () => [
		["rank", "word", "tokens", "tokens_in_corpus", "phi", "lift", "frex", "relevance"],
		...ranked().map((w, i) => [
			i + 1,
			model.words.at(w.word),
			w.count,
			w.total,
			w.phi,
			w.lift,
			w.frex,
			model.relevance(w.phi, w.total, lambda),
		]),
	];
	return panel(
		"Words",
		{
			csv,
			name: "words",
			tools: choice("Order of words", orders, order, (o) => {
				order = o;
				keep({ order });
				draw();
			}),
		},
		slider,
		note,
		list,
		more,
	);
}

/** @param {import("./app.js").App} app @param {number} k */
function timePanel(app, k) {
	const { model } = app;
	const [calendar] = model.info.calendars || [];
	if (!calendar) return null;
	const { values, low, high } = inPeriods(model, 0, k);
	return panel(
		"Over time",
		{
			name: "time",
			tools: h("a", { class: "quiet", href: link("time", "", { topics: k }) }, "More"),
			csv: () => [
				["period", "share", "low", "high"],
				...calendar.bins.map((/** @type {string} */ b, /** @type {number} */ i) => [
					b,
					values[i],
					low[i],
					high[i],
				]),
			],
		},
		lines({
			label: `Share of topic ${k} by ${calendar.unit}`,
			bins: calendar.bins,
			height: 180,
			series: [{ name: app.title(k), series: 0, values, low, high }],
			choose: (bin) => {
				location.hash = link("time", "", { topics: k, bin: calendar.bins[bin] });
			},
		}),
	);
}

/** @param {import("./app.js").App} app @param {number} k */
function groupsPanel(app, k) {
	const { model } = app;
	const groups = model.info.groups || [];
	if (groups.length === 0) return null;
	const n = groups.length;
	const { groupShares, groupLow, groupHigh } = model.arrays;
	const top = largest(inGroups(model, k));
	const rows = table({
		caption: `Topic ${k} by group`,
		rows: groups.map((/** @type {any} */ _, /** @type {number} */ g) => g),
		sort: "-share",
		portion: 12,
		cards: true,
		columns: [
			{
				name: "group",
				title: "Group",
				value: (g) => groups[g].name,
				show: (g) =>
					h(
						"a",
						{ href: link("groups", "", { topic: k, group: g }) },
						said(groups[g].name || "(none)"),
					),
			},
			{
				name: "share",
				title: "Share",
				number: true,
				value: (g) => groupShares[k * n + g],
				show: (g) =>
					h(
						"div",
						{ class: "withbar" },
						bar(groupShares[k * n + g], top, app.hue(k), [
							groupLow[k * n + g],
							groupHigh[k * n + g],
						]),
						h("span", {}, percent(groupShares[k * n + g])),
					),
			},
		],
	});
	const csv = () => [
		["group", "share", "low", "high"],
		...groups.map((/** @type {any} */ g, /** @type {number} */ i) => [
			g.name,
			groupShares[k * n + i],
			groupLow[k * n + i],
			groupHigh[k * n + i],
		]),
	];
	return panel(
		"By group",
		{
			csv,
			name: "groups",
			tools: h("a", { class: "quiet", href: link("groups", "", { topic: k }) }, "More"),
		},
		rows.node,
	);
}

/** @param {import("./app.js").App} app @param {number} k */
function neighboursPanel(app, k) {
	const near = neighbours(app.model, k);
	if (near.length === 0) return null;
	const rows = table({
		caption: `Topics like topic ${k}`,
		rows: near,
		columns: [
			{
				name: "topic",
				title: "Topic",
				value: (r) => r.topic,
				show: (r) => app.topic(r.topic, { words: 4 }),
			},
			{
				name: "distance",
				title: "Distance",
				number: true,
				value: (r) => r.distance,
				show: (r) => fixed(r.distance),
				hint: app.model.info.distance,
			},
		],
	});
	return panel(
		"Neighbours",
		{
			csv: rows.csv,
			name: "neighbours",
			note: `Topics with similar words, by ${app.model.info.distance}.`,
		},
		rows.node,
	);
}

/** @param {import("./model.js").Model} model @param {number} k */
export function neighbours(model, k) {
	const { nearTopics, nearDistances } = model.arrays;
	if (!nearTopics) return [];
	const n = Math.floor(nearTopics.length / model.K);
	return Array.from({ length: n }, (_, i) => ({
		topic: nearTopics[k * n + i],
		distance: nearDistances[k * n + i],
	}));
}
