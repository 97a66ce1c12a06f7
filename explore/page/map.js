// The map of topics: near ones have similar words, areas are shares. Beside it stand the
// words of the topic that is pointed at.

import { cut, fill, fitted, h, s } from "./dom.js";
import { count, many, percent } from "./format.js";
import { twoTone } from "./charts.js";
import { keep, link } from "./state.js";
import { nothing } from "./groups.js";
import { panel } from "./panel.js";
import { placeLabels } from "./labels.js";

/** Marks above which the map is drawn on a canvas, and names that are tried at most. */
const manyMarks = 2000;
const mostNames = 400;

/** The map in units of its own; the picture shows them in the pixels that it has. */
const width = 900;
const height = 620;

/**
 * @typedef {Object} Mark
 * @property {number} topic
 * @property {number} x
 * @property {number} y
 * @property {number} share of that of the largest topic
 */

/** @param {import("./app.js").App} app @param {import("./state.js").Place} place */
export function mapView(app, place) {
	const { model } = app;
	if (model.K < 2) return nothing("Map", "A model with one topic has no map.");
	const marks = layout(app);
	const beside = h("div", { class: "beside", "aria-live": "polite" });
	const show = (/** @type {number} */ k) => {
		if (Number(beside.dataset.topic) !== k) {
			beside.dataset.topic = String(k);
			fill(beside, words(app, k));
		}
	};
	const camera = new Camera(place.options.at, marks);
	const picture = fitted((w) => {
		camera.fit(w);
		return marks.length > manyMarks
			? canvasMap(app, marks, camera, show)
			: svgMap(app, marks, camera, show);
	});
	if (marks.length > 0) show(marks[0].topic);
	const button = (
		/** @type {string} */ name,
		/** @type {string} */ label,
		/** @type {() => void} */ f,
	) =>
		h(
			"button",
			{ type: "button", class: "quiet", "aria-label": label, title: label, onclick: f },
			name,
		);
	const tools = [
		button("+", "Zoom in", () => camera.zoom(1.5)),
		button("−", "Zoom out", () => camera.zoom(1 / 1.5)),
		button("Reset", "Show all topics", () => camera.reset()),
	];
	return {
		title: "Map of topics",
		node: panel(
			"Map",
			{
				wide: true,
				tools,
				name: "map",
				csv: () => [
					["topic", "name", "x", "y", "share"],
					...marks.map((m) => [
						m.topic,
						app.names.of(m.topic),
						model.arrays.mapX[m.topic],
						model.arrays.mapY[m.topic],
						model.share(m.topic),
					]),
				],
				note: [
					`Topics with similar words lie near each other (${model.info.map}); areas are shares of all tokens. Names that do not fit appear when you point at a circle.`,
					h(
						"span",
						{ class: "keys" },
						" Zoom with the wheel or the buttons, drag to move, go from topic to topic with arrow keys.",
					),
				],
			},
			h("div", { class: "withpanel" }, picture, beside),
		),
	};
}

/** The words of a topic: in it, and in all documents. @param {import("./app.js").App} app @param {number} k */
function words(app, k) {
	const { model } = app;
	const list = model
		.wordsOf(k)
		.map((w) => ({ ...w, relevance: model.relevance(w.phi, w.total, 0.6) }))
		.sort((a, b) => b.relevance - a.relevance || b.count - a.count)
		.slice(0, 20);
	const top = Math.max(...list.map((w) => w.total), 1);
	return [
		h("h3", {}, app.topic(k)),
		h(
			"p",
			{ class: "note" },
			`${percent(model.share(k))} of all tokens. `,
			h("a", { class: "more", href: link("topic", k) }, "Open the topic"),
		),
		h(
			"ol",
			{ class: "words" },
			list.map((w) =>
				h(
					"li",
					{
						"data-word": model.wordIDs[w.word],
						title: `${count(w.count)} of ${many(w.total, "token")} of this word are in the topic`,
					},
					app.word(w.word),
					twoTone(w.count, w.total, top, app.hue(k)),
				),
			),
		),
		h(
			"p",
			{ class: "note key", hue: app.hue(k) },
			h("span", { class: "swatch" }),
			" in the topic ",
			h("span", { class: "swatch whole" }),
			" in all documents; order: relevance, λ = 0.6",
		),
	];
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
	const scale = Math.min(width / (x1 - x0 || 1), height / (y1 - y0 || 1));
	const largest = Math.max(1e-300, ...topics.slice(0, 1).map((k) => app.model.share(k)));
	return topics.map((topic) => ({
		topic,
		x: width / 2 + scale * (mapX[topic] - (x0 + x1) / 2),
		y: height / 2 - scale * (mapY[topic] - (y0 + y1) / 2),
		share: app.model.share(topic) / largest,
	}));
}

/** What part of the map is seen: x, y of the middle and a factor. */
class Camera {
	/** @param {string|undefined} text @param {Mark[]} marks */
	constructor(text, marks) {
		const [x, y, f] = (text || "").split(",").map(Number);
		const known = Number.isFinite(x) && Number.isFinite(y) && f >= 1;
		this.x = known ? x : width / 2;
		this.y = known ? y : height / 2;
		this.f = known ? Math.min(f, 200) : 1;
		this.dragged = false;
		this.marks = marks;
		const spread = (/** @type {number[]} */ list) =>
			list.length > 0
				? Math.max(
						1,
						list.reduce((a, b) => Math.max(a, b)) -
							list.reduce((a, b) => Math.min(a, b)),
					)
				: 1;
		this.wide = spread(marks.map((m) => m.x));
		this.high = spread(marks.map((m) => m.y));
		/** @type {() => void} */
		this.moved = () => {};
		this.fit(width);
	}

	/** Takes the room that there is: the width of the panel, and no more than the window is high. @param {number} w */
	fit(w) {
		this.w = w;
		const most = Math.max(260, innerHeight - (innerWidth <= 640 ? 250 : 210));
		this.margin = w < 500 ? 34 : 56;
		this.h = Math.round(
			Math.min(
				most,
				Math.max(
					w < 500 ? 0.95 * w : 380,
					(this.high / this.wide) * (w - 2 * this.margin) + 2 * this.margin,
				),
			),
		);
		this.scale = Math.min(
			(w - 2 * this.margin) / this.wide,
			(this.h - 2 * this.margin) / this.high,
		);
		const size = 0.3 * Math.sqrt((w * this.h) / Math.max(1, this.marks.length));
		this.most = Math.min(46, this.margin - 2, Math.max(5, size));
	}

	/** @param {number} factor @param {number} [px] where, in pixels @param {number} [py] */
	zoom(factor, px = this.w / 2, py = this.h / 2) {
		const f = Math.min(200, Math.max(1, this.f * factor));
		this.x += ((px - this.w / 2) / this.scale) * (1 / this.f - 1 / f);
		this.y += ((py - this.h / 2) / this.scale) * (1 / this.f - 1 / f);
		this.f = f;
		this.change();
	}

	/** @param {number} dx @param {number} dy in pixels */
	move(dx, dy) {
		this.x -= dx / this.scale / this.f;
		this.y -= dy / this.scale / this.f;
		this.change();
	}

	reset() {
		[this.x, this.y, this.f] = [width / 2, height / 2, 1];
		this.change();
	}

	change() {
		if (this.f === 1) [this.x, this.y] = [width / 2, height / 2];
		keep({
			at:
				this.f === 1
					? ""
					: [this.x.toFixed(1), this.y.toFixed(1), this.f.toFixed(2)].join(","),
		});
		this.moved();
	}

	/** @param {Mark} m @returns {[number, number]} */
	place(m) {
		return [
			this.w / 2 + this.f * this.scale * (m.x - this.x),
			this.h / 2 + this.f * this.scale * (m.y - this.y),
		];
	}

	/** Circles grow more slowly than distances. @param {Mark} m */
	radius(m) {
		return Math.max(1.5, this.most * Math.sqrt(m.share)) * Math.sqrt(this.f);
	}
}

/** Measures text as the map writes it. @param {CanvasRenderingContext2D|null} pen */
function measure(pen) {
	if (pen)
		pen.font = "12px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
	return (/** @type {string} */ text) =>
		(pen ? pen.measureText(text).width : 7 * text.length) + 4;
}

/** The names of the circles that are in sight, those given by people first. @param {import("./app.js").App} app @param {Camera} camera @param {(text: string) => number} size */
function named(app, camera, size) {
	const seen = camera.marks.filter((m) => {
		const [x, y] = camera.place(m);
		return x >= 0 && y >= 0 && x <= camera.w && y <= camera.h;
	});
	const order = [
		...seen.filter((m) => app.names.of(m.topic)),
		...seen.filter((m) => !app.names.of(m.topic)),
	].slice(0, mostNames);
	const wishes = order.map((m) => {
		const [x, y] = camera.place(m);
		const text = cut(app.title(m.topic, 2), camera.w < 500 ? 20 : 28);
		return {
			x,
			y,
			r: camera.radius(m),
			text,
			width: size(text),
			given: Boolean(app.names.of(m.topic)),
		};
	});
	const spots = placeLabels(wishes, camera.w, camera.h);
	return order
		.map((m, i) => ({ topic: m.topic, text: wishes[i].text, spot: spots[i] }))
		.filter((n) => n.spot);
}

/** @param {import("./app.js").App} app @param {Mark[]} marks @param {Camera} camera @param {(k: number) => void} show */
function svgMap(app, marks, camera, show) {
	const picture = s("svg", {
		class: "map",
		viewBox: `0 0 ${camera.w} ${camera.h}`,
		height: camera.h,
		role: "group",
		"aria-label": "Map of topics",
	});
	const names = s("g", { class: "names", "aria-hidden": "true" }); // above all circles
	const size = measure(document.createElement("canvas").getContext("2d"));
	const chosen = { topic: -1 };
	const nodes = marks.map((m) => {
		const circle = s("circle", { hue: app.hue(m.topic) });
		const node = s(
			"a",
			{
				href: link("topic", m.topic),
				"data-topic": m.topic,
				"aria-label": `topic ${m.topic}, ${app.title(m.topic)}, ${percent(app.model.share(m.topic))}`,
				onmouseenter: () => show(m.topic),
				onfocus: () => show(m.topic),
				onpointerdown: () => {
					chosen.topic = shownTopic(picture);
				},
				onclick: (/** @type {PointerEvent} */ e) => {
					if (e.pointerType === "touch" && chosen.topic !== m.topic) {
						e.preventDefault();
						show(m.topic);
					}
				},
				onkeydown: (/** @type {KeyboardEvent} */ e) =>
					step(e, marks, m, (k) =>
						/** @type {any} */ (picture.querySelector(`[data-topic="${k}"]`)).focus(),
					),
			},
			circle,
			s("title", {}, `${m.topic}: ${app.title(m.topic, 6)}`),
		);
		return { m, circle, node };
	});
	picture.append(...nodes.map((n) => n.node), names);
	camera.moved = () => {
		for (const { m, circle } of nodes) {
			const [x, y] = camera.place(m);
			for (const [key, value] of [
				["cx", x],
				["cy", y],
				["r", camera.radius(m)],
			])
				circle.setAttribute(String(key), Number(value).toFixed(1));
		}
		fill(
			names,
			named(app, camera, size).map(
				({ topic, text, spot }) =>
					spot && [
						spot.line &&
							s("line", {
								class: "leader",
								x1: spot.line[0].toFixed(1),
								y1: spot.line[1].toFixed(1),
								x2: spot.line[2].toFixed(1),
								y2: spot.line[3].toFixed(1),
							}),
						s("text", {
							x: spot.x.toFixed(1),
							y: (spot.y + 4).toFixed(1),
							"text-anchor": "middle",
							"data-name": topic,
							text,
						}),
					],
			),
		);
	};
	camera.moved();
	return steer(picture, camera);
}

/** The topic whose words stand beside a picture. @param {Element} picture */
function shownTopic(picture) {
	const beside = picture.closest(".withpanel")?.querySelector(".beside");
	return beside instanceof HTMLElement ? Number(beside.dataset.topic) : -1;
}

/** @param {import("./app.js").App} app @param {Mark[]} marks @param {Camera} camera @param {(k: number) => void} show */
function canvasMap(app, marks, camera, show) {
	const canvas = /** @type {HTMLCanvasElement} */ (
		h("canvas", {
			class: "map",
			tabindex: 0,
			role: "img",
			"aria-label": `Map of ${marks.length} topics; arrow keys go from topic to topic, Enter opens one`,
		})
	);
	canvas.width = 2 * camera.w;
	canvas.height = 2 * camera.h;
	let chosen = marks[0];
	const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
	const dark = matchMedia("(prefers-color-scheme: dark)");
	const draw = () => {
		pen.setTransform(2, 0, 0, 2, 0, 0);
		pen.clearRect(0, 0, camera.w, camera.h);
		const [l, c] = dark.matches ? [0.68, 0.12] : [0.66, 0.13];
		for (const m of marks) {
			const [x, y] = camera.place(m);
			const r = camera.radius(m);
			if (x < -r || y < -r || x > camera.w + r || y > camera.h + r) continue;
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
		write(app, pen, camera, dark.matches);
	};
	const choose = (/** @type {Mark|undefined} */ m) => {
		if (!m) return;
		chosen = m;
		show(m.topic);
		draw();
	};
	const under = (/** @type {MouseEvent} */ e) => {
		const box = canvas.getBoundingClientRect();
		const [px, py] = [
			((e.clientX - box.left) * camera.w) / box.width,
			((e.clientY - box.top) * camera.h) / box.height,
		];
		return [...marks].reverse().find((m) => {
			const [x, y] = camera.place(m);
			return (x - px) ** 2 + (y - py) ** 2 <= Math.max(4, camera.radius(m)) ** 2;
		});
	};
	canvas.addEventListener("mousemove", (e) => {
		if (!e.buttons) choose(under(e));
	});
	canvas.addEventListener("click", (e) => {
		const m = under(e);
		if (!m || camera.dragged) return;
		if (/** @type {PointerEvent} */ (e).pointerType === "touch" && chosen !== m) choose(m);
		else location.hash = link("topic", m.topic);
	});
	canvas.addEventListener("keydown", (e) => {
		if (e.key === "Enter") location.hash = link("topic", chosen.topic);
		else step(e, marks, chosen, (k) => choose(marks.find((m) => m.topic === k)));
	});
	dark.addEventListener("change", draw);
	camera.moved = draw;
	draw();
	return steer(canvas, camera);
}

/** Writes the names on a canvas. @param {import("./app.js").App} app @param {CanvasRenderingContext2D} pen @param {Camera} camera @param {boolean} dark */
function write(app, pen, camera, dark) {
	const names = named(app, camera, measure(pen));
	pen.textAlign = "center";
	pen.fillStyle = dark ? "#e8e8ec" : "#23252b";
	pen.strokeStyle = dark ? "#9a9fab" : "#6a6e78";
	pen.lineWidth = 0.7;
	for (const { text, spot } of names) {
		if (!spot) continue;
		if (spot.line) {
			pen.beginPath();
			pen.moveTo(spot.line[0], spot.line[1]);
			pen.lineTo(spot.line[2], spot.line[3]);
			pen.stroke();
		}
		pen.fillText(text, spot.x, spot.y + 4);
	}
}

/** Arrow keys go to the nearest topic in their direction. @param {KeyboardEvent} e @param {Mark[]} marks @param {Mark} from @param {(k: number) => void} go */
function step(e, marks, from, go) {
	const direction = /** @type {Record<string, [number, number]>} */ ({
		ArrowLeft: [-1, 0],
		ArrowRight: [1, 0],
		ArrowUp: [0, -1],
		ArrowDown: [0, 1],
	})[e.key];
	if (!direction) return;
	e.preventDefault();
	let best = null;
	let least = Infinity;
	for (const m of marks) {
		const along = (m.x - from.x) * direction[0] + (m.y - from.y) * direction[1];
		const across =
			Math.abs((m.x - from.x) * direction[1]) + Math.abs((m.y - from.y) * direction[0]);
		if (m !== from && along > 0 && along + 2 * across < least)
			[best, least] = [m, along + 2 * across];
	}
	if (best) go(best.topic);
}

/** Wheel and dragging. @template {Element} T @param {T} picture @param {Camera} camera */
function steer(picture, camera) {
	const unit = () => camera.w / picture.getBoundingClientRect().width;
	picture.addEventListener(
		"wheel",
		(event) => {
			const e = /** @type {WheelEvent} */ (event);
			e.preventDefault();
			const box = picture.getBoundingClientRect();
			camera.zoom(
				Math.exp(-e.deltaY / 400),
				(e.clientX - box.left) * unit(),
				(e.clientY - box.top) * unit(),
			);
		},
		{ passive: false },
	);
	/** @type {[number, number]|null} */
	let last = null;
	picture.addEventListener("pointerdown", (event) => {
		const e = /** @type {PointerEvent} */ (event);
		last = [e.clientX, e.clientY];
		camera.dragged = false;
	});
	picture.addEventListener("pointermove", (event) => {
		const e = /** @type {PointerEvent} */ (event);
		if (!last || !e.buttons) return;
		if (Math.hypot(e.clientX - last[0], e.clientY - last[1]) < 3 && !camera.dragged) return;
		camera.dragged = true;
		camera.move((e.clientX - last[0]) * unit(), (e.clientY - last[1]) * unit());
		last = [e.clientX, e.clientY];
	});
	picture.addEventListener(
		"click",
		(e) => {
			if (camera.dragged) e.preventDefault();
		},
		true,
	);
	picture.addEventListener("dragstart", (e) => e.preventDefault());
	return picture;
}
