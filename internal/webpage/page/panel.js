// Boxes with a heading, and what they offer: copying their numbers.

import { announce, h } from "./dom.js";
import { csvText } from "./format.js";

/**
 * A section with a heading, and a button that copies its numbers. A second word of the
 * name is a class.
 * @param {string} title
 * @param {{csv?: () => any[][], note?: any, tools?: any, wide?: boolean, name?: string}} options
 * @param {...any} body
 */
export function panel(title, options, ...body) {
	const id = `panel-${title.toLowerCase().replace(/[^a-z]+/g, "-")}`;
	const [name, style] = (options.name || "").split(" ");
	return h(
		"section",
		{
			class: `panel${options.wide ? " wide" : ""} ${style || ""}`,
			"aria-labelledby": id,
			"data-panel": name || null,
		},
		h(
			"header",
			{},
			h("h2", { id }, title),
			h(
				"div",
				{ class: "tools" },
				options.tools,
				options.csv && copyButton(title, options.csv),
			),
		),
		options.note && h("p", { class: "note" }, options.note),
		...body,
	);
}

/** @param {string} title @param {() => any[][]} csv */
export function copyButton(title, csv) {
	const button = h(
		"button",
		{
			class: "quiet copy",
			type: "button",
			"aria-label": `Copy ${title} as CSV`,
			title: "Copy the numbers as CSV",
			onclick: async () => {
				const done = await copy(csvText(csv()));
				button.textContent = done ? "Copied" : "Not copied";
				announce(done ? "Copied as CSV" : "The browser did not allow copying");
				setTimeout(() => {
					button.textContent = "Copy CSV";
				}, 1500);
			},
		},
		"Copy CSV",
	);
	return button;
}

/** @param {string} text @returns {Promise<boolean>} */
async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		return copyBySelection(text);
	}
}

/** The old way, for browsers that give files no clipboard. @param {string} text */
function copyBySelection(text) {
	const area = /** @type {HTMLTextAreaElement} */ (
		h("textarea", { class: "offscreen", "aria-hidden": "true", value: text })
	);
	document.body.append(area);
	area.select();
	const done = document.execCommand("copy");
	area.remove();
	return done;
}

/**
 * Buttons of which one is chosen.
 * @param {string} label what is chosen
 * @param {[string, string][]} choices values and their names
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
export function choice(label, choices, chosen, choose) {
	const buttons = choices.map(([value, name]) =>
		h(
			"button",
			{
				type: "button",
				"data-value": value,
				"aria-pressed": String(value === chosen),
				onclick: () => {
					for (const b of buttons)
						b.setAttribute("aria-pressed", String(b.dataset.value === value));
					choose(value);
				},
			},
			name,
		),
	);
	return h("div", { class: "choice", role: "group", "aria-label": label }, buttons);
}

/**
 * A list of choices that are too many for buttons.
 * @param {string} label @param {[string, string][]} choices @param {string} chosen @param {(value: string) => void} choose
 */
export function select(label, choices, chosen, choose) {
	const box = /** @type {HTMLSelectElement} */ (
		h(
			"select",
			{ "aria-label": label, onchange: () => choose(box.value) },
			choices.map(([value, name]) =>
				h("option", { value, selected: value === chosen, text: name }),
			),
		)
	);
	return box;
}
