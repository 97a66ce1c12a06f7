// Reading the data block of the page; package webpage (pack.go) has its grammar.

/**
 * @typedef {Object} Place where an array lies
 * @property {string} type
 * @property {number} offset
 * @property {number} bytes
 * @property {number} length
 * @property {number} [split]
 */

/**
 * Unpacks base64 of gzip of a pack.
 * @param {string} base64
 * @returns {Promise<{info: any, arrays: Record<string, any>}>}
 */
export async function unpack(base64) {
	const stream = new Blob([bytesOf(base64)])
		.stream()
		.pipeThrough(new DecompressionStream("gzip"));
	const buffer = await new Response(stream).arrayBuffer();
	const size = new DataView(buffer).getUint32(0, true);
	const directory = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
	const base = Math.ceil((4 + size) / 8) * 8;
	/** @type {Record<string, any>} */
	const arrays = {};
	for (const [name, place] of Object.entries(directory.arrays))
		arrays[name] = read(buffer, base, place);
	return { info: directory.info, arrays };
}

/** @param {string} base64 @returns {Uint8Array<ArrayBuffer>} */
function bytesOf(base64) {
	const known = /** @type {any} */ (Uint8Array).fromBase64;
	if (known) return known.call(Uint8Array, base64);
	const text = atob(base64);
	const bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
	return bytes;
}

/** @param {ArrayBuffer} buffer @param {number} base @param {Place} place */
function read(buffer, base, place) {
	const at = base + place.offset;
	switch (place.type) {
		case "f64":
			return new Float64Array(buffer, at, place.length);
		case "f32":
			return new Float32Array(buffer, at, place.length);
		case "u16":
			return new Uint16Array(buffer, at, place.length);
		case "varint":
			return varints(new Uint8Array(buffer, at, place.bytes), place.length);
		case "text":
			return new Texts(
				new Uint8Array(buffer, at, place.bytes),
				place.length,
				place.split || 0,
			);
	}
	throw new Error(`an array of type ${place.type}`);
}

/** @param {Uint8Array} bytes @param {number} length */
function varints(bytes, length) {
	const values = new Uint32Array(length);
	for (let i = 0, at = 0; i < length; i++) {
		let value = 0;
		for (let shift = 1; ; shift *= 128) {
			const b = bytes[at++];
			value += (b & 127) * shift;
			if (b < 128) break;
		}
		values[i] = value;
	}
	return values;
}

/** Strings that are cut out of one text when they are asked for. */
export class Texts {
	/** @param {Uint8Array} bytes @param {number} length @param {number} split */
	constructor(bytes, length, split) {
		this.length = length;
		this.ends = ends(varints(bytes.subarray(0, split), length));
		this.all = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(split));
	}

	/** @param {number} i @returns {string} */
	at(i) {
		return this.all.slice(i === 0 ? 0 : this.ends[i - 1], this.ends[i]);
	}
}

/**
 * Running sums of sizes: list i is elements ends[i-1], …, ends[i]-1.
 * @param {Uint32Array} sizes
 */
export function ends(sizes) {
	const sums = new Uint32Array(sizes.length);
	let sum = 0;
	for (let i = 0; i < sizes.length; i++) sums[i] = sum += sizes[i];
	return sums;
}

/**
 * Undoes differences inside lists, whose first elements are whole.
 * @param {Uint32Array} values @param {Uint32Array} ends
 */
export function undelta(values, ends) {
	const out = new Uint32Array(values.length);
	let begin = 0;
	for (const end of ends) {
		let sum = 0;
		for (let i = begin; i < end; i++) out[i] = sum += values[i];
		begin = end;
	}
	return out;
}
