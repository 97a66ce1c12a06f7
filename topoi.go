// Package topoi trains topic models (latent Dirichlet allocation, Blei, Ng and
// Jordan 2003) on one core, all cores, a GPU or a cluster, with one answer: a
// run is a pure function of corpus, options and seed. Threads, devices,
// interruptions and restarts never change a byte of the model.
//
// The whole story in four calls:
//
//	c, _, err := corpus.Load(ctx, []string{"articles.csv"}, corpus.ImportOptions{})
//	m, err := topoi.Train(ctx, c, topoi.Options{Topics: 100})
//	err = m.Save("articles.model")
//	d, err := m.InferText(ctx, "an unseen text", topoi.InferOptions{})
//
// [corpus.FromTexts] and [corpus.FromTokens] take documents from memory. A [Model] knows
// its topics ([Model.Summary], [Model.TopWords], [Model.Phi]), its training documents
// ([Model.Theta]) and those of others ([Model.Infer]); [Open] opens one that was saved.
// Options.Events tell what happens meanwhile, from which package progress makes bars and
// logs. Package cluster trains on many machines, eval measures models, export writes
// them for other programs, and rank, topicmap, prevalence, compare and explore look at
// them.
//
// The letters of the literature are used everywhere: D documents, V words in
// the vocabulary, N tokens, K topics; z is the topic of a token; n_dk, n_wk and
// n_k count the tokens of topic k in document d, of word w, and in all; α_k and
// β are the Dirichlet priors; θ_dk = (n_dk + α_k)/(N_d + Σα) is the share of
// topic k in document d and φ_wk = (n_wk + β)/(n_k + Vβ) that of word w in topic
// k. Topics are numbered from 0 and never renumbered. All log-likelihoods are
// in nats.
package topoi
