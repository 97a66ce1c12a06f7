// Topics over time.

import { fill, h } from "./dom.js";
import { count } from "./format.js";
import { legend, lines } from "./charts.js";
import { docList } from "./doclist.js";
import { groupSelect, inRange, nothing } from "./groups.js";
import { inGroupPeriods, inPeriods } from "./shares.js";
import { keep } from "./state.js";
import { choice, panel, select } from "./panel.js";

/** Topics that the chart shows at most: more lines cannot be told apart. */
const mostLines = 8;

/** @param {import("./app.js").App} app @param {import("./state.js").Place} place */
export function timeView(app, place) {
	const calendars = app.model.info.calendars || [];
	if (calendars.length === 0) return nothing("Time", app.model.info.timeFault || "The documents of this model have no times. Import them with a time column to see topics over time.");
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
		this.calendar = Math.max(0, model.info.calendars.findIndex((/** @type {any} */ c) => c.unit === options.unit));
		this.topics = (options.topics || "").split(",").filter(Boolean).map(Number).filter((k) => Number.isInteger(k) && k >= 0 && k < model.K).slice(0, mostLines);
		if (this.topics.length === 0) this.topics = restless(app).slice(0, Math.min(5, model.K));
		this.bin = this.bins.indexOf(options.bin || "");
		this.group = inRange(options.group, (model.info.groups || []).length, -1);
		this.node = h("div", {});
		this.draw();
	}

	/** @returns {string[]} */
	get bins() {
		return this.app.model.info.calendars[this.calendar].bins;
	}

	draw() {
		const { app } = this;
		keep({ topics: this.topics.join(","), unit: app.model.info.calendars[this.calendar].unit, bin: this.bin < 0 ? "" : this.bins[this.bin], group: this.group < 0 ? "" : this.group });
		const series = this.topics.map((k) => this.series(k));
		fill(this.node,
			panel("Topics over time", { wide: true, name: "time", csv: () => this.csv(), note: this.note(), tools: this.tools() },
				this.chips(), legend(series),
				lines({ label: "Shares of topics over time", bins: this.bins, series, width: 1160, height: 340, chosen: this.bin, choose: (bin) => { this.bin = bin; this.draw(); } })),
			this.bin >= 0 && h("div", { class: "grid two" }, this.topics.map((k) => this.behind(k))));
	}

	/** @param {number} k */
	series(k) {
		const { app } = this;
		const base = { name: `${k} ${app.title(k)}`, hue: app.hue(k) };
		if (this.crossed()) return { ...base, values: inGroupPeriods(app.model, k, this.group) || new Float64Array(this.bins.length).fill(NaN) };
		return { ...base, ...inPeriods(app.model, this.calendar, k) };
	}

	/** Whether the chart is of one group. */
	crossed() {
		return this.group >= 0 && this.app.model.arrays.crossTopics !== undefined && this.calendar === this.app.model.info.crossCalendar;
	}

	note() {
		const { info } = this.app.model;
		const bands = this.crossed() ? "One group, without intervals." : `Bands hold ${Math.round(100 * info.interval)} % of samples of the documents, with the topics taken as given.`;
		const without = info.timesLeftOut > 0 ? ` ${count(info.timesLeftOut)} documents without a time that can be read are left out.` : "";
		return `Share of the tokens of each ${info.calendars[this.calendar].unit}. ${bands} Choose a period to see the documents behind it.${without}`;
	}

	tools() {
		const { app } = this;
		const units = app.model.info.calendars.map((/** @type {any} */ c) => [c.unit, c.unit]);
		return [
			app.model.arrays.crossTopics && this.calendar === app.model.info.crossCalendar && groupSelect(app, this.group, (g) => { this.group = g; this.draw(); }),
			units.length > 1 && choice("Period", units, app.model.info.calendars[this.calendar].unit, (unit) => {
				this.calendar = app.model.info.calendars.findIndex((/** @type {any} */ c) => c.unit === unit);
				this.bin = -1;
				this.draw();
			}),
		];
	}

	chips() {
		const { app } = this;
		const others = app.topics().filter((k) => !this.topics.includes(k)).slice(0, 1000);
		return h("div", { class: "chips" },
			this.topics.map((k) => h("span", { class: "chip", hue: app.hue(k) }, app.topic(k), h("button", { type: "button", class: "quiet", "aria-label": `remove topic ${k}`, onclick: () => { this.topics = this.topics.filter((j) => j !== k); this.draw(); } }, "×"))),
			this.topics.length < mostLines && others.length > 0 && select("Add a topic", [["", "add a topic …"], .../** @type {[string, string][]} */ (others.map((k) => [String(k), `${k} ${app.title(k)}`.slice(0, 80)]))], "", (v) => { if (v !== "") { this.topics.push(Number(v)); this.draw(); } }));
	}

	/** @param {number} k */
	behind(k) {
		const { model } = this.app;
		return docList(this.app, {
			title: `Documents of topic ${k}, ${this.bins[this.bin]}`, topic: k, place: this.place,
			wanted: (d) => model.docBin(this.calendar, d) === this.bin && (this.group < 0 || model.docGroup(d) === this.group),
		});
	}

	csv() {
		return [["period", "documents", "topic", "label", "share", "low", "high"], ...this.topics.flatMap((k) => {
			const one = this.series(k);
			const { docs } = this.app.model.info.calendars[this.calendar];
			return this.bins.map((b, i) => [b, docs[i], k, this.app.names.of(k), one.values[i], /** @type {any} */ (one).low?.[i], /** @type {any} */ (one).high?.[i]]);
		})];
	}
}

/** Topics by how much their share changes, most first. @param {import("./app.js").App} app */
function restless(app) {
	const changes = new Map(app.topics().map((k) => {
		const values = inPeriods(app.model, 0, k).values.filter((v) => Number.isFinite(v));
		return [k, values.length > 0 ? Math.max(...values) - Math.min(...values) : 0];
	}));
	return app.topics().sort((a, b) => (changes.get(b) || 0) - (changes.get(a) || 0) || a - b);
}
