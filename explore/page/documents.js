// Documents chosen by their columns: their topics, as a whole and by group.

import { announce, cut, fill, h, said } from "./dom.js";
import { columnsOf, cuts, isRange, passing } from "./columns.js";
import { bar } from "./charts.js";
import { count, fixed, many, percent } from "./format.js";
import { docList } from "./doclist.js";
import { inRange } from "./groups.js";
import { keep } from "./state.js";
import { panel, select } from "./panel.js";
import { table } from "./table.js";

/** Groups that the table shows at most. */
const mostGroups = 12;

/** @param {import("./app.js").App} app @param {import("./state.js").Place} place */
export function documentsView(app, place) {
	return { title: "Documents", node: new Chosen(app, place).node };
}

class Chosen {
	/** @param {import("./app.js").App} app @param {import("./state.js").Place} place */
	constructor(app, place) {
		this.app = app;
		this.place = place;
		this.columns = columnsOf(app.model);
		/** @type {import("./columns.js").Filter[]} */
		this.filters = readFilters(this.columns, place.options.where || "");
		this.by = this.columns.findIndex((c) => c.name === place.options.by);
		this.topic = inRange(place.options.topic, app.model.K, -1);
		this.controls = h("div", { class: "chips" });
		this.result = h("div", {});
		this.node = h(
			"div",
			{},
			panel(
				"Choose documents",
				{
					wide: true,
					name: "choose",
					tools: this.tools(),
					note: [
						"A document must match a filter of every column that has one.",
						app.model.info.columnsLeftOut > 0 &&
							` This page has no room for ${many(app.model.info.columnsLeftOut, "more column")}.`,
					],
				},
				this.controls,
			),
			this.result,
		);
		this.drawControls();
		this.draw();
	}

	tools() {
		const names = /** @type {[string, string][]} */ (
			this.columns.map((c, i) => [String(i), cut(c.name, 60)])
		);
		const add = /** @type {HTMLSelectElement} */ (
			select("Add a filter", [["", "add a filter …"], ...names], "", (i) => {
				if (i === "") return;
				this.filters.push({ column: this.columns[Number(i)], from: "", to: "" });
				add.value = "";
				this.drawControls();
				this.draw();
				const last = this.controls.lastElementChild?.querySelector("select, input");
				if (last instanceof HTMLElement) last.focus();
			})
		);
		add.id = "addfilter";
		const by = select(
			"Group by",
			[
				["-1", "not grouped"],
				...names.map(([i, name]) => /** @type {[string, string]} */ ([i, `by ${name}`])),
			],
			String(this.by),
			(i) => {
				this.by = Number(i);
				this.draw();
			},
		);
		by.id = "groupby";
		return [add, by];
	}

	/** The filters, each with its control. */
	drawControls() {
		fill(
			this.controls,
			this.filters.map((f) =>
				h(
					"span",
					{ class: "chip filter" },
					said(cut(f.column.name, 40)),
					this.control(f),
					h(
						"button",
						{
							type: "button",
							class: "quiet",
							"aria-label": `remove the filter of ${f.column.name}`,
							onclick: () => {
								this.filters = this.filters.filter((g) => g !== f);
								this.drawControls();
								this.draw();
							},
						},
						"×",
					),
				),
			),
		);
	}

	/** @param {import("./columns.js").Filter} f */
	control(f) {
		const { column } = f;
		if (!isRange(column)) {
			const levels = /** @type {[string, string][]} */ (
				column.levels.map((name, i) => [String(i + 1), cut(name, 60)])
			);
			return select(
				column.name,
				[["", "any"], ...levels, ["missing", "(missing)"]],
				f.from,
				(v) => {
					f.from = v;
					this.draw();
				},
			);
		}
		const field = (/** @type {"from"|"to"} */ end) => {
			const box = /** @type {HTMLInputElement} */ (
				h("input", {
					type: "text",
					size: 10,
					class: "short",
					placeholder: end,
					"aria-label": `${column.name} ${end}`,
					value: f[end],
					onchange: () => {
						f[end] = box.value;
						this.draw();
					},
				})
			);
			return box;
		};
		return [field("from"), "–", field("to")];
	}

	draw() {
		const { app, filters } = this;
		const { model } = app;
		const wanted = passing(filters);
		keep({
			where: writeFilters(filters),
			by: this.by < 0 ? "" : this.columns[this.by].name,
			topic: this.topic < 0 ? "" : this.topic,
		});
		const docs = [];
		for (let d = 0; d < model.docs; d++) if (wanted(d)) docs.push(d);
		const all = sharesOf(model, docs);
		const topics = app.topics();
		const topic =
			this.topic >= 0
				? this.topic
				: topics.reduce(
						(best, k) => (all.share(k) > all.share(best) ? k : best),
						topics[0] ?? 0,
					);
		const faults = filters.map((f) => f.fault).filter(Boolean);
		announce(many(docs.length, "document"));
		fill(
			this.result,
			h(
				"p",
				{ class: "note", id: "chosen", role: "status" },
				`${count(docs.length)} of ${many(model.docs, "document")}, ${many(all.tokens, "token")}. `,
				faults.join(" "),
			),
			docs.length > 0 &&
				h(
					"div",
					{ class: "grid two" },
					h(
						"div",
						{ class: "column" },
						this.topicPanel(topics, all),
						this.groupPanel(topics, docs, all),
					),
					h(
						"div",
						{ class: "column" },
						docList(app, {
							title: "The documents",
							topic,
							place: this.place,
							wanted,
							among: `Those with the largest share of topic ${topic} first.`,
						}),
					),
				),
		);
	}

	/** @param {number[]} topics @param {Sum} all */
	topicPanel(topics, all) {
		const { app } = this;
		const { model } = app;
		const top = topics.reduce((most, k) => Math.max(most, all.share(k)), 1e-300);
		const rows = table({
			caption: "Topics of the chosen documents",
			rows: topics,
			sort: "-share",
			portion: 15,
			row: (k) => ({ "data-topic": k }),
			cards: true,
			columns: [
				{ name: "topic", title: "Topic", value: (k) => k, show: (k) => app.topic(k) },
				{
					name: "share",
					title: "Share here",
					number: true,
					value: (k) => all.share(k),
					show: (k) =>
						h(
							"div",
							{ class: "withbar" },
							bar(all.share(k), top, app.hue(k)),
							h("span", {}, percent(all.share(k))),
						),
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
					value: (k) => all.share(k) / model.share(k),
					show: (k) => fixed(all.share(k) / model.share(k), 2),
				},
				{
					name: "see",
					title: "See",
					show: (k) =>
						h(
							"button",
							{
								type: "button",
								class: "linklike",
								"aria-label": `documents of topic ${k}`,
								onclick: () => {
									this.topic = k;
									this.draw();
								},
							},
							"show",
						),
				},
			],
		});
		const part =
			model.docs < model.D &&
			`Shares count the documents in this page, which has ${count(model.docs)} of ${count(model.D)}, chosen for large shares of topics. For shares of all documents use topoi topics MODEL --where.`;
		return panel(
			"Topics in these documents",
			{ csv: rows.csv, name: "here", note: part },
			rows.node,
		);
	}

	/** @param {number[]} topics @param {number[]} docs @param {Sum} all */
	groupPanel(topics, docs, all) {
		if (this.by < 0) return null;
		const { app } = this;
		const column = this.columns[this.by];
		const groups = cuts(column, docs, innerWidth <= 640 ? 6 : mostGroups).map((g) => {
			const members = docs.filter(g.has);
			return { name: g.name, docs: members.length, sum: sharesOf(app.model, members) };
		});
		const columns = [
			{
				name: "topic",
				title: "Topic",
				value: (/** @type {number} */ k) => k,
				show: (/** @type {number} */ k) => h("div", { class: "short" }, app.topic(k)),
			},
			{
				name: "here",
				title: "Here",
				number: true,
				value: all.share,
				show: (/** @type {number} */ k) => percent(all.share(k)),
			},
			...groups.map((g, i) => ({
				name: `group${i}`,
				title: cut(g.name, 24),
				hint: `${g.name}: ${many(g.docs, "document")}`,
				number: true,
				value: (/** @type {number} */ k) => g.sum.share(k),
				show: (/** @type {number} */ k) => {
					const most = groups.reduce(
						(m, other) => Math.max(m, other.sum.share(k)),
						1e-300,
					);
					return h(
						"div",
						{
							class: "heat",
							hue: app.hue(k),
							heat: (g.sum.share(k) / most).toFixed(3),
							title: `topic ${k}, ${g.name}: ${percent(g.sum.share(k))}`,
						},
						(100 * g.sum.share(k)).toFixed(1),
					);
				},
			})),
		];
		const rows = table({
			caption: `Topics by ${column.name}, in per cent`,
			rows: topics,
			portion: 15,
			row: (k) => ({ "data-topic": k }),
			columns,
		});
		const csv = () => [
			["topic", "name", column.name, "documents", "share"],
			...topics.flatMap((k) =>
				groups.map((g) => [k, app.names.of(k), g.name, g.docs, g.sum.share(k)]),
			),
		];
		const box = panel(
			`By ${column.name}`,
			{
				csv,
				name: "heat",
				note:
					groups.length === 0
						? "None of these documents has a value."
						: "Shares of the tokens of each group, in per cent.",
			},
			groups.length > 0 && rows.node,
		);
		box.classList.add("many");
		return box;
	}
}

/** @typedef {{tokens: number, share: (k: number) => number}} Sum */

/** Shares of topics in some documents: their tokens of a topic by all their tokens. @param {import("./model.js").Model} model @param {number[]} docs @returns {Sum} */
function sharesOf(model, docs) {
	const sums = new Float64Array(model.K);
	let tokens = 0;
	for (const d of docs) {
		tokens += model.lengths[d];
		for (let i = d === 0 ? 0 : model.docTopicEnds[d - 1]; i < model.docTopicEnds[d]; i++)
			sums[model.docTopics[i]] += model.docCounts[i];
	}
	return { tokens, share: (k) => (tokens > 0 ? sums[k] / tokens : 0) };
}

/** Filters as they stand in the address: JSON lists of name, from and to. @param {import("./columns.js").Filter[]} filters */
function writeFilters(filters) {
	const list = filters.map((f) => [
		f.column.name,
		/^\d+$/.test(f.from) && !isRange(f.column) ? f.column.levels[Number(f.from) - 1] : f.from,
		f.to,
	]);
	return list.length > 0 ? JSON.stringify(list) : "";
}

/** @param {import("./columns.js").Column[]} columns @param {string} text @returns {import("./columns.js").Filter[]} */
function readFilters(columns, text) {
	try {
		return JSON.parse(text || "[]").flatMap((/** @type {string[]} */ [name, from, to]) => {
			const column = columns.find((c) => c.name === name);
			if (!column) return [];
			const level =
				isRange(column) || from === "missing" || from === ""
					? -1
					: column.levels.indexOf(from);
			return [
				{
					column,
					from:
						level >= 0
							? String(level + 1)
							: isRange(column) || from === "missing"
								? String(from)
								: "",
					to: String(to || ""),
				},
			];
		});
	} catch {
		return []; // an address that somebody cut
	}
}
