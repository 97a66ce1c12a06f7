// Topics over time.

import { cut, fill, h } from "./dom.js";
import { count } from "./format.js";
import { lines } from "./charts.js";
import { docList } from "./doclist.js";
import { driftPanel } from "./drift.js";
import { groupSelect, inRange, nothing } from "./groups.js";
import { inGroupPeriods, inPeriods, smoothed } from "./shares.js";
import { keep } from "./state.js";
import { choice, panel, select } from "./panel.js";

/** Topics that the chart shows at most: more lines cannot be told apart. */
const mostLines = 8;

/** @param {import("./app.js").App} app @param {import("./state.js").Place} place */
export function timeView(app, place) {
	const calendars = app.model.info.calendars || [];
	if (calendars.length === 0)
		return nothing(
			"Time",
			app.model.info.timeFault ||
				"The documents of this model have no times. Import them with a time column to see topics over time.",
		);
	const chart = new TimeChart(app, place);
	return { title: "Time", node: chart.node };
}

class TimeChart {
	/** @param {import("./app.js").App} app @param {import("./state.js").Place} place */
	constructor(app, place) {
		const { model } = app;
		const { options } = place;
		this.app = app;
		this.place = place;
		this.calendar = Math.max(
			0,
			model.info.calendars.findIndex((/** @type {any} */ c) => c.unit === options.unit),
		);
		this.topics = (options.topics || "")
			.split(",")
			.filter(Boolean)
			.map(Number)
			.filter((k) => Number.isInteger(k) && k >= 0 && k < model.K)
			.slice(0, mostLines);
		if (this.topics.length === 0) this.topics = restless(app).slice(0, Math.min(5, model.K));
		this.bin = this.bins.indexOf(options.bin || "");
		this.group = inRange(options.group, (model.info.groups || []).length, -1);
		this.smooth = [3, 5, 9].includes(Number(options.smooth)) ? Number(options.smooth) : 1;
		/** @type {Map<number, number>} */
		this.colours = new Map();
		this.node = h("div", {});
		this.draw();
	}

	/** @returns {string[]} */
	get bins() {
		return this.app.model.info.calendars[this.calendar].bins;
	}

	draw() {
		const { app } = this;
		keep({
			topics: this.topics.join(","),
			unit: app.model.info.calendars[this.calendar].unit,
			bin: this.bin < 0 ? "" : this.bins[this.bin],
			group: this.group < 0 ? "" : this.group,
			smooth: this.smooth > 1 ? this.smooth : "",
		});
		this.colour();
		const series = this.topics.map((k) => this.series(k));
		fill(
			this.node,
			panel(
				"Topics over time",
				{
					wide: true,
					name: "time",
					csv: () => this.csv(),
					note: this.note(),
					tools: this.tools(),
				},
				this.chips(),
				lines({
					label: "Shares of topics over time",
					bins: this.bins,
					series,
					height: 340,
					chosen: this.bin,
					choose: (bin) => {
						this.bin = bin;
						this.draw();
					},
				}),
			),
			this.bin >= 0 &&
				h(
					"div",
					{ class: "grid two" },
					this.topics.map((k) => this.behind(k)),
				),
			app.model.info.drift &&
				h(
					"div",
					{ class: "grid two" },
					this.topics.map((k) => driftPanel(app, k)),
				),
		);
	}

	/** Gives every topic a colour that no other has; those that stay keep theirs. */
	colour() {
		for (const k of this.colours.keys()) if (!this.topics.includes(k)) this.colours.delete(k);
		for (const k of this.topics) {
			const used = new Set(this.colours.values());
			if (!this.colours.has(k))
				this.colours.set(
					k,
					Array.from({ length: mostLines }, (_, i) => i).find((i) => !used.has(i)) || 0,
				);
		}
	}

	/** @param {number} k @returns {import("./charts.js").Series} */
	series(k) {
		const { app } = this;
		const base = { name: `${k} ${app.title(k)}`, series: this.colours.get(k) || 0 };
		const shares = this.crossed()
			? {
					values:
						inGroupPeriods(app.model, k, this.group) ||
						new Float64Array(this.bins.length).fill(NaN),
				}
			: inPeriods(app.model, this.calendar, k);
		if (this.smooth === 1) return { ...base, ...shares };
		return {
			...base,
			values: smoothed(
				shares.values,
				app.model.info.calendars[this.calendar].docs,
				this.smooth,
			),
		};
	}

	/** Whether the chart is of one group. */
	crossed() {
		return (
			this.group >= 0 &&
			this.app.model.arrays.crossTopics !== undefined &&
			this.calendar === this.app.model.info.crossCalendar
		);
	}

	note() {
		const { info } = this.app.model;
		const bands =
			this.smooth > 1
				? `Lines are means over ${this.smooth} periods and have no bands.`
				: this.crossed()
					? "One group, without intervals."
					: `Bands hold ${Math.round(100 * info.interval)} % of samples of the documents, with the topics treated as fixed.`;
		const without =
			info.timesLeftOut > 0
				? ` ${count(info.timesLeftOut)} documents without a readable time are left out.`
				: "";
		return `Share of the tokens of each ${info.calendars[this.calendar].unit}. ${bands} Click a period to see its documents.${without}`;
	}

	tools() {
		const { app } = this;
		const units = app.model.info.calendars.map((/** @type {any} */ c) => [c.unit, c.unit]);
		return [
			this.bins.length > 4 &&
				select(
					"Smoothing",
					[
						["1", "not smoothed"],
						["3", "smoothed over 3"],
						["5", "smoothed over 5"],
						["9", "smoothed over 9"],
					],
					String(this.smooth),
					(n) => {
						this.smooth = Number(n);
						this.draw();
					},
				),
			app.model.arrays.crossTopics &&
				this.calendar === app.model.info.crossCalendar &&
				groupSelect(app, this.group, (g) => {
					this.group = g;
					this.draw();
				}),
			units.length > 1 &&
				choice("Period", units, app.model.info.calendars[this.calendar].unit, (unit) => {
					this.calendar = app.model.info.calendars.findIndex(
						(/** @type {any} */ c) => c.unit === unit,
					);
					this.bin = -1;
					this.draw();
				}),
		];
	}

	chips() {
		const { app } = this;
		const others = app
			.topics()
			.filter((k) => !this.topics.includes(k))
			.slice(0, 1000);
		return h(
			"div",
			{ class: "chips" },
			this.topics.map((k) =>
				h(
					"span",
					{ class: "chip", series: this.colours.get(k) },
					app.topic(k),
					h(
						"button",
						{
							type: "button",
							class: "quiet",
							"aria-label": `remove topic ${k}`,
							onclick: () => {
								this.topics = this.topics.filter((j) => j !== k);
								this.draw();
							},
						},
						"×",
					),
				),
			),
			this.topics.length < mostLines &&
				others.length > 0 &&
				select(
					"Add a topic",
					[
						["", "add a topic …"],
						.../** @type {[string, string][]} */ (
							others.map((k) => [String(k), cut(`${k} ${app.title(k)}`, 80)])
						),
					],
					"",
					(v) => {
						if (v !== "") {
							this.topics.push(Number(v));
							this.draw();
						}
					},
				),
		);
	}

	/** @param {number} k */
	behind(k) {
		const { model } = this.app;
		return docList(this.app, {
			title: `Documents of topic ${k}, ${this.bins[this.bin]}`,
			topic: k,
			place: this.place,
			wanted: (d) =>
				model.docBin(this.calendar, d) === this.bin &&
				(this.group < 0 || model.docGroup(d) === this.group),
		});
	}

	csv() {
		return [
			["period", "documents", "topic", "name", "share", "low", "high"],
			...this.topics.flatMap((k) => {
				const one = this.series(k);
				const { docs } = this.app.model.info.calendars[this.calendar];
				return this.bins.map((b, t) => [
					b,
					docs[t],
					k,
					this.app.names.of(k),
					one.values[t],
					one.low?.[t],
					one.high?.[t],
				]);
			}),
		];
	}
}

/** Topics by how much their share changes, most first; periods count by their documents. @param {import("./app.js").App} app */
function restless(app) {
	const { docs } = app.model.info.calendars[0];
	const changes = new Map(
		app.topics().map((k) => {
			const { values } = inPeriods(app.model, 0, k);
			const share = app.model.share(k);
			return [
				k,
				values.reduce(
					(sum, v, i) => sum + (Number.isFinite(v) ? docs[i] * (v - share) ** 2 : 0),
					0,
				),
			];
		}),
	);
	return app.topics().sort((a, b) => (changes.get(b) || 0) - (changes.get(a) || 0) || a - b);
}
