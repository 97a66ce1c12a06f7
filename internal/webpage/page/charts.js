// Small charts in SVG. All have a text for those who cannot see them.

import { cut, fitted, h, s } from "./dom.js";
import { percent } from "./format.js";

/**
 * A line without axes.
 * @param {ArrayLike<number>} values @param {string} label @param {number} hue
 */
export function sparkline(values, label, hue) {
	const width = 96;
	const height = 22;
	const top = Math.max(1e-300, ...Array.from(values, (v) => (Number.isFinite(v) ? v : 0)));
	const x = (/** @type {number} */ i) => 2 + ((width - 4) * i) / Math.max(1, values.length - 1);
	const y = (/** @type {number} */ v) => height - 2 - ((height - 4) * v) / top;
	const points = Array.from(values, (v, i) =>
		Number.isFinite(v) ? `${x(i).toFixed(1)},${y(v).toFixed(1)}` : "",
	).filter(Boolean);
	return s(
		"svg",
		{
			class: "spark",
			viewBox: `0 0 ${width} ${height}`,
			width,
			height,
			role: "img",
			"aria-label": label,
			hue,
		},
		points.length > 1
			? [
					s("polygon", {
						class: "area",
						points: `${x(0)},${height - 2} ${points.join(" ")} ${x(values.length - 1)},${height - 2}`,
					}),
					s("polyline", { class: "line", points: points.join(" ") }),
				]
			: points.map((p) =>
					s("circle", { class: "dot", cx: p.split(",")[0], cy: p.split(",")[1], r: 2 }),
				),
	);
}

/**
 * Bars without axes.
 * @param {ArrayLike<number>} values @param {string} label @param {number} hue
 */
export function sparkbars(values, label, hue) {
	const width = 96;
	const height = 22;
	const top = Math.max(1e-300, ...Array.from(values, (v) => (Number.isFinite(v) ? v : 0)));
	const step = Math.min(12, (width - 2) / values.length);
	return s(
		"svg",
		{
			class: "spark",
			viewBox: `0 0 ${width} ${height}`,
			width,
			height,
			role: "img",
			"aria-label": label,
			hue,
		},
		Array.from(values, (v, i) => {
			const size = Math.max(0.7, ((height - 3) * (Number.isFinite(v) ? v : 0)) / top);
			return s("rect", {
				class: "bar",
				x: (1 + i * step).toFixed(2),
				y: (height - 1 - size).toFixed(2),
				width: Math.max(0.6, step - Math.min(1.5, step / 4)).toFixed(2),
				height: size.toFixed(2),
			});
		}),
	);
}

/**
 * A bar in a table: a share of the largest, with an optional interval.
 * @param {number} value @param {number} top @param {number} hue @param {[number, number]} [interval]
 */
export function bar(value, top, hue, interval) {
	const part = (/** @type {number} */ x) =>
		Math.max(0, Math.min(100, top > 0 ? (100 * x) / top : 0));
	return s(
		"svg",
		{
			class: "bars",
			viewBox: "0 0 100 10",
			preserveAspectRatio: "none",
			"aria-hidden": "true",
			hue,
		},
		s("rect", { class: "bar", x: 0, y: 1, width: part(value).toFixed(3), height: 8, rx: 1 }),
		interval &&
			Number.isFinite(interval[0]) &&
			s("line", {
				class: "interval",
				x1: part(interval[0]).toFixed(3),
				x2: part(interval[1]).toFixed(3),
				y1: 5,
				y2: 5,
			}),
	);
}

/**
 * A bar in two tones: the lighter is a whole, the darker a part of it.
 * @param {number} part @param {number} whole @param {number} top the largest whole @param {number} hue
 */
export function twoTone(part, whole, top, hue) {
	const width = (/** @type {number} */ x) =>
		Math.max(0, Math.min(100, top > 0 ? (100 * x) / top : 0)).toFixed(3);
	return s(
		"svg",
		{
			class: "bars two",
			viewBox: "0 0 100 10",
			preserveAspectRatio: "none",
			"aria-hidden": "true",
			hue,
		},
		s("rect", { class: "bar whole", x: 0, y: 1, width: width(whole), height: 8 }),
		s("rect", { class: "bar part", x: 0, y: 1, width: width(part), height: 8 }),
	);
}

/**
 * @typedef {Object} Series
 * @property {string} name
 * @property {number} series its place among the lines, which gives its colour
 * @property {ArrayLike<number>} values
 * @property {ArrayLike<number>} [low]
 * @property {ArrayLike<number>} [high]
 */

/**
 * @typedef {Object} Lines
 * @property {string} label
 * @property {string[]} bins
 * @property {Series[]} series
 * @property {number} [height]
 * @property {number} [chosen]
 * @property {(bin: number) => void} [choose]
 */

/** Shares over periods from 0 up, with bands for their intervals. @param {Lines} c */
export function lines(c) {
	return fitted((width) => draw(c, width));
}

/** @param {Lines} c @param {number} width */
function draw(c, width) {
	const height = Math.min(c.height || 220, Math.max(180, 0.7 * width));
	const n = c.bins.length;
	let top = 0;
	for (const one of c.series)
		for (const list of [one.values, one.high || []])
			for (const v of Array.from(list)) if (v > top) top = v;
	top = ceiling(top);
	const tick = (/** @type {number} */ v) => `${(100 * v).toFixed(decimals(top))} %`;
	const name = (/** @type {number} */ i) => cut(c.bins[i], 12);
	const nameWidth = 7 * Math.max(...c.bins.map((_, i) => name(i).length)) + 14;
	const [left, right, above, below] = [
		14 + 6.6 * Math.max(tick(top).length, tick(top / 4).length),
		Math.min(34, nameWidth / 2),
		10,
		26,
	];
	const x = (/** @type {number} */ i) =>
		left + (width - left - right) * (n === 1 ? 0.5 : i / (n - 1));
	const y = (/** @type {number} */ v) => height - below - ((height - above - below) * v) / top;
	const every = Math.max(1, Math.ceil((n * nameWidth) / (width - left - right)));
	const spoken = (/** @type {number} */ i) =>
		`${c.bins[i]}: ${c.series.map((one) => `${one.name} ${percent(one.values[i])}`).join(", ")}`;
	return s(
		"svg",
		{ class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": c.label },
		[0, 0.25, 0.5, 0.75, 1]
			.map((f) => f * top)
			.map((v) => [
				s("line", { class: "grid", x1: left, x2: width - right, y1: y(v), y2: y(v) }),
				s("text", { x: left - 8, y: y(v) + 3.5, "text-anchor": "end" }, tick(v)),
			]),
		c.bins.map(
			(_, i) =>
				i % every === 0 &&
				s("text", { x: x(i), y: height - 8, "text-anchor": "middle" }, name(i)),
		),
		c.series.map((one) => series(one, x, y)),
		c.choose &&
			c.bins.map((_, i) =>
				s(
					"rect",
					{
						class: `hit${i === c.chosen ? " chosen" : ""}`,
						x: x(i) - (width - left - right) / (2 * Math.max(1, n - 1)),
						y: above,
						width: (width - left - right) / Math.max(1, n - 1),
						height: height - above - below,
						tabindex: 0,
						role: "button",
						"aria-label": spoken(i),
						"data-bin": i,
						onclick: () => c.choose && c.choose(i),
						onkeydown: (/** @type {KeyboardEvent} */ e) => {
							if (e.key === "Enter" || e.key === " ") {
								e.preventDefault();
								c.choose && c.choose(i);
							}
						},
					},
					s("title", {}, spoken(i)),
				),
			),
	);
}

/** @param {Series} one @param {(i: number) => number} x @param {(v: number) => number} y */
function series(one, x, y) {
	const path = (/** @type {ArrayLike<number>} */ v, /** @type {number[]} */ list) =>
		list.map((i) => `${x(i).toFixed(1)},${y(v[i]).toFixed(1)}`).join(" ");
	return [
		band(one, x, y, path),
		runs(one.values).map((places) => [
			s("polyline", { class: "line", series: one.series, points: path(one.values, places) }),
			one.values.length < 60 &&
				places.map((i) =>
					s("circle", {
						class: "dot",
						series: one.series,
						cx: x(i).toFixed(1),
						cy: y(one.values[i]).toFixed(1),
						r: 2.5,
					}),
				),
		]),
	];
}

/**
 * The intervals of a series: a band, or a line where a period stands alone.
 * @param {Series} one @param {(i: number) => number} x @param {(v: number) => number} y
 * @param {(v: ArrayLike<number>, list: number[]) => string} path
 */
function band(one, x, y, path) {
	const { low, high } = one;
	if (!low || !high) return null;
	return runs(low).map((places) =>
		places.length > 1
			? s("polygon", {
					class: "band",
					series: one.series,
					points: `${path(high, places)} ${path(low, [...places].reverse())}`,
				})
			: s("line", {
					class: "interval",
					series: one.series,
					x1: x(places[0]),
					x2: x(places[0]),
					y1: y(low[places[0]]),
					y2: y(high[places[0]]),
				}),
	);
}

/** Runs of periods that have a value. @param {ArrayLike<number>} values @returns {number[][]} */
function runs(values) {
	/** @type {number[][]} */
	const list = [];
	for (let i = 0; i < values.length; i++) {
		if (!Number.isFinite(values[i])) continue;
		const last = list[list.length - 1];
		if (last && last[last.length - 1] === i - 1) last.push(i);
		else list.push([i]);
	}
	return list;
}

/** The next round number. @param {number} x */
function ceiling(x) {
	if (!(x > 0)) return 0.01;
	const unit = 10 ** Math.floor(Math.log10(x));
	for (const f of [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10]) if (f * unit >= x) return f * unit;
	return 10 * unit;
}

/** Digits after the point that tell quarters of a share in percent apart. @param {number} top */
function decimals(top) {
	return Math.max(0, Math.min(8, 1 - Math.floor(Math.log10(25 * top))));
}

/** The colours of series and their names. @param {Series[]} list */
export function legend(list) {
	return h(
		"ul",
		{ class: "legend" },
		list.map((one) =>
			h(
				"li",
				{ series: one.series },
				h("span", { class: "swatch" }),
				" ",
				h("bdi", { text: cut(one.name, 60), title: one.name }),
			),
		),
	);
}
