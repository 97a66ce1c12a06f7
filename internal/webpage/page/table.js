// Tables that sort, and show more rows when asked.

import { announce, fill, h } from "./dom.js";
import { count } from "./format.js";
import { keep } from "./state.js";

/**
 * @template T
 * @typedef {Object} Column
 * @property {string} name
 * @property {string} title
 * @property {(row: T) => any} show what stands in the cell
 * @property {(row: T) => any} [value] by which rows are sorted and what CSV has; none: not sorted by
 * @property {boolean} [number] numbers stand on the right, and fall first
 * @property {string} [hint]
 */

/** Rows that are shown at first, and added at a time. */
const portion = 200;

/**
 * @template T
 * @param {{caption: string, columns: Column<T>[], rows: T[], sort?: string, option?: string, row?: (row: T) => Record<string, any>, portion?: number, cards?: boolean}} t
 *   option: the name under which the order stands in the address; cards: on a telephone every row is a card
 */
export function table(t) {
	let order = t.sort || "";
	let shown = t.portion || portion;
	let rows = t.rows;
	const head = h("thead");
	const body = h("tbody");
	const more = h("div", { class: "more" });

	const draw = () => {
		const sorted = inOrder(rows, t.columns, order);
		fill(
			head,
			h(
				"tr",
				{},
				t.columns.map((c) => header(c)),
			),
		);
		fill(
			body,
			sorted.slice(0, shown).map((row) =>
				h(
					"tr",
					t.row ? t.row(row) : {},
					t.columns.map((c, i) =>
						h(
							i === 0 ? "th" : "td",
							{
								class: c.number ? "number" : null,
								scope: i === 0 ? "row" : null,
								"data-column": c.name,
								"data-title": i > 0 || c.number ? c.title : null,
							},
							c.show(row),
						),
					),
				),
			),
		);
		fill(
			more,
			sorted.length > shown && [
				`${count(shown)} of ${count(sorted.length)} rows. `,
				h(
					"button",
					{
						type: "button",
						class: "quiet",
						onclick: () => {
							shown += 5 * portion;
							draw();
						},
					},
					"Show more",
				),
			],
		);
	};

	/** @param {Column<T>} c */
	const header = (c) => {
		const name = order.replace("-", "");
		const sorted =
			name === c.name ? (order.startsWith("-") ? "descending" : "ascending") : null;
		return h(
			"th",
			{ scope: "col", class: c.number ? "number" : null, "aria-sort": sorted, title: c.hint },
			c.value
				? h(
						"button",
						{ type: "button", class: "sort", onclick: () => sortBy(c) },
						c.title,
						h(
							"span",
							{ class: "arrow", "aria-hidden": "true" },
							sorted === "descending" ? " ↓" : sorted ? " ↑" : "",
						),
					)
				: c.title,
		);
	};

	/** @param {Column<T>} c */
	const sortBy = (c) => {
		if (order.replace("-", "") === c.name)
			order = order.startsWith("-") ? c.name : `-${c.name}`;
		else order = c.number ? `-${c.name}` : c.name;
		if (t.option) keep({ [t.option]: order });
		draw();
		const button = head.querySelector("[aria-sort] button");
		if (button instanceof HTMLElement) button.focus();
		announce(`sorted by ${c.title}`);
	};

	draw();
	return {
		node: h(
			"div",
			{ class: "scroll" },
			h(
				"table",
				{ class: t.cards ? "cards" : null },
				h("caption", { class: "offscreen" }, t.caption),
				head,
				body,
			),
			more,
		),
		/** @param {T[]} list */
		update(list) {
			rows = list;
			draw();
		},
		/** @param {Column<T>[]} columns */
		columns(columns) {
			t.columns = columns;
			draw();
		},
		csv: () => [
			t.columns.filter((c) => c.value).map((c) => c.name),
			...inOrder(rows, t.columns, order).map((row) =>
				t.columns.filter((c) => c.value).map((c) => /** @type {any} */ (c).value(row)),
			),
		],
	};
}

/**
 * @template T
 * @param {T[]} rows @param {Column<T>[]} columns @param {string} order
 */
function inOrder(rows, columns, order) {
	const column = columns.find((c) => c.name === order.replace("-", ""));
	const value = column && column.value;
	if (!value) return rows;
	const sign = order.startsWith("-") ? -1 : 1;
	return [...rows].sort((a, b) => sign * compare(value(a), value(b), sign));
}

/** Missing numbers come last in both directions. @param {any} a @param {any} b @param {number} sign */
function compare(a, b, sign) {
	if (typeof a === "number" && typeof b === "number") {
		if (Number.isNaN(a) || Number.isNaN(b))
			return sign * (Number(Number.isNaN(a)) - Number(Number.isNaN(b)));
		return a - b;
	}
	return String(a).localeCompare(String(b));
}
