package sampler

// GroupTokens is the least number of tokens for which mini-batches are chosen if groups of documents have priors of
// their own. In 16,000 tokens with labels mini-batches find 0.86 of the true topics, and draws with fresh counts 0.94.
const GroupTokens = 1 << 16
