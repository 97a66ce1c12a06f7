// Tests the built site: node test.mjs, after npm run build. Chromium is the one that CHROMIUM names,
// or the first on PATH. With --quick it opens every eighth page and the gallery only.
import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import MiniSearch from "minisearch";
import puppeteer from "puppeteer-core";
import { miniSearch } from "./search.mjs";

const quick = process.argv.includes("--quick");
const dist = fileURLToPath(new URL(".vitepress/dist", import.meta.url));
const files = readdirSync(dist, { recursive: true }).map(String);
const pages = files.filter((f) => f.endsWith(".html") && f !== "404.html");
assert(pages.length > 60, `there are ${pages.length} pages`);

// Every link and picture of the site leads to a file, and every anchor to a heading.
const html = Object.fromEntries(pages.map((p) => [p, readFileSync(join(dist, p), "utf8")]));
const broken = [];
for (const page of pages) {
	if (page.startsWith("gallery/")) continue; // their links are made by scripts
	for (const [, href] of html[page].matchAll(/(?:href|src)="([^"]+)"/g)) {
		if (/^([a-z]+:|\/\/)/i.test(href)) continue;
		const [path, anchor] = href.replaceAll("&amp;", "&").split("#");
		let target =
			path === ""
				? page
				: normalize(path.startsWith("/") ? path.slice(1) : join(dirname(page), path));
		if (target === "." || target === "" || target.endsWith("/"))
			target = join(target, "index.html");
		if (!existsSync(join(dist, target))) broken.push(`${page}: ${href}`);
		else if (
			anchor &&
			html[target] &&
			!html[target].includes(`id="${decodeURIComponent(anchor)}"`)
		)
			broken.push(`${page}: ${href}: no such heading`);
	}
}
assert.deepStrictEqual(broken, [], "broken links");

// The search finds every command, flag, format and message: its index is asked as the pages ask it.
const chunks = join(dist, "assets/chunks");
const { default: index } = await import(
	join(
		chunks,
		readdirSync(chunks).find((f) => f.startsWith("@localSearchIndex")),
	)
);
const search = MiniSearch.loadJSON(index, {
	fields: ["title", "titles", "text"],
	storeFields: ["title", "titles"],
	...miniSearch.options,
	searchOptions: miniSearch.searchOptions,
});
const names = JSON.parse(readFileSync(new URL("pages/.names.json", import.meta.url), "utf8"));
const plain = (s) =>
	s
		.replace(/<[^>]*>/g, "")
		.replaceAll("&quot;", '"')
		.replaceAll("&lt;", "<")
		.replaceAll("&gt;", ">")
		.replaceAll("&#39;", "'")
		.replaceAll("&amp;", "&");
const text = Object.fromEntries(pages.map((p) => [p, plain(html[p])]));
const finds = (query, wanted, first) =>
	search
		.search(query)
		.slice(0, first)
		.some(({ id }) =>
			(text[id.slice(1).split("#")[0].replace(/\/$/, "/index.html")] ?? "").includes(wanted),
		);
const lost = [];
for (const name of [...names.flags, ...names.formats]) if (!finds(name, name, 20)) lost.push(name);
for (const name of names.commands)
	if (
		!finds(
			name,
			`Usage:\n  ${name.replace(/(?<=mallet (?:import|train|infer|evaluate)) /, "-")}`,
			10,
		)
	)
		lost.push(name);
assert(
	names.flags.length > 200 &&
		names.formats.length > 40 &&
		names.commands.length > 40 &&
		names.messages.length > 1500,
	`${names.messages.length} messages`,
);
for (const message of names.messages)
	if (!finds(message, message, message.split(" ").length > 5 ? 30 : 100)) lost.push(message); // short ones have common words
assert.deepStrictEqual(lost, [], "the search does not find");

const types = {
	".html": "text/html",
	".js": "text/javascript",
	".css": "text/css",
	".svg": "image/svg+xml",
	".png": "image/png",
	".woff2": "font/woff2",
	".json": "application/json",
};
const server = createServer((request, response) => {
	let path = join(dist, decodeURIComponent(new URL(request.url, "http://localhost").pathname));
	if (existsSync(path) && statSync(path).isDirectory()) path = join(path, "index.html");
	if (/^\/v[\d.]+\//.test(request.url))
		return response
			.writeHead(200, { "Content-Type": "text/html" })
			.end("<link rel=icon href=data:,>another version");
	if (!existsSync(path)) return response.writeHead(404).end();
	response
		.writeHead(200, { "Content-Type": types[extname(path)] ?? "application/octet-stream" })
		.end(readFileSync(path));
}).listen(0);
const address = `http://localhost:${server.address().port}`;
const chromium =
	process.env.CHROMIUM ??
	execFileSync("sh", ["-c", "command -v chromium || command -v google-chrome"], {
		encoding: "utf8",
	}).trim();
const browser = await puppeteer.launch({
	executablePath: chromium,
	args: ["--no-sandbox"],
	protocolTimeout: 300_000,
});
const said = [];
try {
	const page = await browser.newPage();
	page.setDefaultTimeout(120_000);
	let where = "";
	page.on("console", (m) => said.push(`${where}: ${m.text()}`));
	page.on("pageerror", (e) => said.push(`${where}: ${e.message}`));
	page.on("request", (r) => {
		if (!r.url().startsWith(address) && !r.url().startsWith("data:"))
			said.push(`${where}: asks for ${r.url()}`);
	});
	await page.evaluateOnNewDocument(() => {
		window.copied = [];
		Object.defineProperty(navigator, "clipboard", {
			value: {
				writeText: async (text) => {
					window.copied.push(text);
				},
			},
		});
	});

	// Pages say nothing on the console, ask no other server, and every code block is copied whole.
	let blocks = 0;
	for (where of pages.filter((p, i) => !quick || i % 8 === 0 || p.startsWith("gallery/"))) {
		await page.goto(`${address}/${where}`, { waitUntil: "load" });
		const found = await page.evaluate(async () => {
			const wait = (ms) => new Promise((done) => setTimeout(done, ms));
			const buttons = [...document.querySelectorAll("div[class*=language-] > button.copy")];
			for (let i = 0; i < 100 && buttons.length && !window.copied.length; i++) {
				buttons[0].click();
				await wait(50);
			} // until the page is alive
			window.copied.length = 0;
			for (const b of buttons) {
				b.click();
				await wait(0);
			}
			await wait(20);
			return {
				shown: buttons.map((b) => b.parentElement.querySelector("code").innerText),
				copied: window.copied,
			};
		});
		assert.strictEqual(found.copied.length, found.shown.length, `${where}: buttons that copy`);
		found.shown.forEach((text, i) => {
			const plain = (s) =>
				s
					.replace(/^ *[$>] /gm, "")
					.replace(/\s+/g, " ")
					.trim();
			assert.strictEqual(plain(found.copied[i]), plain(text), `${where}: block ${i + 1}`);
		});
		blocks += found.shown.length;
	}
	assert(blocks > (quick ? 15 : 150), `${blocks} blocks of code`);

	// Light and dark follow the system.
	for (const scheme of ["light", "dark"]) {
		await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
		await page.goto(`${address}/docs/guide.html`, { waitUntil: "load" });
		await page.waitForFunction(
			(dark) => document.documentElement.classList.contains("dark") === dark,
			{},
			scheme === "dark",
		);
	}

	// The menu of versions leads to the same page of another version.
	await page.goto(`${address}/docs/guide.html`, { waitUntil: "load" });
	const versions = await page.$$eval(".versions option", (list) => list.map((o) => o.value));
	assert(versions.length > 0, "there is no menu of versions");
	if (versions.length > 1) {
		// npm run check builds two
		where = "the menu of versions";
		const asked = page.waitForRequest(
			(r) =>
				r.isNavigationRequest() && r.url() === `${address}/v${versions[1]}/docs/guide.html`,
		);
		for (
			let i = 0;
			i < 50 && !(await page.$eval(".versions", (e) => "_assign" in e || e.__vnode));
			i++
		)
			await new Promise((done) => setTimeout(done, 100)); // until the page is alive
		await page.select(".versions", versions[1]);
		await asked;
	}

	// The search finds commands, flags, messages and formats.
	for (const [query, target] of [
		["doctor", "doctor"],
		["--min-df", ""],
		["npz-topic-words", ""],
		["the driver sees no GPU", "gpu"],
		["topoi cluster top", "cluster"],
	]) {
		where = `search for ${query}`;
		await page.goto(`${address}/docs/guide.html`, { waitUntil: "load" });
		await page.waitForSelector("button.DocSearch");
		await page.evaluate(() => sessionStorage.clear()); // which has the query before
		for (let i = 0; i < 50 && !(await page.$("#localsearch-input")); i++) {
			// until the page is alive
			await page.click("button.DocSearch");
			await new Promise((done) => setTimeout(done, 300));
		}
		await page.type("#localsearch-input", query);
		await page.waitForSelector(".VPLocalSearchBox .result");
		const links = await page.$$eval(".VPLocalSearchBox .result", (list) =>
			list.map((a) => a.getAttribute("href")),
		);
		assert(
			links.some((l) => l.includes(target)),
			`${query}: ${links}`,
		);
	}
	assert.deepStrictEqual(said, [], "messages");
	console.log(
		`${pages.length} pages, ${blocks} blocks of code: links, console, copying, light and dark, versions, and search for ${names.flags.length} flags, ${names.commands.length} commands, ${names.formats.length} formats and ${names.messages.length} messages are as they should be`,
	);
} finally {
	await browser.close();
	server.close();
}
