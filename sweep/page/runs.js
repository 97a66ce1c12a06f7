// The data of a sweep as views ask for it.

/**
 * @typedef {Object} Metric
 * @property {string} name
 * @property {string} title
 * @property {string} unit
 * @property {"higher"|"lower"} better
 * @property {boolean} per_topic
 * @property {string} formula
 * @property {string} source
 */

/**
 * @typedef {Object} Run
 * @property {number} topics
 * @property {number} seed
 * @property {string} name
 * @property {string} page where its page is; empty: it has none
 * @property {string} model where its model is, likewise
 * @property {number} iterations
 * @property {string} stopped
 * @property {string} fingerprint
 * @property {boolean} typical whether it agrees best with the others of its number of topics
 */

/** @typedef {{run: number, topic: number, words: string, share: number, values: Record<string, number>}} Topic */

/** All runs and their measures. */
export class Sweep {
	/** @param {any} info @param {Record<string, any>} arrays */
	constructor(info, arrays) {
		this.info = info;
		this.arrays = arrays;
		/** @type {Run[]} */
		this.runs = info.runs;
		/** @type {Metric[]} */
		this.metrics = info.metrics;
		/** @type {number[]} */
		this.sizes = [...new Set(this.runs.map((r) => r.topics))];
	}

	/** The value of a metric, NaN if there is none. @param {string} metric @param {number} run */
	value(metric, run) {
		return this.arrays[`value_${metric}`][run];
	}

	/** The places of the runs with k topics. @param {number} k @returns {number[]} */
	of(k) {
		return this.runs.map((_, i) => i).filter((i) => this.runs[i].topics === k);
	}

	/** The mean of a metric over seeds, NaN if there is none. @param {string} metric @param {number} k */
	mean(metric, k) {
		const values = this.of(k)
			.map((i) => this.value(metric, i))
			.filter(Number.isFinite);
		return values.reduce((sum, v) => sum + v, 0) / values.length;
	}

	/** The number of topics with the best mean, 0 if there is none. @param {Metric} metric */
	best(metric) {
		const sign = metric.better === "lower" ? -1 : 1;
		let best = 0;
		for (const k of this.sizes) {
			const v = sign * this.mean(metric.name, k);
			if (Number.isFinite(v) && (best === 0 || v > sign * this.mean(metric.name, best)))
				best = k;
		}
		return best;
	}

	/** The number of topics that the reader looks at. @param {string|undefined} wanted */
	chosen(wanted) {
		const k = Number(wanted);
		return this.sizes.includes(k) ? k : this.info.recommendation.topics || this.sizes[0];
	}

	/** The topics of the runs with k topics that are in the page. @param {number} k @returns {Topic[]} */
	topics(k) {
		const { arrays } = this;
		/** @type {Topic[]} */
		const list = [];
		for (let i = 0; i < arrays.topicRun.length; i++) {
			if (this.runs[arrays.topicRun[i]].topics !== k) continue;
			/** @type {Record<string, number>} */
			const values = {};
			for (const m of this.metrics)
				if (m.per_topic) values[m.name] = arrays[`topic_${m.name}`][i];
			list.push({
				run: arrays.topicRun[i],
				topic: arrays.topicNumber[i],
				words: arrays.topicWords.at(i),
				share: arrays.topicShare[i],
				values,
			});
		}
		return list;
	}

	/** How two runs of k topics agree. @param {number} k @param {number} a @param {number} b places among them */
	agreement(k, a, b) {
		let at = 0;
		for (const size of this.sizes) {
			const n = this.of(size).length;
			if (size === k) return this.arrays.agreement[at + a * n + b];
			at += n * n;
		}
		return NaN;
	}

	/** A colour for each seed. @param {number} run */
	hue(run) {
		const seeds = [...new Set(this.runs.map((r) => r.seed))];
		return (200 + (360 * seeds.indexOf(this.runs[run].seed)) / seeds.length) % 360;
	}
}
