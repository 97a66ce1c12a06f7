// Where the names of circles stand: none covers another, those that stand apart have a line
// to their circle, and those for which there is no room are left out.

/** @typedef {{x: number, y: number, r: number, text: string, width: number, given: boolean}} Wish a circle and the name that it would like */
/** @typedef {{x: number, y: number, line: [number, number, number, number]|null, inside: boolean}} Spot the middle of a name, and its line */

/** Height of a line of text. */
const high = 15;

/** Steps away from a circle, beyond its edge. */
const away = [3, 14, 30, 52, 80];

/** Directions in which a name is tried, by how well they read. */
const directions = [
	[0, -1],
	[1, 0],
	[-1, 0],
	[0, 1],
	[0.7, -0.7],
	[-0.7, -0.7],
	[0.7, 0.7],
	[-0.7, 0.7],
];

/**
 * Places names one after the other; the first ones have the choice. The answer has null
 * where there is no room.
 * @param {Wish[]} wishes @param {number} width @param {number} height of the picture
 * @returns {(Spot|null)[]}
 */
export function placeLabels(wishes, width, height) {
	const taken = new Boxes();
	const circles = new Boxes();
	for (const w of wishes) circles.add([w.x - w.r, w.y - w.r, w.x + w.r, w.y + w.r]);
	return wishes.map((w) => {
		if (w.x < 0 || w.y < 0 || w.x > width || w.y > height) return null;
		for (const { spot, over } of tries(w)) {
			const box = /** @type {Box} */ ([
				spot.x - w.width / 2 - 2,
				spot.y - high / 2,
				spot.x + w.width / 2 + 2,
				spot.y + high / 2,
			]);
			if (box[0] < 2 || box[1] < 2 || box[2] > width - 2 || box[3] > height - 2) continue;
			if (
				taken.meet(box) ||
				(!over && !spot.inside && circles.meet(box)) ||
				(spot.line && crosses(spot.line, taken))
			)
				continue;
			taken.add(box);
			if (spot.line) taken.addLine(spot.line);
			return spot;
		}
		return null;
	});
}

/** Names that people gave may cover circles rather than be left out. @param {Wish} w @returns {Generator<{spot: Spot, over: boolean}>} */
function* tries(w) {
	for (const spot of spots(w)) yield { spot, over: false };
	if (w.given)
		for (const spot of spots(w, [3, 30, 80, 120, 170, 230])) yield { spot, over: true };
}

/** Places to try: inside, then beside, then farther away with a line. @param {Wish} w @param {number[]} [gaps] @returns {Generator<Spot>} */
function* spots(w, gaps = away) {
	if (w.r >= 8) yield { x: w.x, y: w.y, line: null, inside: true };
	for (const gap of gaps) {
		for (const [dx, dy] of directions) {
			const [fromX, fromY] = [w.x + dx * w.r, w.y + dy * w.r];
			const [atX, atY] = [w.x + dx * (w.r + gap), w.y + dy * (w.r + gap)];
			const line = /** @type {[number, number, number, number]} */ ([fromX, fromY, atX, atY]);
			yield {
				x: atX + Math.sign(dx) * (w.width / 2 + 2),
				y: atY + (dy * high) / 2,
				line: gap > away[0] ? line : null,
				inside: false,
			};
		}
	}
}

/** @param {[number, number, number, number]} line @param {Boxes} taken */
function crosses(line, taken) {
	for (let t = 0.15; t <= 1; t += 0.15) {
		const [x, y] = [line[0] + t * (line[2] - line[0]), line[1] + t * (line[3] - line[1])];
		if (taken.meet([x, y, x, y])) return true;
	}
	return false;
}

/** @typedef {[number, number, number, number]} Box left, top, right, bottom */

/** Boxes that are found by where they are. */
class Boxes {
	constructor() {
		/** @type {Map<number, Box[]>} */
		this.cells = new Map();
	}

	/** @param {Box} box @returns {Generator<number>} */
	*around([x0, y0, x1, y1]) {
		for (let i = Math.floor(x0 / 64); i <= Math.floor(x1 / 64); i++)
			for (let j = Math.floor(y0 / 64); j <= Math.floor(y1 / 64); j++) yield i * 4096 + j;
	}

	/** @param {Box} box */
	add(box) {
		for (const cell of this.around(box)) {
			const list = this.cells.get(cell);
			if (list) list.push(box);
			else this.cells.set(cell, [box]);
		}
	}

	/** Keeps names off a line. @param {[number, number, number, number]} line */
	addLine(line) {
		for (let t = 0; t <= 1; t += 0.2) {
			const [x, y] = [line[0] + t * (line[2] - line[0]), line[1] + t * (line[3] - line[1])];
			this.add([x - 1, y - 1, x + 1, y + 1]);
		}
	}

	/** Whether a box covers a part of another. @param {Box} box */
	meet(box) {
		for (const cell of this.around(box)) {
			for (const b of this.cells.get(cell) || [])
				if (b[0] < box[2] && box[0] < b[2] && b[1] < box[3] && box[1] < b[3]) return true;
		}
		return false;
	}
}
