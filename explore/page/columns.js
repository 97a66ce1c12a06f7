// The columns of documents: their values, groups by them, and filters.

import { ends } from "./data.js";
import { inColumn, inGroups } from "./shares.js";

/**
 * @typedef {Object} Grouping groups of all documents, with shares that the library computed
 * @property {string} name in the address; empty for labels
 * @property {string} title
 * @property {{name: string, docs: number}[]} groups
 * @property {number} left groups that the page does not have
 * @property {(k: number) => import("./shares.js").Shares} shares
 * @property {(d: number, g: number) => boolean} has whether a document of the page is in a group
 */

/** What the documents can be grouped by, with intervals. @param {import("./model.js").Model} model @returns {Grouping[]} */
export function groupings(model) {
	const { info } = model;
	/** @type {Grouping[]} */
	const list = [];
	if ((info.groups || []).length > 0)
		list.push({
			name: "",
			title: info.groupName || "label",
			groups: info.groups,
			left: info.groupsLeftOut,
			shares: (k) => inGroups(model, k),
			has: (d, g) => model.docGroup(d) === g,
		});
	columnsOf(model).forEach((c, i) => {
		const { groups, groupsLeftOut } = (info.columns || [])[i] || {};
		if (!groups) return;
		const codes = groups.map((/** @type {any} */ g) => c.levels.indexOf(g.name) + 1);
		list.push({
			name: c.name,
			title: c.name,
			groups,
			left: groupsLeftOut || 0,
			shares: (k) => inColumn(model, i, groups.length, k),
			has: (d, g) => c.codes(d).includes(codes[g]),
		});
	});
	return list;
}

/** The numbers of groups, those with most documents first. @param {{docs: number}[]} groups */
export function bySize(groups) {
	return groups.map((_, g) => g).sort((a, b) => groups[b].docs - groups[a].docs || a - b);
}

/** A column of the documents of the page. */
export class Column {
	/** @param {import("./model.js").Model} model @param {{name: string, kind: string, levels?: string[]}} info @param {number} i */
	constructor(model, info, i) {
		this.name = info.name;
		this.kind = info.kind;
		this.levels = info.levels || [];
		/** @type {ArrayLike<number>|undefined} */ this.numbers = model.arrays[`columnNumbers${i}`];
		/** @type {Uint32Array|undefined} */ this.list = model.arrays[`columnLevels${i}`];
		this.ends = this.list && ends(model.arrays[`columnSizes${i}`]);
	}

	/** 1 + the places of a document's values among the levels; one more for a rarer value. @param {number} d @returns {Uint32Array} */
	codes(d) {
		return this.list && this.ends
			? this.list.subarray(d === 0 ? 0 : this.ends[d - 1], this.ends[d])
			: new Uint32Array(0);
	}

	/** The number or the seconds of a document. @param {number} d */
	number(d) {
		return this.numbers ? this.numbers[d] : NaN;
	}

	/** What a document has, as people read it. @param {number} d */
	text(d) {
		if (this.kind === "date")
			return Number.isFinite(this.number(d))
				? new Date(1000 * this.number(d)).toISOString().slice(0, 10)
				: "";
		if (this.kind === "number")
			return Number.isFinite(this.number(d)) ? String(this.number(d)) : "";
		return Array.from(this.codes(d), (c) => this.levels[c - 1] ?? "…").join(", ");
	}
}

/** The columns of the page, and the length of documents. @param {import("./model.js").Model} model @returns {Column[]} */
export function columnsOf(model) {
	model.columns ||= [...(model.info.columns || []), { name: "length", kind: "number" }].map(
		(c, i) => new Column(model, c, i),
	);
	const length = model.columns[model.columns.length - 1];
	length.numbers = model.lengths;
	return model.columns;
}

/** @typedef {{column: Column, from: string, to: string, fault?: string}} Filter from is the value of a category; "" is any */

/** Whether a filter restricts a column to a range. @param {Column} c */
export const isRange = (c) => c.kind === "number" || c.kind === "date";

/** Seconds of the beginning and the end of a year, month or day, or a number twice; null if it is none. @param {string} text @param {string} kind @returns {[number, number]|null} */
export function readValue(text, kind) {
	const trimmed = text.trim().replace(",", ".");
	if (kind === "number")
		return trimmed !== "" && Number.isFinite(Number(trimmed))
			? [Number(trimmed), Number(trimmed)]
			: null;
	const m = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(trimmed);
	if (!m) return null;
	const [year, month, day] = [Number(m[1]), Number(m[2] || 1) - 1, Number(m[3] || 1)];
	const end = m[3]
		? Date.UTC(year, month, day + 1)
		: m[2]
			? Date.UTC(year, month + 1)
			: Date.UTC(year + 1);
	return [Date.UTC(year, month, day) / 1000, end / 1000 - 1];
}

/** The documents that pass: of filters of one column one must hold, of different columns all. @param {Filter[]} filters @returns {(d: number) => boolean} */
export function passing(filters) {
	/** @type {Map<Column, ((d: number) => boolean)[]>} */
	const tests = new Map();
	for (const f of filters) {
		const test = testOf(f);
		if (test) tests.set(f.column, [...(tests.get(f.column) || []), test]);
	}
	const all = [...tests.values()];
	return (d) => all.every((any) => any.some((test) => test(d)));
}

/** @param {Filter} f @returns {((d: number) => boolean)|null} null for a filter that is not filled in */
function testOf(f) {
	const { column } = f;
	if (!isRange(column)) {
		if (f.from === "") return null;
		if (f.from === "missing") return (d) => column.codes(d).length === 0;
		const code = Number(f.from);
		return (d) => column.codes(d).includes(code);
	}
	const low = f.from === "" ? [-Infinity] : readValue(f.from, column.kind);
	const high = f.to === "" ? [0, Infinity] : readValue(f.to, column.kind);
	f.fault =
		low && high
			? ""
			: column.kind === "date"
				? "Write dates as 2017, 2017-09 or 2017-09-24."
				: "Write a number.";
	if (!low || !high || (f.from === "" && f.to === "")) return null;
	return (d) => column.number(d) >= low[0] && column.number(d) <= high[1];
}

/** Cuts that make at most n groups of a column: [name, whether a document is in it]. @param {Column} c @param {number[]} docs @param {number} n @returns {{name: string, has: (d: number) => boolean}[]} */
export function cuts(c, docs, n) {
	if (c.levels.length > 0) {
		const sizes = new Map();
		for (const d of docs)
			for (const code of c.codes(d)) sizes.set(code, (sizes.get(code) || 0) + 1);
		return [...sizes.keys()]
			.filter((code) => code <= c.levels.length)
			.sort((a, b) => sizes.get(b) - sizes.get(a) || a - b)
			.slice(0, n)
			.sort((a, b) => a - b)
			.map((code) => ({ name: c.levels[code - 1], has: (d) => c.codes(d).includes(code) }));
	}
	const values = docs
		.map((d) => c.number(d))
		.filter(Number.isFinite)
		.sort((a, b) => a - b);
	if (values.length === 0) return [];
	return c.kind === "date" ? years(c, values, n) : quarters(c, values);
}

/** Years, or runs of as many years as needed. @param {Column} c @param {number[]} values @param {number} n */
function years(c, values, n) {
	const year = (/** @type {number} */ v) => new Date(1000 * v).getUTCFullYear();
	const [first, last] = [year(values[0]), year(values[values.length - 1])];
	const width = Math.ceil((last - first + 1) / n);
	return Array.from({ length: Math.ceil((last - first + 1) / width) }, (_, i) => {
		const from = first + i * width;
		const to = Math.min(last, from + width - 1);
		return {
			name: from === to ? String(from) : `${from}–${to}`,
			has: (/** @type {number} */ d) => {
				const y = year(c.number(d));
				return y >= from && y <= to;
			},
		};
	});
}

/** Four groups with about as many documents each. @param {Column} c @param {number[]} values */
function quarters(c, values) {
	const edges = [
		...new Set([0, 1, 2, 3].map((q) => values[Math.floor((q * values.length) / 4)])),
	];
	return edges.map((from, i) => {
		const to = i + 1 < edges.length ? edges[i + 1] : Infinity;
		return {
			name:
				to === Infinity
					? `${short(from)} to ${short(values[values.length - 1])}`
					: `${short(from)} to below ${short(to)}`,
			has: (/** @type {number} */ d) => c.number(d) >= from && c.number(d) < to,
		};
	});
}

/** @param {number} x */
const short = (x) => String(Number(x.toPrecision(4)));
