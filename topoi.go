// Package topoi holds topic models (latent Dirichlet allocation, Blei, Ng and Jordan 2003) and finds the topics of new
// documents. Package train trains them on one core, all cores or a GPU, and package cluster on many machines. A run is
// a pure function of corpus, options and seed: threads, devices, interruptions and restarts never change a byte of the
// model.
//
// Four calls take you from a file to the topics of a new text:
//
//	c, _, err := corpus.Load(ctx, []string{"articles.csv"}, corpus.ImportOptions{})
//	m, err := train.Run(ctx, c, topoi.Options{Topics: 100})
//	err = m.Save("articles.model", topoi.SaveOptions{})
//	d, err := m.InferText(ctx, "an unseen text", topoi.InferOptions{})
//
// [corpus.FromTexts] and [corpus.FromTokens] take documents from memory. A [Model] gives you its topics
// ([Model.Summary], [Model.TopWords], [Model.Phi]), the topics of its training documents ([Model.Theta]) and
// those of new documents ([Model.Infer]). [Open] opens a saved model. Options.Events report progress; package
// progress makes bars and logs from them. Package eval measures models, export writes them for other programs, and rank,
// topicmap, prevalence, compare and explore describe them.
//
// Names follow the literature: there are D documents, V words in the vocabulary, N tokens and K topics. z is the topic
// of a token. n_dk, n_wk and n_k count the tokens of topic k in document d, of word w, and in all. α_k and β are the
// Dirichlet priors. θ_dk = (n_dk + α_k)/(N_d + Σα) is the share of topic k in document d, and φ_wk = (n_wk + β)/(n_k +
// Vβ) that of word w in topic k. Topics are numbered from 0 and never renumbered. All log-likelihoods are in nats.
package topoi
