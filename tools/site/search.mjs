// How the search works, for the pages and for the test. Its functions become text, so they use nothing outside of themselves.
export const miniSearch = {
	// Words that are everywhere say nothing about a page.
	options: {
		processTerm: (term) =>
			/^(a|an|and|are|be|for|from|has|have|in|is|it|its|not|of|or|that|the|this|to|which)$/i.test(
				term,
			)
				? null
				: term.toLowerCase(),
	},
	searchOptions: {
		prefix: (term) => term.length > 2,
		fuzzy: (term) => (term.length > 4 ? 0.2 : false),
		boost: { title: 4, text: 2, titles: 1 },
	},
};
