// Making elements. Text from the corpus only ever becomes text nodes, never markup.

const svgNamespace = "http://www.w3.org/2000/svg";

/**
 * Makes an element. Properties that begin with "on" are listeners, "hue" and
 * "heat" colour the element by a topic or a number, "series" by its place among lines that must be told
 * apart, "text" sets its text; all others are attributes, left out when false, null or undefined.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node|string|number|null|undefined|false|Array<any>)} children
 * @returns {HTMLElement}
 */
export function h(tag, properties, ...children) {
	const element = document.createElement(tag);
	dress(element, properties || {});
	put(element, children);
	return element;
}

/**
 * Makes an SVG element, like h.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...any} children
 * @returns {SVGElement}
 */
export function s(tag, properties, ...children) {
	const element = document.createElementNS(svgNamespace, tag);
	dress(element, properties || {});
	put(element, children);
	return element;
}

/** @param {any} element @param {Record<string, any>} properties */
function dress(element, properties) {
	for (const [name, value] of Object.entries(properties)) {
		if (value === false || value === null || value === undefined) continue;
		if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
		else if (name === "hue") element.style.setProperty("--hue", value);
		else if (name === "heat") element.style.setProperty("--heat", value);
		else if (name === "series") element.setAttribute("data-series", String(value % 8));
		else if (name === "text") element.textContent = visible(String(value));
		else if (name === "value") element.value = value;
		else element.setAttribute(name, value === true ? "" : value);
	}
}

/** @param {Node} element @param {any[]} children */
function put(element, children) {
	for (const child of children.flat(9)) {
		if (child === null || child === undefined || child === false) continue;
		element.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
	}
}

/**
 * Text of the corpus as an element of its own direction, so that right-to-left text
 * and unclosed direction marks stay inside it.
 * @param {string} text
 * @param {string} [name] class
 */
export function said(text, name) {
	return h("bdi", { class: name, text });
}

/**
 * Shows control characters as the replacement character.
 * @param {string} text
 */
export function visible(text) {
	return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\ufffd");
}

/**
 * Cuts a text to at most n characters.
 * @param {string} text @param {number} n
 */
export function cut(text, n) {
	if (text.length <= n) return text;
	return `${Array.from(text.slice(0, n)).slice(0, -1).join("")}…`;
}

/** The room for a panel's content in a window, before it is laid out. */
function roomInWindow() {
	const narrow = innerWidth <= 640;
	return Math.max(280, Math.min(1240, innerWidth) - (narrow ? 50 : 86));
}

/**
 * A box whose picture is drawn for the width that it has, and again when that changes, so
 * that text in pictures is as large on a telephone as elsewhere.
 * @param {(width: number) => any} draw
 */
export function fitted(draw) {
	let drawn = roomInWindow();
	const box = h("div", { class: "fitted" }, draw(drawn));
	new ResizeObserver(() => {
		const width = Math.floor(box.clientWidth);
		if (width === 0 || Math.abs(width - drawn) < 2) return;
		drawn = width;
		fill(box, draw(width));
	}).observe(box);
	return box;
}

/** Removes all children and puts others there. @param {Element} element @param {...any} children */
export function fill(element, ...children) {
	element.textContent = "";
	put(element, children);
	return element;
}

/**
 * Tells people who cannot see the page what happened.
 * @param {string} message
 */
export function announce(message) {
	const region = document.getElementById("live");
	if (region) region.textContent = message;
}
