// The page: unpacks the data, draws the frame, and shows the view that the address names.

import { announce, cut, fill, h, said } from "./dom.js";
import { App } from "./app.js";
import { Model } from "./model.js";
import { Names, download } from "./names.js";
import { docView, wordView } from "./word.js";
import { documentsView } from "./documents.js";
import { effectsView } from "./effects.js";
import { groupings } from "./columns.js";
import { groupsView, nothing } from "./groups.js";
import { mapView } from "./map.js";
import { parsePlace, link } from "./state.js";
import { relationsView } from "./relations.js";
import { searchBox } from "./search.js";
import { textView } from "./text.js";
import { timeView } from "./time.js";
import { topicView } from "./topic.js";
import { topicsView } from "./topics.js";
import { unpack } from "./data.js";

/** @type {Record<string, (app: App, place: import("./state.js").Place) => {title: string, node: Node}|null>} */
const views = {
	topics: topicsView,
	map: mapView,
	topic: topicView,
	word: wordView,
	doc: docView,
	groups: groupsView,
	documents: documentsView,
	effects: effectsView,
	time: timeView,
	relations: relationsView,
	text: textView,
};

const tabs = [
	["topics", "Topics"],
	["map", "Map"],
	["groups", "Groups"],
	["time", "Time"],
	["documents", "Docs"],
	["effects", "Effects"],
	["relations", "Relations"],
	["text", "Text"],
];

/** The tabs that have something to show. @param {Model} model @returns {string[][]} */
function tabsOf(model) {
	const { info, arrays } = model;
	const has = /** @type {Record<string, boolean>} */ ({
		map: model.K > 1,
		groups: groupings(model).length > 0,
		documents: (info.columns || []).length > 0,
		effects: Boolean(info.effects),
		time: (info.calendars || []).length > 0 || Boolean(info.timeFault),
		relations: model.K > 1 && Boolean(arrays.treeLeft),
		text: Boolean(info.served),
	});
	return tabs.filter(([view]) => has[view] ?? true);
}

async function main() {
	const block = /** @type {HTMLElement} */ (document.getElementById("data"));
	const body = /** @type {HTMLElement} */ (document.getElementById("page"));
	if (typeof DecompressionStream === "undefined") {
		fill(
			body,
			h(
				"p",
				{ class: "note" },
				"This browser is too old for this page: it needs Chrome 80, Firefox 113, Safari 16.4 or newer.",
			),
		);
		return;
	}
	const { info, arrays } = await unpack((block.textContent || "").trim());
	block.remove();
	const model = new Model(info, arrays);
	const app = new App(model, new Names(info.fingerprint, info.labels, info.hidden, model.K));
	const content = h("main", { id: "content", tabindex: -1 });
	fill(body, frame(app), content, foot(app));
	const show = () => draw(app, content);
	addEventListener("hashchange", () => {
		show();
		scrollTo(0, 0);
	});
	app.names.listeners.add(() => refresh(app, show));
	addEventListener("keydown", (e) => key(app, e));
	addEventListener("pointerdown", (e) => {
		if (!(e.target instanceof Element && e.target.closest("details.menu"))) closeMenus();
	});
	show();
	document.documentElement.dataset.ready = "yes";
}

/** @param {App} app @param {HTMLElement} content */
function draw(app, content) {
	const place = parsePlace(location.hash);
	const view = views[place.view];
	const shown = (view && view(app, place)) || nothing("Not found", missing(app, place));
	fill(content, shown.node);
	content.dataset.view = place.view;
	document.title = `${cut(shown.title, 80)} – ${app.model.info.name}`;
	announce(shown.title.slice(0, 200));
	for (const a of document.querySelectorAll("nav.tabs a")) {
		if (a.getAttribute("href") === link(place.view)) a.setAttribute("aria-current", "page");
		else a.removeAttribute("aria-current");
	}
}

/** Why there is nothing. @param {App} app @param {import("./state.js").Place} place */
function missing(app, place) {
	if (place.view === "topic")
		return `There is no topic ${cut(place.id, 40)}: topics are 0 to ${app.model.K - 1}.`;
	if (place.view === "doc" && app.model.docs < app.model.D)
		return `Document ${cut(place.id, 40)} is not in this page. ${app.sampled()}`;
	if (place.view === "doc") return `There is no document ${cut(place.id, 40)}.`;
	if (place.view === "word") return `Word ${cut(place.id, 40)} is not in this page.`;
	return "There is no such view.";
}

/** Draws again after names changed, and leaves the focus where it was. @param {App} app @param {() => void} show */
function refresh(app, show) {
	const id = document.activeElement && document.activeElement.id;
	show();
	const again = id && document.getElementById(id);
	if (again) again.focus();
	fill(/** @type {Element} */ (document.getElementById("names")), nameTools(app));
}

/** @param {App} app */
function frame(app) {
	return h(
		"header",
		{ class: "top" },
		h(
			"a",
			{
				class: "skip",
				href: "#content",
				onclick: (/** @type {Event} */ e) => {
					e.preventDefault();
					/** @type {HTMLElement} */ (document.getElementById("content")).focus();
				},
			},
			"Skip to the content",
		),
		h(
			"a",
			{ class: "brand", href: link("topics") },
			h("span", { class: "mark-logo", "aria-hidden": "true" }),
			said(app.model.info.name),
		),
		h(
			"nav",
			{ class: "tabs", "aria-label": "Views" },
			tabsOf(app.model).map(([view, name]) => h("a", { href: link(view) }, name)),
		),
		searchBox(app),
		h("div", { id: "names", class: "names" }, nameTools(app)),
	);
}

/** @param {App} app */
function nameTools(app) {
	const file = /** @type {HTMLInputElement} */ (
		h("input", {
			type: "file",
			accept: ".json,application/json",
			class: "offscreen",
			id: "namefile",
			tabindex: -1,
			"aria-label": "labels.json to load",
			onchange: async () => {
				const fault =
					file.files && file.files[0] ? app.names.load(await file.files[0].text()) : "";
				if (fault) {
					announce(fault);
					alert(`labels.json: ${fault}`);
				}
			},
		})
	);
	return h(
		"details",
		{ class: "menu" },
		h("summary", {}, "Names"),
		h(
			"div",
			{ class: "sheet" },
			h(
				"p",
				{ class: "note" },
				"Names and hidden topics are stored in this browser. To store them with the model, download them and run: topoi name MODEL labels.json",
			),
			h(
				"button",
				{
					type: "button",
					id: "download",
					onclick: () => download("labels.json", "application/json", app.names.json()),
				},
				"Download labels.json",
			),
			h(
				"button",
				{ type: "button", class: "quiet", onclick: () => file.click() },
				"Load labels.json",
			),
			file,
			h(
				"button",
				{ type: "button", class: "quiet", id: "forget", onclick: () => app.names.forget() },
				"Discard my changes",
			),
		),
	);
}

/** @param {App} app */
function foot(app) {
	const { info } = app.model;
	return h(
		"footer",
		{},
		h(
			"p",
			{},
			app.sampled(),
			" ",
			`Model ${info.fingerprint}, ${info.sampler}, ${info.iterations} iterations. Made by topoi.`,
		),
		h(
			"p",
			{ class: "keys" },
			h("kbd", {}, "/"),
			" search ",
			h("kbd", {}, "1"),
			"–",
			h("kbd", {}, tabsOf(app.model).length),
			" views ",
			h("kbd", {}, "["),
			" ",
			h("kbd", {}, "]"),
			" topic before and after ",
			h("kbd", {}, "Alt ←"),
			" back",
		),
	);
}

/** Closes what is open above the page; says whether anything was. */
function closeMenus() {
	const open = document.querySelectorAll("details.menu[open]");
	for (const menu of open) menu.removeAttribute("open");
	return open.length > 0;
}

/** @param {App} app @param {KeyboardEvent} e */
function key(app, e) {
	const target = /** @type {HTMLElement} */ (e.target);
	if (e.key === "Escape" && closeMenus())
		/** @type {HTMLElement} */ (document.querySelector("details.menu summary")).focus();
	if (
		e.ctrlKey ||
		e.metaKey ||
		e.altKey ||
		target.matches("input:not([type=range],[type=checkbox]), select, textarea")
	)
		return;
	const place = parsePlace(location.hash);
	const k = Number(place.id);
	if (e.key === "/") {
		e.preventDefault();
		/** @type {HTMLElement} */ (document.getElementById("search")).focus();
	} else if (e.key >= "1" && e.key <= String(tabsOf(app.model).length))
		location.hash = link(tabsOf(app.model)[Number(e.key) - 1][0]);
	else if (place.view === "topic" && (e.key === "[" || e.key === "]"))
		location.hash = link(
			"topic",
			(k + (e.key === "]" ? 1 : app.model.K - 1)) % app.model.K,
			place.options,
		);
}

main();
