// The page of a sweep: all measures of all runs, and what they speak for.

import { fill, h, said } from "./dom.js";
import { count, many, percent } from "./format.js";
import { panel } from "./panel.js";
import { keep, parsePlace } from "./state.js";
import { unpack } from "./data.js";
import { Sweep } from "./runs.js";
import { multiples } from "./multiples.js";
import { agreementPanel, scatterPanel } from "./topicplots.js";
import { definitions, runTable } from "./tables.js";

async function main() {
	const block = /** @type {HTMLElement} */ (document.getElementById("data"));
	const page = /** @type {HTMLElement} */ (document.getElementById("page"));
	if (typeof DecompressionStream === "undefined") {
		fill(
			page,
			h(
				"p",
				{ class: "note" },
				"This browser is too old for this page: it needs Chrome 80, Firefox 113, Safari 16.4 or newer.",
			),
		);
		return;
	}
	const { info, arrays } = await unpack((block.textContent || "").trim());
	const sweep = new Sweep(info, arrays);
	const content = h("main", { id: "content", "data-view": "sweep" });
	fill(
		page,
		h(
			"header",
			{ class: "top" },
			h(
				"span",
				{ class: "brand" },
				h("span", { class: "mark-logo", "aria-hidden": "true" }),
				said(info.name),
			),
		),
		content,
		foot(sweep),
	);
	const show = () => {
		const chosen = sweep.chosen(parsePlace(location.hash).options.k);
		const choose = (/** @type {string} */ k) => {
			keep({ k });
			show();
		};
		fill(
			content,
			recommendation(sweep),
			multiples(sweep, chosen, choose),
			scatterPanel(sweep, chosen, choose),
			agreementPanel(sweep, chosen, choose),
			runTable(sweep),
			definitions(sweep),
		);
	};
	show();
	addEventListener("hashchange", show);
	document.documentElement.dataset.ready = "yes";
}

/** What the scores suggest, and what speaks against trusting them. @param {Sweep} sweep */
function recommendation(sweep) {
	const r = sweep.info.recommendation;
	const items = (/** @type {string[]} */ list) =>
		h(
			"ul",
			{ class: "plain" },
			list.map((text) => h("li", {}, text)),
		);
	return panel(
		"What the scores suggest",
		{
			wide: true,
			name: "recommendation",
			note: "A recommendation, not a decision: your purpose decides. Look at the models before you choose.",
		},
		h(
			"p",
			{ class: "advice" },
			r.topics ? [h("strong", {}, many(r.topics, "topic")), "."] : "No number of topics.",
		),
		items(r.reasons),
		r.others.length > 0 && [
			h("h3", {}, "Other candidates"),
			items(r.others.map((/** @type {any} */ o) => `${count(o.topics)}: ${o.why}`)),
		],
		r.cautions.length > 0 && [h("h3", {}, "How reliable this is"), items(r.cautions)],
	);
}

/** @param {Sweep} sweep */
function foot(sweep) {
	const { info } = sweep;
	const sample = info.sample.share
		? `, a sample of ${percent(info.sample.share)} of ${count(info.sample.docs)}`
		: "";
	return h(
		"footer",
		{},
		h(
			"p",
			{},
			`${many(info.runs.length, "run")} over ${many(info.docs, "document")}${sample}, ${many(info.tokens, "token")}, ${many(info.words, "word")}; ${many(info.heldOut, "document")} held out. Corpus ${info.corpus}. Made by topoi.`,
		),
	);
}

main();
