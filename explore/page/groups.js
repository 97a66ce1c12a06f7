// Topics by group.

import { cut, fill, h, said } from "./dom.js";
import { count, fixed, many, percent } from "./format.js";
import { bar, legend, lines } from "./charts.js";
import { docList } from "./doclist.js";
import { bySize, groupings } from "./columns.js";
import { groupsBySize, inGroupPeriods } from "./shares.js";
import { keep, link } from "./state.js";
import { panel, select } from "./panel.js";
import { table } from "./table.js";

/** Groups that the table shows at first, and lines of groups over time. */
const groupsAtFirst = () => (innerWidth <= 640 ? 4 : 8);
const mostLines = 6;

/** @typedef {import("./columns.js").Grouping} Grouping */

/** @param {import("./app.js").App} app @param {import("./state.js").Place} place */
export function groupsView(app, place) {
	const { model } = app;
	const all = groupings(model);
	if (all.length === 0)
		return nothing(
			"Groups",
			"The documents of this model have no columns to group by. Import them from a table, or with a label column, to see topics by group.",
		);
	const by = all.find((g) => g.name === (place.options.by || "")) || all[0];
	const topics = app.topics().sort((a, b) => model.share(b) - model.share(a) || a - b);
	let topic = inRange(place.options.topic, model.K, topics[0] ?? 0);
	let group = inRange(place.options.group, by.groups.length, -1);
	const below = h("div", { class: "grid two" });
	const draw = () => {
		keep({ topic, group: group < 0 ? "" : group });
		fill(
			below,
			h(
				"div",
				{ class: "column" },
				topicPanel(app, by, topic, choose),
				by.name === "" && crossPanel(app, topic),
			),
			h(
				"div",
				{ class: "column" },
				group >= 0 && behind(app, by, topic, group, place),
				group >= 0 && groupPanel(app, by, group),
			),
		);
	};
	const choose = (/** @type {number} */ k, /** @type {number} */ g) => {
		[topic, group] = [k, g];
		draw();
	};
	draw();
	return {
		title: "Groups",
		node: h(
			"div",
			{},
			heatPanel(app, all, by, topics, choose, place.options.all === "1"),
			below,
		),
	};
}

/** @param {string} title @param {string} text */
export function nothing(title, text) {
	return { title, node: panel(title, { wide: true }, h("p", { class: "note" }, text)) };
}

/** @param {string|undefined} text @param {number} n @param {number} otherwise */
export function inRange(text, n, otherwise) {
	const value = text === undefined || text === "" ? -1 : Number(text);
	return Number.isInteger(value) && value >= 0 && value < n ? value : otherwise;
}

/** Topics × groups. @param {import("./app.js").App} app @param {Grouping[]} all @param {Grouping} by @param {number[]} topics @param {(k: number, g: number) => void} choose @param {boolean} wide whether all groups are shown */
function heatPanel(app, all, by, topics, choose, wide) {
	const { model } = app;
	const { groups } = by;
	const order = bySize(groups);
	const cell = (/** @type {number} */ k, /** @type {number} */ g) => {
		const shares = by.shares(k);
		const lone = (/** @type {number} */ i) => groups[i].docs < 2;
		const known = shares.values.filter(
			(/** @type {number} */ _, /** @type {number} */ i) => !lone(i),
		);
		const top = largest({ ...shares, values: known, high: known });
		const label = `topic ${k} in ${groups[g].name || "(none)"}: ${percent(shares.values[g])}, ${interval(model, shares, g)}`;
		return h(
			"button",
			{
				type: "button",
				class: "heat",
				hue: app.hue(k),
				heat: lone(g) ? "0" : ((shares.values[g] || 0) / top).toFixed(3),
				title: label,
				"aria-label": label,
				"data-group": g,
				onclick: () => choose(k, g),
			},
			brief(shares.values[g]),
		);
	};
	const columns = () => [
		{
			name: "topic",
			title: "Topic",
			value: (/** @type {number} */ k) => k,
			show: (/** @type {number} */ k) => h("div", { class: "short" }, app.topic(k)),
		},
		{
			name: "all",
			title: "All",
			number: true,
			value: (/** @type {number} */ k) => model.share(k),
			show: (/** @type {number} */ k) => percent(model.share(k)),
		},
		...order.slice(0, wide ? order.length : groupsAtFirst()).map((g) => ({
			name: `group${g}`,
			title: cut(groups[g].name, 24) || "(none)",
			hint: `${groups[g].name}: ${many(groups[g].docs, "document")}`,
			number: true,
			value: (/** @type {number} */ k) => by.shares(k).values[g],
			show: (/** @type {number} */ k) => cell(k, g),
		})),
	];
	const draw = () => {
		fill(more, wide ? "Only the largest groups" : `All ${count(order.length)} groups`);
		box.classList.toggle("many", columns().length > 10 || innerWidth <= 640);
		rows.columns(columns());
	};
	const more = h("button", {
		type: "button",
		class: "quiet",
		id: "allgroups",
		onclick: () => {
			wide = !wide;
			keep({ all: wide ? 1 : "" });
			draw();
		},
	});
	const csv = () => [
		["topic", "name", "group", "documents", "share", "low", "high"],
		...topics.flatMap((k) => {
			const shares = by.shares(k);
			return order.map((g) => [
				k,
				app.names.of(k),
				groups[g].name,
				groups[g].docs,
				shares.values[g],
				shares.low[g],
				shares.high[g],
			]);
		}),
	];
	const rows = table({
		caption: "Shares of topics by group, in per cent",
		rows: topics,
		portion: 25,
		sort: "-all",
		row: (k) => ({ "data-topic": k }),
		columns: columns(),
	});
	const box = panel(
		"Topics by group",
		{
			csv,
			wide: true,
			name: "heat",
			tools: [
				all.length > 1 &&
					select(
						"Group by",
						all.map((g) => [g.name, `by ${cut(g.title, 40)}`]),
						by.name,
						(name) => {
							location.hash = link("groups", "", { by: name });
						},
					),
				order.length > groupsAtFirst() && more,
			],
			note: [
				"Shares of the tokens of each group, in per cent; the largest groups come first. Click a cell to see its documents.",
				by.left > 0 &&
					` This page has the ${count(groups.length)} largest groups; ${count(by.left)} smaller ones are left out.`,
			],
		},
		rows.node,
	);
	draw();
	return box;
}

/** A share in percent for a small cell. @param {number} x */
function brief(x) {
	if (!Number.isFinite(x)) return "–";
	return x < 0.0005 ? "·" : (100 * x).toFixed(1);
}

/** @param {import("./model.js").Model} model @param {import("./shares.js").Shares} shares @param {number} i */
function interval(model, shares, i) {
	if (!Number.isFinite(shares.low[i])) return "no interval for a single document";
	return `${percent(shares.low[i])} to ${percent(shares.high[i])} (${Math.round(100 * model.info.interval)} % interval)`;
}

/** One topic in all groups. @param {import("./app.js").App} app @param {Grouping} by @param {number} k @param {(k: number, g: number) => void} choose */
function topicPanel(app, by, k, choose) {
	const { model } = app;
	const { groups } = by;
	const shares = by.shares(k);
	const top = largest(shares);
	const rows = table({
		caption: `Topic ${k} by group`,
		rows: groups.map((/** @type {any} */ _, /** @type {number} */ g) => g),
		sort: "-share",
		portion: 40,
		cards: true,
		row: (g) => ({ "data-group": g }),
		columns: [
			{
				name: "group",
				title: "Group",
				value: (g) => groups[g].name,
				show: (g) =>
					h(
						"button",
						{ type: "button", class: "linklike", onclick: () => choose(k, g) },
						said(groups[g].name || "(none)"),
					),
			},
			{
				name: "share",
				title: "Share",
				number: true,
				value: (g) => shares.values[g],
				show: (g) =>
					h(
						"div",
						{ class: "withbar", title: interval(model, shares, g) },
						bar(shares.values[g], top, app.hue(k), [shares.low[g], shares.high[g]]),
						h("span", {}, percent(shares.values[g])),
					),
			},
			{
				name: "interval",
				title: "Interval",
				number: true,
				show: (g) => span(shares.low[g], shares.high[g]),
			},
		],
	});
	const csv = () => [
		["group", "documents", "share", "low", "high"],
		...groups.map((/** @type {any} */ g, /** @type {number} */ i) => [
			g.name,
			g.docs,
			shares.values[i],
			shares.low[i],
			shares.high[i],
		]),
	];
	return panel(
		"One topic in all groups",
		{
			csv,
			name: "onetopic",
			note: [
				app.topic(k),
				` — intervals hold ${Math.round(100 * model.info.interval)} % of samples of the documents, with the topics treated as fixed.`,
			],
		},
		rows.node,
	);
}

/** "4.25 – 11.2 %". @param {number} low @param {number} high */
function span(low, high) {
	return Number.isFinite(low) ? `${percent(low).replace(" %", "")} – ${percent(high)}` : "–";
}

/** The largest number of shares and intervals. @param {import("./shares.js").Shares} shares */
export function largest(shares) {
	return [...shares.values, ...shares.high].reduce((top, v) => (v > top ? v : top), 1e-300);
}

/** All topics in one group. @param {import("./app.js").App} app @param {Grouping} by @param {number} g */
function groupPanel(app, by, g) {
	const { model } = app;
	const name = by.groups[g].name || "(none)";
	const share = (/** @type {number} */ k) => by.shares(k).values[g];
	const rows = table({
		caption: `Topics of ${name}`,
		rows: app.topics(),
		sort: "-share",
		portion: 15,
		cards: true,
		columns: [
			{ name: "topic", title: "Topic", value: (k) => k, show: (k) => app.topic(k) },
			{
				name: "share",
				title: "Share here",
				number: true,
				value: share,
				show: (k) => percent(share(k)),
			},
			{
				name: "all",
				title: "In all",
				number: true,
				value: (k) => model.share(k),
				show: (k) => percent(model.share(k)),
			},
			{
				name: "ratio",
				title: "Ratio",
				number: true,
				value: (k) => share(k) / model.share(k),
				show: (k) => fixed(share(k) / model.share(k), 2),
			},
		],
	});
	return panel(
		"One group, all topics",
		{ csv: rows.csv, name: "onegroup", note: said(name) },
		rows.node,
	);
}

/** The documents behind a cell. @param {import("./app.js").App} app @param {Grouping} by @param {number} k @param {number} g @param {any} place */
function behind(app, by, k, g, place) {
	const name = by.groups[g].name || "(none)";
	return docList(app, {
		title: "Documents",
		topic: k,
		place,
		wanted: (d) => by.has(d, g),
		among: `Topic ${k} in ${name}: the documents with the largest share first.`,
	});
}

/** Groups × time. @param {import("./app.js").App} app @param {number} k */
function crossPanel(app, k) {
	const { model } = app;
	if (!model.arrays.crossTopics) return null;
	const calendar = model.info.calendars[model.info.crossCalendar];
	const groups = model.info.groups;
	const largest = groupsBySize(model).slice(0, mostLines);
	if (!inGroupPeriods(model, k, 0))
		return panel(
			"Groups over time",
			{ name: "cross" },
			h(
				"p",
				{ class: "note" },
				`This page has groups over time for the ${many(model.arrays.crossTopics.length, "largest topic")} only.`,
			),
		);
	const series = largest.map((/** @type {number} */ g, /** @type {number} */ i) => ({
		name: groups[g].name || "(none)",
		series: i,
		values: inGroupPeriods(model, k, g) || [],
	}));
	const csv = () => [
		["group", "period", "share"],
		...groups.flatMap((/** @type {any} */ group, /** @type {number} */ g) =>
			calendar.bins.map((/** @type {string} */ b, /** @type {number} */ t) => [
				group.name,
				b,
				/** @type {any} */ (inGroupPeriods(model, k, g))[t],
			]),
		),
	];
	return panel(
		"Groups over time",
		{
			csv,
			name: "cross",
			note: `Share of topic ${k} by ${calendar.unit}${groups.length > mostLines ? ` in the ${mostLines} largest groups` : ""}.`,
			tools: h("a", { class: "quiet", href: link("time", "", { topics: k }) }, "Time"),
		},
		legend(series),
		lines({ label: `Topic ${k} by group and ${calendar.unit}`, bins: calendar.bins, series }),
	);
}

export const groupSelect = (
	/** @type {import("./app.js").App} */ app,
	/** @type {number} */ group,
	/** @type {(g: number) => void} */ choose,
) =>
	select(
		"Group",
		[
			["", "all documents"],
			.../** @type {[string, string][]} */ (
				groupsBySize(app.model).map((g) => [
					String(g),
					cut(app.model.info.groups[g].name, 60) || "(none)",
				])
			),
		],
		group < 0 ? "" : String(group),
		(v) => choose(v === "" ? -1 : Number(v)),
	);
