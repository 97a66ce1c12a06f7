// How topics belong together: a tree by their words, correlations by their documents.

import { cut, fill, fitted, h, s } from "./dom.js";
import { count, fixed } from "./format.js";
import { keep, link } from "./state.js";
import { mergePanel } from "./merge.js";
import { nothing } from "./groups.js";
import { panel } from "./panel.js";
import { table } from "./table.js";

/** Branches that the tree shows at a time. */
const branches = 48;

/** @param {import("./app.js").App} app @param {import("./state.js").Place} place */
export function relationsView(app, place) {
	const { model } = app;
	if (model.K < 2) return nothing("Relations", "A single topic has no relations.");
	if (!model.arrays.treeLeft)
		return nothing("Relations", "This model has too many topics to compare all pairs.");
	const tree = new Tree(model);
	const node = h("div", {});
	const marks = new Set(
		(place.options.merge || "").split(",").filter((m) => /^\d+-\d+$/.test(m)),
	);
	const draw = (/** @type {number} */ root) => {
		keep({ root: root === tree.top ? "" : root });
		const below = tree.leaves(root);
		fill(
			node,
			treePanel(app, tree, root, draw),
			h(
				"div",
				{ class: "grid two" },
				h(
					"div",
					{ class: "column" },
					mergePanel(app, below, marks),
					pairsPanel(app, new Set(below)),
				),
				h("div", { class: "column" }, matrixPanel(app, below)),
			),
		);
	};
	const wanted = Number(place.options.root);
	draw(
		Number.isInteger(wanted) && wanted >= model.K && wanted <= tree.top && place.options.root
			? wanted
			: tree.top,
	);
	return { title: "Relations", node };
}

/** A binary tree: node k < K is topic k, node K + i the i-th merger. */
class Tree {
	/** @param {import("./model.js").Model} model */
	constructor(model) {
		this.K = model.K;
		this.top = 2 * model.K - 2;
		/** @type {Uint32Array} */ this.left = model.arrays.treeLeft;
		/** @type {Uint32Array} */ this.right = model.arrays.treeRight;
		/** @type {Float32Array} */ this.heights = model.arrays.treeHeights;
	}

	/** @param {number} node */
	height(node) {
		return node < this.K ? 0 : this.heights[node - this.K];
	}

	/** @param {number} node @returns {number[]} */
	leaves(node) {
		const list = [];
		const stack = [node];
		while (stack.length > 0) {
			const n = /** @type {number} */ (stack.pop());
			if (n < this.K) list.push(n);
			else stack.push(this.right[n - this.K], this.left[n - this.K]);
		}
		return list;
	}

	/** The nodes that are opened so that at most n branches are seen: the highest ones. @param {number} root @param {number} n */
	opened(root, n) {
		const open = new Set();
		const ends = [root];
		while (ends.length < n) {
			let best = -1;
			for (let i = 0; i < ends.length; i++)
				if (
					ends[i] >= this.K &&
					(best < 0 || this.height(ends[i]) > this.height(ends[best]))
				)
					best = i;
			if (best < 0) break;
			const node = ends[best];
			open.add(node);
			ends.splice(best, 1, this.left[node - this.K], this.right[node - this.K]);
		}
		return open;
	}
}

/** @param {import("./app.js").App} app @param {Tree} tree @param {number} root @param {(root: number) => void} draw */
function treePanel(app, tree, root, draw) {
	const csv = () => [
		["node", "left", "right", "height"],
		...Array.from(tree.heights, (height, i) => [
			tree.K + i,
			tree.left[i],
			tree.right[i],
			height,
		]),
	];
	const back =
		root !== tree.top &&
		h(
			"button",
			{ type: "button", class: "quiet", onclick: () => draw(tree.top) },
			"Whole tree",
		);
	const note = `Topics with similar words are joined first (${app.model.info.tree}). Leaves are topics. Click a dashed branch to open it.`;
	return panel(
		"Tree of topics",
		{ csv, wide: true, name: "tree", tools: back, note },
		fitted((width) => picture(app, tree, root, draw, Math.min(width, 1000))),
	);
}

/** @param {import("./app.js").App} app @param {Tree} tree @param {number} root @param {(root: number) => void} draw @param {number} width */
function picture(app, tree, root, draw, width) {
	const open = tree.opened(root, branches);
	const row = 20;
	const room = Math.min(440, Math.round(0.62 * width)); // for names
	const end = width - room;
	const top = tree.height(root) || 1;
	const x = (/** @type {number} */ node) =>
		node < tree.K ? end : 6 + (end - 6) * (1 - tree.height(node) / top);
	/** @type {any[]} */
	const marks = [];
	let rows = 0;
	/** @type {(node: number) => number} draws a branch and returns where it ends */
	const place = (node) => {
		if (!open.has(node)) {
			const y = row * (rows++ + 0.7);
			marks.push(leaf(app, tree, node, { x: x(node), y, end, room }, draw));
			return y;
		}
		const [a, b] = [tree.left[node - tree.K], tree.right[node - tree.K]];
		const [ya, yb] = [place(a), place(b)];
		marks.push(
			s("path", {
				class: "branch",
				d: `M${x(a).toFixed(1)},${ya.toFixed(1)}H${x(node).toFixed(1)}V${yb.toFixed(1)}H${x(b).toFixed(1)}`,
			}),
		);
		return (ya + yb) / 2;
	};
	place(root);
	return s(
		"svg",
		{
			class: "tree",
			viewBox: `0 0 ${width} ${row * rows + 8}`,
			width,
			height: row * rows + 8,
			role: "group",
			"aria-label": "Tree of topics",
		},
		marks,
	);
}

/** Measures text as pictures write it. */
const pen = document.createElement("canvas").getContext("2d");

/** Cuts a text to what fits into a number of pixels. @param {string} text @param {number} room */
function fitting(text, room) {
	if (!pen) return cut(text, Math.floor(room / 7));
	pen.font = "12.5px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
	let [least, most] = [1, text.length];
	if (pen.measureText(text).width <= room) return text;
	while (least < most) {
		const n = Math.ceil((least + most) / 2);
		if (pen.measureText(cut(text, n)).width <= room) least = n;
		else most = n - 1;
	}
	return cut(text, least);
}

/** A label whose name keeps its own direction behind the number. @param {string} label */
function apart(label) {
	return label.replace(/^(\d+  )(.*)$/s, "$1\u2068$2\u2069");
}

/** A topic, or a folded branch. @param {import("./app.js").App} app @param {Tree} tree @param {number} node @param {{x: number, y: number, end: number, room: number}} at @param {(root: number) => void} draw */
function leaf(app, tree, node, { x, y, end, room }, draw) {
	const topics = node < tree.K ? [node] : tree.leaves(node);
	const largest = topics.reduce((a, b) => (app.model.share(b) > app.model.share(a) ? b : a));
	const text =
		node < tree.K
			? `${node}  ${app.title(node, 5)}`
			: `${count(topics.length)} topics: ${topics
					.slice(0, 3)
					.map((k) => app.title(k, 2))
					.join(", ")} …`;
	const label = [
		s("circle", { class: "dot", hue: app.hue(largest), cx: end + 6, cy: y, r: 4 }),
		s("text", { x: end + 16, y: y + 4, text: apart(fitting(text, room - 20)) }),
		s("title", {}, text),
	];
	if (node < tree.K)
		return s(
			"a",
			{
				href: link("topic", node),
				"data-topic": node,
				class: app.names.hidden.has(node) ? "faded" : null,
			},
			label,
		);
	return s(
		"g",
		{
			class: "fold",
			tabindex: 0,
			role: "button",
			"aria-label": `open ${text}`,
			onclick: () => draw(node),
			onkeydown: (/** @type {KeyboardEvent} */ e) => {
				if (e.key === "Enter") draw(node);
			},
		},
		s("line", { class: "branch folded", x1: x, x2: end, y1: y, y2: y }),
		label,
	);
}

/** The correlation of two topics, NaN where the page does not have it. @param {import("./model.js").Model} model @param {number} i @param {number} j */
export function correlation(model, i, j) {
	if (i === j) return 1;
	const { correlations, relatedTopics, relatedValues } = model.arrays;
	const [lo, hi] = i < j ? [i, j] : [j, i];
	if (correlations) return correlations[(hi * (hi - 1)) / 2 + lo];
	for (const [a, b] of [
		[i, j],
		[j, i],
	]) {
		const n = relatedTopics.length / model.K;
		for (let r = a * n; r < (a + 1) * n; r++)
			if (relatedTopics[r] === b) return relatedValues[r];
	}
	return NaN;
}

/** Topics that a matrix shows at most. */
const matrixMost = 150;

/** @param {import("./app.js").App} app @param {number[]} leaves in the order of the tree */
function matrixPanel(app, leaves) {
	const { model } = app;
	const topics = leaves.filter((k) => !app.names.hidden.has(k));
	if (topics.length > matrixMost)
		return panel(
			"Correlations",
			{ name: "matrix" },
			h(
				"p",
				{ class: "note" },
				`The matrix is drawn for up to ${matrixMost} topics: open a branch of the tree.`,
			),
		);
	const size = 480;
	const cell = size / topics.length;
	const canvas = /** @type {HTMLCanvasElement} */ (
		h("canvas", {
			class: "matrix",
			role: "img",
			"aria-label": `Correlations of ${topics.length} topics; the strongest are listed beside it`,
		})
	);
	canvas.width = canvas.height = 2 * size;
	const about = h("div", { class: "about", "aria-live": "polite" }, "Point at a cell.");
	const dark = matchMedia("(prefers-color-scheme: dark)");
	const draw = () => {
		const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
		pen.setTransform(2, 0, 0, 2, 0, 0);
		pen.clearRect(0, 0, size, size);
		topics.forEach((i, a) =>
			topics.forEach((j, b) => {
				const r = correlation(model, i, j);
				if (Number.isNaN(r)) return;
				const strength = Math.min(1, Math.abs(r) * (i === j ? 0.35 : 2.2));
				pen.fillStyle = `oklch(${dark.matches ? 0.28 + 0.45 * strength : 0.97 - 0.42 * strength} ${0.15 * strength} ${i === j ? 260 : r > 0 ? 200 : 40})`;
				pen.fillRect(
					b * cell,
					a * cell,
					cell - (cell > 6 ? 0.6 : 0),
					cell - (cell > 6 ? 0.6 : 0),
				);
			}),
		);
	};
	draw();
	dark.addEventListener("change", draw);
	canvas.addEventListener("mousemove", (e) => {
		const box = canvas.getBoundingClientRect();
		const i = topics[Math.floor(((e.clientY - box.top) / box.height) * topics.length)];
		const j = topics[Math.floor(((e.clientX - box.left) / box.width) * topics.length)];
		if (i !== undefined && j !== undefined)
			fill(
				about,
				app.topic(i),
				" and ",
				app.topic(j),
				h("span", { class: "number" }, fixed(correlation(model, i, j))),
			);
	});
	const csv = () => [
		["topic", ...topics],
		...topics.map((i) => [i, ...topics.map((j) => correlation(model, i, j))]),
	];
	return panel(
		"Correlations",
		{
			csv,
			name: "matrix",
			note: `Correlations of the shares θ over all documents, in the order of the tree. Blue: topics occur together. Orange: they avoid each other.${model.arrays.correlations ? "" : " This page has the strongest of each topic; empty cells are weaker."}`,
		},
		canvas,
		about,
	);
}

/** The strongest correlations. @param {import("./app.js").App} app @param {Set<number>} among */
function pairsPanel(app, among) {
	const { model } = app;
	const { pairA, pairB, pairR } = model.arrays;
	const list = Array.from(pairA, (a, i) => ({ a, b: pairB[i], r: pairR[i] })).filter(
		(p) =>
			among.has(p.a) &&
			among.has(p.b) &&
			!app.names.hidden.has(p.a) &&
			!app.names.hidden.has(p.b),
	);
	const rows = table({
		caption: "Strongest correlations",
		rows: list,
		sort: "-correlation",
		portion: 14,
		columns: [
			{
				name: "topic",
				title: "Topic",
				value: (p) => p.a,
				show: (p) => app.topic(p.a, { words: 2 }),
			},
			{
				name: "with",
				title: "With",
				value: (p) => p.b,
				show: (p) => app.topic(p.b, { words: 2 }),
			},
			{
				name: "correlation",
				title: "r",
				number: true,
				value: (p) => p.r,
				show: (p) => fixed(p.r),
			},
		],
	});
	return panel(
		"Strongest pairs",
		{
			csv: rows.csv,
			name: "pairs",
			note:
				list.length > 0
					? "The strongest correlations, positive and negative."
					: "None of the strongest correlations is between these topics.",
		},
		list.length > 0 && rows.node,
	);
}
