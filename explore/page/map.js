// The map of topics: near ones have similar words, areas are shares.

import { fill, h, s } from "./dom.js";
import { percent } from "./format.js";
import { keep, link } from "./state.js";
import { panel } from "./panel.js";

/** Marks above which the map is drawn on a canvas. */
const manyMarks = 2000;
const width = 900;
const height = 620;

/**
 * @typedef {Object} Mark
 * @property {number} topic
 * @property {number} x
 * @property {number} y
 * @property {number} r
 */

/** @param {import("./app.js").App} app @param {import("./state.js").Place} place */
export function mapView(app, place) {
	const { model } = app;
	const marks = layout(app);
	const about = h("div", { class: "about", "aria-live": "polite" });
	const show = (/** @type {number} */ k) => fill(about, app.topic(k, { words: 8 }), h("span", { class: "number" }, percent(model.share(k))));
	const camera = new Camera(place.options.at);
	const picture = marks.length > manyMarks ? canvasMap(app, marks, camera, show) : svgMap(app, marks, camera, show);
	if (marks.length > 0) show(marks[0].topic);
	const button = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ f) => h("button", { type: "button", class: "quiet", "aria-label": label, title: label, onclick: f }, name);
	const tools = [button("+", "Zoom in", () => camera.zoom(1.5)), button("−", "Zoom out", () => camera.zoom(1 / 1.5)), button("Reset", "Show all topics", () => camera.reset())];
	return {
		title: "Map of topics",
		node: panel("Map", {
			wide: true, tools, name: "map",
			csv: () => [["topic", "label", "x", "y", "share"], ...marks.map((m) => [m.topic, app.names.of(m.topic), model.arrays.mapX[m.topic], model.arrays.mapY[m.topic], model.share(m.topic)])],
			note: `Topics with similar words lie near each other (${model.info.map}); areas are shares of all tokens. Wheel or buttons zoom, dragging moves, arrow keys go from topic to topic.`,
		}, picture, about),
	};
}

/** Places the topics that are not hidden, largest first. @param {import("./app.js").App} app @returns {Mark[]} */
function layout(app) {
	const { mapX, mapY } = app.model.arrays;
	const topics = app.topics().sort((a, b) => app.model.share(b) - app.model.share(a) || a - b);
	let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
	for (const k of topics) {
		x0 = Math.min(x0, mapX[k]);
		x1 = Math.max(x1, mapX[k]);
		y0 = Math.min(y0, mapY[k]);
		y1 = Math.max(y1, mapY[k]);
	}
	const margin = 60;
	const scale = Math.min((width - 2 * margin) / (x1 - x0 || 1), (height - 2 * margin) / (y1 - y0 || 1));
	const largest = Math.max(1e-300, ...topics.slice(0, 1).map((k) => app.model.share(k)));
	const most = Math.min(46, Math.max(7, 260 / Math.sqrt(topics.length)));
	return topics.map((topic) => ({
		topic,
		x: width / 2 + scale * (mapX[topic] - (x0 + x1) / 2),
		y: height / 2 - scale * (mapY[topic] - (y0 + y1) / 2),
		r: Math.max(1.5, most * Math.sqrt(app.model.share(topic) / largest)),
	}));
}

/** What part of the map is seen: x, y of the middle and a factor. */
class Camera {
	/** @param {string} [text] */
	constructor(text) {
		const [x, y, f] = (text || "").split(",").map(Number);
		const known = Number.isFinite(x) && Number.isFinite(y) && f >= 1;
		this.x = known ? x : width / 2;
		this.y = known ? y : height / 2;
		this.f = known ? Math.min(f, 200) : 1;
		this.dragged = false;
		/** @type {() => void} */
		this.moved = () => {};
	}

	/** @param {number} factor @param {number} [px] where, in units of the picture @param {number} [py] */
	zoom(factor, px = width / 2, py = height / 2) {
		const f = Math.min(200, Math.max(1, this.f * factor));
		this.x += (px - width / 2) * (1 / this.f - 1 / f);
		this.y += (py - height / 2) * (1 / this.f - 1 / f);
		this.f = f;
		this.change();
	}

	/** @param {number} dx @param {number} dy in units of the picture */
	move(dx, dy) {
		this.x -= dx / this.f;
		this.y -= dy / this.f;
		this.change();
	}

	reset() {
		[this.x, this.y, this.f] = [width / 2, height / 2, 1];
		this.change();
	}

	change() {
		if (this.f === 1) [this.x, this.y] = [width / 2, height / 2];
		keep({ at: this.f === 1 ? "" : [this.x.toFixed(1), this.y.toFixed(1), this.f.toFixed(2)].join(",") });
		this.moved();
	}

	/** @param {Mark} m @returns {[number, number]} */
	place(m) {
		return [width / 2 + this.f * (m.x - this.x), height / 2 + this.f * (m.y - this.y)];
	}

	/** Circles grow more slowly than distances. @param {Mark} m */
	radius(m) {
		return m.r * Math.sqrt(this.f);
	}
}

/** @param {import("./app.js").App} app @param {Mark[]} marks @param {Camera} camera @param {(k: number) => void} show */
function svgMap(app, marks, camera, show) {
	const picture = s("svg", { class: "map", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Map of topics" });
	const names = s("g", { "aria-hidden": "true" }); // above all circles
	const nodes = marks.map((m) => {
		const circle = s("circle", { hue: app.hue(m.topic) });
		const name = s("text", { "text-anchor": "middle" });
		const node = s("a", {
			href: link("topic", m.topic), "data-topic": m.topic, "aria-label": `topic ${m.topic}, ${app.title(m.topic)}, ${percent(app.model.share(m.topic))}`,
			onmouseenter: () => show(m.topic), onfocus: () => show(m.topic),
			onkeydown: (/** @type {KeyboardEvent} */ e) => step(e, marks, m, (k) => /** @type {any} */ (picture.querySelector(`[data-topic="${k}"]`)).focus()),
		}, circle, s("title", {}, `${m.topic}: ${app.title(m.topic, 6)}`));
		names.append(name);
		return { m, circle, name, node };
	});
	picture.append(...nodes.map((n) => n.node), names);
	camera.moved = () => {
		/** @type {{x: number, y: number, w: number}[]} */
		const placed = [];
		for (const { m, circle, name } of nodes) {
			const [x, y] = camera.place(m);
			const r = camera.radius(m);
			for (const [key, value] of [["cx", x], ["cy", y], ["r", r]]) circle.setAttribute(String(key), Number(value).toFixed(1));
			name.setAttribute("x", x.toFixed(1));
			name.setAttribute("y", (y + 4).toFixed(1));
			fill(name, labelOf(app, m, r, x, y, placed));
		}
	};
	camera.moved();
	return steer(picture, camera);
}

/**
 * The label of a circle: its name if there is room, else its number if that fits in.
 * @param {import("./app.js").App} app @param {Mark} m @param {number} r @param {number} x @param {number} y
 * @param {{x: number, y: number, w: number}[]} placed labels so far
 */
function labelOf(app, m, r, x, y, placed) {
	const text = app.title(m.topic, 2).slice(0, 26);
	const w = 7 * text.length;
	const free = placed.every((p) => Math.abs(p.y - y) > 15 || Math.abs(p.x - x) > (p.w + w) / 2 + 4);
	if (free && placed.length < 150) {
		placed.push({ x, y, w });
		return text;
	}
	return r > 9 && placed.every((p) => Math.abs(p.y - y) > 12 || Math.abs(p.x - x) > p.w / 2 + 10) ? String(m.topic) : "";
}

/** @param {import("./app.js").App} app @param {Mark[]} marks @param {Camera} camera @param {(k: number) => void} show */
function canvasMap(app, marks, camera, show) {
	const canvas = /** @type {HTMLCanvasElement} */ (h("canvas", { class: "map", tabindex: 0, role: "img", "aria-label": `Map of ${marks.length} topics; arrow keys go from topic to topic, Enter opens one` }));
	canvas.width = 2 * width;
	canvas.height = 2 * height;
	let chosen = marks[0];
	const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
	const dark = matchMedia("(prefers-color-scheme: dark)");
	const draw = () => {
		pen.setTransform(2, 0, 0, 2, 0, 0);
		pen.clearRect(0, 0, width, height);
		const [l, c] = dark.matches ? [0.68, 0.12] : [0.66, 0.13];
		for (const m of marks) {
			const [x, y] = camera.place(m);
			const r = camera.radius(m);
			if (x < -r || y < -r || x > width + r || y > height + r) continue;
			pen.beginPath();
			pen.arc(x, y, r, 0, 7);
			pen.fillStyle = `oklch(${l} ${c} ${app.hue(m.topic)} / ${m === chosen ? 1 : 0.55})`;
			pen.fill();
			if (m === chosen) {
				pen.strokeStyle = dark.matches ? "#fff" : "#111";
				pen.lineWidth = 1.5;
				pen.stroke();
			}
		}
		labels(app, pen, marks, camera, dark.matches);
	};
	const choose = (/** @type {Mark|undefined} */ m) => {
		if (!m) return;
		chosen = m;
		show(m.topic);
		draw();
	};
	const under = (/** @type {MouseEvent} */ e) => {
		const box = canvas.getBoundingClientRect();
		const [px, py] = [((e.clientX - box.left) * width) / box.width, ((e.clientY - box.top) * height) / box.height];
		return [...marks].reverse().find((m) => {
			const [x, y] = camera.place(m);
			return (x - px) ** 2 + (y - py) ** 2 <= Math.max(4, camera.radius(m)) ** 2;
		});
	};
	canvas.addEventListener("mousemove", (e) => { if (!e.buttons) choose(under(e)); });
	canvas.addEventListener("click", (e) => { const m = under(e); if (m && !camera.dragged) location.hash = link("topic", m.topic); });
	canvas.addEventListener("keydown", (e) => {
		if (e.key === "Enter") location.hash = link("topic", chosen.topic);
		else step(e, marks, chosen, (k) => choose(marks.find((m) => m.topic === k)));
	});
	dark.addEventListener("change", draw);
	camera.moved = draw;
	draw();
	return steer(canvas, camera);
}

/** Names of the largest topics in sight. @param {import("./app.js").App} app @param {CanvasRenderingContext2D} pen @param {Mark[]} marks @param {Camera} camera @param {boolean} dark */
function labels(app, pen, marks, camera, dark) {
	pen.font = "12px system-ui, sans-serif";
	pen.textAlign = "center";
	pen.fillStyle = dark ? "#e8e8ec" : "#23252b";
	/** @type {{x: number, y: number, w: number}[]} */
	const placed = [];
	for (const m of marks) {
		const [x, y] = camera.place(m);
		if (placed.length >= 60) return;
		if (x < 0 || y < 0 || x > width || y > height) continue;
		const text = labelOf(app, m, 0, x, y, placed);
		if (text) pen.fillText(text, x, y + 4);
	}
}

/** Arrow keys go to the nearest topic in their direction. @param {KeyboardEvent} e @param {Mark[]} marks @param {Mark} from @param {(k: number) => void} go */
function step(e, marks, from, go) {
	const direction = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] })[e.key];
	if (!direction) return;
	e.preventDefault();
	let best = null;
	let least = Infinity;
	for (const m of marks) {
		const along = (m.x - from.x) * direction[0] + (m.y - from.y) * direction[1];
		const across = Math.abs((m.x - from.x) * direction[1]) + Math.abs((m.y - from.y) * direction[0]);
		if (m !== from && along > 0 && along + 2 * across < least) [best, least] = [m, along + 2 * across];
	}
	if (best) go(best.topic);
}

/** Wheel and dragging. @template {Element} T @param {T} picture @param {Camera} camera */
function steer(picture, camera) {
	const unit = () => width / picture.getBoundingClientRect().width;
	picture.addEventListener("wheel", (event) => {
		const e = /** @type {WheelEvent} */ (event);
		e.preventDefault();
		const box = picture.getBoundingClientRect();
		camera.zoom(Math.exp(-e.deltaY / 400), (e.clientX - box.left) * unit(), (e.clientY - box.top) * unit());
	}, { passive: false });
	/** @type {[number, number]|null} */
	let last = null;
	picture.addEventListener("pointerdown", (event) => { const e = /** @type {PointerEvent} */ (event); last = [e.clientX, e.clientY]; camera.dragged = false; });
	picture.addEventListener("pointermove", (event) => {
		const e = /** @type {PointerEvent} */ (event);
		if (!last || !e.buttons) return;
		if (Math.hypot(e.clientX - last[0], e.clientY - last[1]) < 3 && !camera.dragged) return;
		camera.dragged = true;
		camera.move((e.clientX - last[0]) * unit(), (e.clientY - last[1]) * unit());
		last = [e.clientX, e.clientY];
	});
	picture.addEventListener("click", (e) => { if (camera.dragged) e.preventDefault(); }, true);
	picture.addEventListener("dragstart", (e) => e.preventDefault());
	return picture;
}
