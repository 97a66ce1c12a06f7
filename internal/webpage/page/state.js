// Where the reader is: the part of the address after #, as #/view/id?name=value.

/**
 * @typedef {Object} Place
 * @property {string} view
 * @property {string} id
 * @property {Record<string, string>} options
 */

/** @param {string} hash @returns {Place} */
export function parsePlace(hash) {
	const [path, query] = hash.replace(/^#\/?/, "").split("?");
	const [view, id] = path.split("/");
	/** @type {Record<string, string>} */
	const options = {};
	for (const [name, value] of new URLSearchParams(query || "")) options[name] = value;
	return { view: view || "topics", id: decode(id || ""), options };
}

/** @param {string} text */
function decode(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/**
 * The address of a view.
 * @param {string} view @param {string|number} [id] @param {Record<string, any>} [options]
 */
export function link(view, id, options) {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(options || {})) {
		if (value !== undefined && value !== null && value !== "") query.set(name, String(value));
	}
	const text = query.toString();
	return `#/${view}${id === undefined || id === "" ? "" : `/${encodeURIComponent(id)}`}${text ? `?${text}` : ""}`;
}

/**
 * Changes options of the present place without a new entry in the history. The view
 * is not drawn again.
 * @param {Record<string, any>} changes undefined takes an option away
 */
export function keep(changes) {
	const place = parsePlace(location.hash);
	const address = link(place.view, place.id, { ...place.options, ...changes });
	history.replaceState(null, "", address);
}
