// Numbers and tables as text.

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** 12,345. @param {number} n */
export function count(n) {
	return whole.format(n);
}

/** "1 document", "3,430 documents". @param {number} n @param {string} noun */
export function many(n, noun) {
	return `${count(n)} ${noun}${n === 1 ? "" : "s"}`;
}

/** A share as percent with two or three significant digits. @param {number} x */
export function percent(x) {
	if (!Number.isFinite(x)) return "–";
	const p = 100 * x;
	if (p === 0) return "0 %";
	const digits = p >= 10 ? 1 : p >= 0.1 ? 2 : p >= 0.001 ? 4 : 6;
	return `${p.toFixed(digits)} %`;
}

/** A number with n digits after the point, "–" where there is none. @param {number} x @param {number} [n] */
export function fixed(x, n = 3) {
	return Number.isFinite(x) ? x.toFixed(n).replace("-", "−") : "–";
}

/** A probability or another small positive number. @param {number} x */
export function small(x) {
	if (!Number.isFinite(x)) return "–";
	if (x === 0) return "0";
	return x >= 0.001 ? x.toFixed(4) : x.toExponential(1).replace("-", "−");
}

/**
 * A table as CSV (RFC 4180). Numbers keep all their digits.
 * @param {any[][]} rows
 */
export function csvText(rows) {
	const cell = (/** @type {any} */ v) => {
		if (v === null || v === undefined || Number.isNaN(v)) return "";
		const text = String(v);
		return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
	};
	return `${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}
