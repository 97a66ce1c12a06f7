// The topic model as the page knows it: counts, and what follows from them.

import { ends, undelta } from "./data.js";

/** Everything the data block holds, with the formulas of the library. */
export class Model {
	/** @param {any} info @param {Record<string, any>} arrays */
	constructor(info, arrays) {
		this.info = info;
		if (info.draws) {
			// counts of words are sums over draws: from here on, their means
			for (const name of ["totals", "wordTotals", "columnCounts", "rowCounts"]) {
				if (arrays[name])
					arrays[name] = Float64Array.from(arrays[name], (n) => n / info.draws);
			}
		}
		this.arrays = arrays;
		/** @type {number} */ this.K = info.topics;
		/** @type {number} */ this.V = info.words;
		/** @type {number} */ this.N = info.tokens;
		/** @type {number} */ this.D = info.docs;
		/** @type {number} */ this.beta = info.beta;
		/** @type {number} tokens and pseudo-counts */ this.all = info.tokens + (info.pseudo || 0);
		/** @type {Float64Array} n_k and pseudo-counts */ this.totals = arrays.totals;
		/** @type {Uint32Array} n_k */ this.tokens = arrays.tokens;
		/** @type {Float64Array} */ this.alpha = arrays.alpha;
		this.alphaSum = this.alpha.reduce((a, b) => a + b, 0);

		/** @type {import("./data.js").Texts} */ this.words = arrays.wordText;
		/** @type {Uint32Array} n_w */ this.wordTotals = arrays.wordTotals;
		this.wordIDs = undelta(arrays.wordIDs, Uint32Array.of(arrays.wordIDs.length));
		this.columnEnds = ends(arrays.columnSizes);
		this.columnWords = undelta(arrays.columnWords, this.columnEnds);
		/** @type {Uint32Array} n_wk */ this.columnCounts = arrays.columnCounts;

		this.numbers = undelta(arrays.docNumbers, Uint32Array.of(arrays.docNumbers.length));
		/** @type {Uint32Array} N_d */ this.lengths = arrays.docLengths;
		this.docTopicEnds = ends(arrays.docTopicSizes);
		this.docTopics = undelta(arrays.docTopics, this.docTopicEnds);
		/** @type {Uint32Array} n_dk */ this.docCounts = arrays.docCounts;
		this.bagEnds = ends(arrays.bagSizes);
		this.bagWords = undelta(arrays.bagWords, this.bagEnds);
		/** @type {Map<number, number[]>} top words of topics asked for */ this.tops = new Map();
		/** @type {Map<number, [number, number][]>|null} topics and counts by word */ this.rows =
			null;
		/** @type {import("./columns.js").Column[]|undefined} */ this.columns = undefined;
		/** @type {Uint32Array|undefined} */ this.driftEnds = undefined;
		if (arrays.markSizes) this.markEnds = ends(arrays.markSizes);
	}

	/** @param {number} k */
	share(k) {
		return this.N > 0 ? this.tokens[k] / this.N : 0;
	}

	/** φ_wk = (n_wk + β)/(n_k + Vβ), all with pseudo-counts. @param {number} count @param {number} k */
	phi(count, k) {
		return (count + this.beta) / (this.totals[k] + this.V * this.beta);
	}

	/** θ_dk = (n_dk + α_k)/(N_d + Σα). @param {number} count @param {number} k @param {number} length */
	theta(count, k, length) {
		return (count + this.alpha[k]) / (length + this.alphaSum);
	}

	/** φ_wk/(n_w/N), all with pseudo-counts. @param {number} phi @param {number} total n_w */
	lift(phi, total) {
		return phi / (total / this.all);
	}

	/**
	 * λ log φ_wk + (1−λ) log(φ_wk/(n_w/N)) (Sievert and Shirley 2014).
	 * @param {number} phi @param {number} total @param {number} lambda
	 */
	relevance(phi, total, lambda) {
		return lambda * Math.log(phi) + (1 - lambda) * Math.log(this.lift(phi, total));
	}

	/**
	 * The words of topic k that the page has, unordered.
	 * @param {number} k
	 * @returns {{word: number, count: number, total: number, phi: number, lift: number, frex: number}[]}
	 */
	wordsOf(k) {
		const list = [];
		for (let i = k === 0 ? 0 : this.columnEnds[k - 1]; i < this.columnEnds[k]; i++) {
			const word = this.columnWords[i];
			const count = this.columnCounts[i];
			const total = this.wordTotals[word];
			const phi = this.phi(count, k);
			list.push({
				word,
				count,
				total,
				phi,
				lift: this.lift(phi, total),
				frex: this.arrays.columnFrex[i] / 65535,
			});
		}
		return list;
	}

	/** The n words of topic k that occur in it most. @param {number} k @param {number} n */
	topWords(k, n) {
		const known = this.tops.get(k);
		if (known) return known.slice(0, n);
		const begin = k === 0 ? 0 : this.columnEnds[k - 1];
		const places = Array.from({ length: this.columnEnds[k] - begin }, (_, i) => begin + i);
		places.sort((a, b) => this.columnCounts[b] - this.columnCounts[a] || a - b);
		const words = places.slice(0, 12).map((i) => this.columnWords[i]);
		this.tops.set(k, words);
		return words.slice(0, n);
	}

	/**
	 * The topics of a word, most frequent first.
	 * @param {number} word index among the words of the page
	 * @returns {{topic: number, count: number, phi: number}[]}
	 */
	topicsOf(word) {
		this.rows ||= this.turn();
		const list = (this.rows.get(word) || []).map(([topic, count]) => ({
			topic,
			count,
			phi: this.phi(count, topic),
		}));
		return list.sort((a, b) => b.count - a.count || a.topic - b.topic);
	}

	/** Turns columns into rows. @returns {Map<number, [number, number][]>} */
	turn() {
		const rows = new Map();
		const put = (/** @type {number} */ w, /** @type {number} */ k, /** @type {number} */ n) => {
			const row = rows.get(w);
			if (row) row.push([k, n]);
			else rows.set(w, [[k, n]]);
		};
		for (let k = 0, i = 0; k < this.K; k++) {
			for (; i < this.columnEnds[k]; i++) put(this.columnWords[i], k, this.columnCounts[i]);
		}
		const { rowSizes, rowTopics, rowCounts } = this.arrays; // what no column has
		if (rowSizes) {
			for (let w = 0, i = 0; w < rowSizes.length; w++) {
				for (let n = rowSizes[w]; n > 0; n--, i++) put(w, rowTopics[i], rowCounts[i]);
			}
		}
		return rows;
	}

	/**
	 * The words of topic k in every slice of time, of models that were trained by slices.
	 * @param {number} k
	 * @returns {{period: string, tokens: number, words: {word: number, phi: number, fresh: boolean}[]}[]}
	 */
	drift(k) {
		const { driftSizes, driftTokens, driftWords, driftPhi } = this.arrays;
		this.driftEnds ||= ends(driftSizes);
		const at = /** @type {Uint32Array} */ (this.driftEnds);
		let before = new Set();
		return this.info.drift.periods.map(
			(/** @type {string} */ period, /** @type {number} */ t) => {
				const i = t * this.K + k;
				const words = Array.from(
					{ length: driftSizes[i] },
					(_, r) => at[i] - driftSizes[i] + r,
				).map((j) => ({
					word: driftWords[j],
					phi: driftPhi[j],
					fresh: before.size > 0 && !before.has(driftWords[j]),
				}));
				before = new Set(words.map((w) => w.word));
				return { period, tokens: driftTokens[i], words };
			},
		);
	}

	/** The number of documents in the page. */
	get docs() {
		return this.numbers.length;
	}

	/**
	 * The topics of a document in the page, largest first.
	 * @param {number} d place in the page
	 */
	topicsOfDoc(d) {
		const list = [];
		for (let i = d === 0 ? 0 : this.docTopicEnds[d - 1]; i < this.docTopicEnds[d]; i++) {
			const topic = this.docTopics[i];
			list.push({
				topic,
				count: this.docCounts[i],
				theta: this.theta(this.docCounts[i], topic, this.lengths[d]),
			});
		}
		return list.sort((a, b) => b.theta - a.theta || a.topic - b.topic);
	}

	/**
	 * The documents of a topic in the page, largest θ_dk first.
	 * @param {number} k
	 * @param {(d: number) => boolean} [wanted]
	 * @returns {{doc: number, count: number, theta: number}[]}
	 */
	docsOf(k, wanted) {
		const list = [];
		for (let d = 0, i = 0; d < this.docs; d++) {
			for (; i < this.docTopicEnds[d]; i++) {
				if (this.docTopics[i] === k && (!wanted || wanted(d))) {
					list.push({
						doc: d,
						count: this.docCounts[i],
						theta: this.theta(this.docCounts[i], k, this.lengths[d]),
					});
				}
			}
		}
		return list.sort((a, b) => b.theta - a.theta || a.doc - b.doc);
	}

	/**
	 * The documents of the page whose shares of topics are nearest to those of document d:
	 * the cosine of their counts' square roots, 1 where the shares are the same.
	 * @param {number} d place in the page @param {number} n
	 */
	similar(d, n) {
		const own = new Map(this.topicsOfDoc(d).map((t) => [t.topic, Math.sqrt(t.count)]));
		const list = [];
		for (let e = 0, i = 0; e < this.docs; e++) {
			let [sum, total] = [0, 0];
			for (; i < this.docTopicEnds[e]; i++) {
				total += this.docCounts[i];
				sum += (own.get(this.docTopics[i]) || 0) * Math.sqrt(this.docCounts[i]);
			}
			if (e !== d && sum > 0)
				list.push({ doc: e, similarity: sum / Math.sqrt(total * this.lengths[d]) });
		}
		return list.sort((a, b) => b.similarity - a.similarity || a.doc - b.doc).slice(0, n);
	}

	/** The words of a document with the topics of their tokens. @param {number} d */
	bagOf(d) {
		const list = [];
		for (let i = d === 0 ? 0 : this.bagEnds[d - 1]; i < this.bagEnds[d]; i++) {
			list.push({
				word: this.bagWords[i],
				topic: this.arrays.bagTopics[i],
				count: this.arrays.bagCounts[i],
			});
		}
		return list;
	}

	/** The name that the reader gave a document, else its number. @param {number} d */
	docID(d) {
		return this.arrays.docIDs ? this.arrays.docIDs.at(d) : String(this.numbers[d]);
	}

	/** The title of a document, else its name. @param {number} d */
	docTitle(d) {
		return (this.arrays.docTitles && this.arrays.docTitles.at(d)) || this.docID(d);
	}

	/** The beginning of a document, empty where the corpus has none. @param {number} d */
	docSnippet(d) {
		return this.arrays.docSnippets ? this.arrays.docSnippets.at(d) : "";
	}

	/** The group of a document, −1 where it has none. @param {number} d */
	docGroup(d) {
		return this.arrays.docGroups ? this.arrays.docGroups[d] - 1 : -1;
	}

	/** The period of a document, −1 where it has none. @param {number} c calendar @param {number} d */
	docBin(c, d) {
		return this.arrays[`docBins${c}`][d] - 1;
	}

	/** The place in the page of a document of the corpus, −1 if it is not there. @param {number} number */
	place(number) {
		return find(this.numbers, number);
	}

	/** The index of the word with a number or a spelling, −1 if the page does not have it. @param {string} name */
	findWord(name) {
		const numbered = /^\d+$/.test(name) ? this.wordPlace(Number(name)) : -1;
		if (numbered >= 0) return numbered;
		for (const wanted of [name, name.toLowerCase()]) {
			for (let w = 0; w < this.words.length; w++) if (this.words.at(w) === wanted) return w;
		}
		return -1;
	}

	/** The index of a word of the vocabulary, −1 if the page does not have it. @param {number} id */
	wordPlace(id) {
		return find(this.wordIDs, id);
	}
}

/** Binary search. @param {Uint32Array} rising @param {number} value */
function find(rising, value) {
	let lo = 0;
	let hi = rising.length;
	while (lo < hi) {
		const mid = (lo + hi) >> 1;
		if (rising[mid] < value) lo = mid + 1;
		else hi = mid;
	}
	return rising[lo] === value ? lo : -1;
}
