// Names of topics and which are hidden: those of the model, and the reader's changes,
// which the browser keeps for this model and labels.json carries away.

/** Names and hidden topics. */
export class Names {
	/** @param {string} fingerprint @param {Record<string, string>} labels @param {number[]} hidden @param {number} topics */
	constructor(fingerprint, labels, hidden, topics) {
		this.fingerprint = fingerprint;
		this.topics = topics;
		this.given = { labels: labels || {}, hidden: hidden || [] };
		/** @type {Set<() => void>} */
		this.listeners = new Set();
		/** @type {Map<number, string>} */
		this.labels = new Map();
		/** @type {Set<number>} */
		this.hidden = new Set();
		this.reset();
		this.remember();
	}

	/** Goes back to the names of the model. */
	reset() {
		this.labels = new Map(
			Object.entries(this.given.labels).map(([k, name]) => [Number(k), name]),
		);
		this.hidden = new Set(this.given.hidden);
	}

	/** The name of a topic, empty if it has none. @param {number} k */
	of(k) {
		return this.labels.get(k) || "";
	}

	/** @param {number} k @param {string} name */
	rename(k, name) {
		if (name.trim()) this.labels.set(k, name.trim());
		else this.labels.delete(k);
		this.changed();
	}

	/** @param {number} k @param {boolean} hide */
	hide(k, hide) {
		if (hide) this.hidden.add(k);
		else this.hidden.delete(k);
		this.changed();
	}

	/** Takes the content of labels.json; returns what is wrong with it, or "". @param {string} text */
	load(text) {
		let file;
		try {
			file = JSON.parse(text);
		} catch {
			return "this file is not JSON";
		}
		if (!file || typeof file.labels !== "object") return "this file has no names";
		if (file.fingerprint && file.fingerprint !== this.fingerprint)
			return "these names belong to another model";
		this.take(file);
		this.changed();
		return "";
	}

	/** @param {any} file */
	take(file) {
		const valid = (/** @type {number} */ k) => Number.isInteger(k) && k >= 0 && k < this.topics;
		this.labels = new Map(
			Object.entries(file.labels || {})
				.map(([k, name]) => /** @type {[number, string]} */ ([Number(k), String(name)]))
				.filter(([k]) => valid(k)),
		);
		this.hidden = new Set(
			(Array.isArray(file.hidden) ? file.hidden : []).map(Number).filter(valid),
		);
	}

	/** The content of labels.json. */
	json() {
		const labels = Object.fromEntries(
			[...this.labels].sort((a, b) => a[0] - b[0]).map(([k, name]) => [String(k), name]),
		);
		return `${JSON.stringify({ fingerprint: this.fingerprint, labels, hidden: [...this.hidden].sort((a, b) => a - b) }, null, 2)}\n`;
	}

	/** Stores the changes, where the browser lets a file do so, and tells the listeners. */
	changed() {
		try {
			localStorage.setItem(this.key(), this.json());
		} catch {
			/* kept until the page is closed */
		}
		for (const listener of this.listeners) listener();
	}

	/** Forgets the reader's changes. */
	forget() {
		this.reset();
		try {
			localStorage.removeItem(this.key());
		} catch {
			/* nothing was stored */
		}
		for (const listener of this.listeners) listener();
	}

	/** Takes up what the browser has stored. */
	remember() {
		try {
			const stored = localStorage.getItem(this.key());
			if (stored) this.take(JSON.parse(stored));
		} catch {
			/* the names of the model remain */
		}
	}

	key() {
		return `topoi labels ${this.fingerprint}`;
	}
}

/** Hands a text to the reader as a file. @param {string} name @param {string} type @param {string} text */
export function download(name, type, text) {
	const address = URL.createObjectURL(new Blob([text], { type }));
	const link = document.createElement("a");
	link.href = address;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(address), 10000);
}
