// Axes for numbers of any size.

/**
 * Round numbers from low to high, about n of them.
 * @param {number} low @param {number} high @param {number} n
 */
export function ticks(low, high, n) {
	if (!(high > low)) return [low];
	const raw = (high - low) / n;
	const unit = 10 ** Math.floor(Math.log10(raw));
	const step = [1, 2, 2.5, 5, 10].map((f) => f * unit).find((s) => s >= raw) || 10 * unit;
	const list = [];
	for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + step * 1e-9; v += step)
		list.push(v);
	return list;
}

/** A tick as text, with the digits that tell it from its neighbours. @param {number} v @param {number[]} all */
export function tickText(v, all) {
	const step = all.length > 1 ? Math.abs(all[1] - all[0]) : Math.abs(v) || 1;
	const large = Math.max(...all.map(Math.abs));
	if (large >= 1e6) return `${short(v / 1e6, step / 1e6)}M`;
	if (large >= 1e4) return `${short(v / 1e3, step / 1e3)}k`;
	return short(v, step);
}

/** @param {number} v @param {number} step */
function short(v, step) {
	const digits = Math.max(0, Math.min(8, Math.ceil(-Math.log10(step) - 1e-9)));
	const text = v.toFixed(digits + (Number((step * 10 ** digits).toFixed(6)) % 1 === 0 ? 0 : 1));
	return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

/** The least and the largest of the numbers that are there, a little apart. @param {number[]} values @returns {[number, number]} */
export function extent(values) {
	const list = values.filter(Number.isFinite);
	if (list.length === 0) return [0, 1];
	const low = Math.min(...list);
	const high = Math.max(...list);
	const room = high > low ? (high - low) * 0.06 : Math.abs(high) * 0.05 || 0.5;
	return [low - room, high + room];
}
