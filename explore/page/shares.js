// Shares of topics in groups and periods, as the library computed them.

/** @typedef {{values: Float32Array, low: Float32Array, high: Float32Array}} Shares */

/** Shares of topic k in every group. @param {import("./model.js").Model} model @param {number} k @returns {Shares} */
export function inGroups(model, k) {
	return slice(model, ["groupShares", "groupLow", "groupHigh"], k, model.info.groups.length);
}

/** Shares of topic k in the n groups of column i. @param {import("./model.js").Model} model @param {number} i @param {number} n @param {number} k @returns {Shares} */
export function inColumn(model, i, n, k) {
	return slice(model, [`columnShares${i}`, `columnLow${i}`, `columnHigh${i}`], k, n);
}

/** Shares of topic k in every period of calendar c. @param {import("./model.js").Model} model @param {number} c @param {number} k @returns {Shares} */
export function inPeriods(model, c, k) {
	return slice(
		model,
		[`timeShares${c}`, `timeLow${c}`, `timeHigh${c}`],
		k,
		model.info.calendars[c].bins.length,
	);
}

/** The numbers of the groups, those with most documents first. @param {import("./model.js").Model} model @returns {number[]} */
export function groupsBySize(model) {
	const groups = model.info.groups || [];
	return groups
		.map((/** @type {any} */ _, /** @type {number} */ g) => g)
		.sort(
			(/** @type {number} */ a, /** @type {number} */ b) =>
				groups[b].docs - groups[a].docs || a - b,
		);
}

/**
 * Means over a number of periods around each, weighted by their documents.
 * @param {ArrayLike<number>} values @param {ArrayLike<number>} weights @param {number} periods an odd number
 */
export function smoothed(values, weights, periods) {
	const reach = (periods - 1) / 2;
	return Float64Array.from(values, (v, i) => {
		if (!Number.isFinite(v)) return NaN;
		let [sum, weight] = [0, 0];
		for (let j = Math.max(0, i - reach); j <= Math.min(values.length - 1, i + reach); j++) {
			if (!Number.isFinite(values[j])) continue;
			sum += values[j] * weights[j];
			weight += weights[j];
		}
		return weight > 0 ? sum / weight : v;
	});
}

/** @param {import("./model.js").Model} model @param {string[]} names @param {number} k @param {number} n @returns {Shares} */
function slice(model, names, k, n) {
	const [values, low, high] = names.map((name) =>
		model.arrays[name].subarray(k * n, (k + 1) * n),
	);
	return { values, low, high };
}

/**
 * Shares of topic k in group g by period, null where the page does not have them. They
 * are those of calendar info.crossCalendar and have no intervals.
 * @param {import("./model.js").Model} model @param {number} k @param {number} g
 */
export function inGroupPeriods(model, k, g) {
	const { crossTopics, crossCounts, crossTokens } = model.arrays;
	if (!crossTopics) return null;
	const place = crossTopics.indexOf(k);
	if (place < 0) return null;
	const bins = model.info.calendars[model.info.crossCalendar].bins.length;
	const groups = model.info.groups.length;
	return Float64Array.from({ length: bins }, (_, t) => {
		const tokens = crossTokens[g * bins + t];
		return tokens > 0 ? crossCounts[(place * groups + g) * bins + t] / tokens : NaN;
	});
}
