test_that("shares are those that the program exports", {
  for (m in list(model, topoi_train(texts, 4, iterations = 20, holdout = 0.3, progress = FALSE))) {
    dir <- file.path(withr_dir(), "out")
    command("export", m$path, "--format", "npy-doc-topics", "-o", dir)
    docs <- read.csv(file.path(dir, "docs.csv"))
    want <- topoi:::read_npy(file.path(dir, "theta.npy"))
    theta <- topoi_theta(m)
    expect_equal(unname(theta), unname(want), tolerance = 1e-6)
    expect_equal(rownames(theta), as.character(docs$doc + 1))
    expect_s4_class(topoi_doc_topics(m), "dgCMatrix")
    expect_equal(sum(topoi_doc_topics(m)), m$manifest$tokens)
  }
  phi <- topoi_phi(model)
  expect_equal(unname(rowSums(phi)), rep(1, 3))
  expect_equal(sum(topoi_topic_words(model)), model$manifest$tokens)
  first <- jsonlite::fromJSON(paste(
    command("topics", model$path, "--json", "--sort", "id", "--words", 4),
    collapse = "\n"
  ))
  for (k in 1:3) {
    expect_equal(unname(phi[k, first$words[[k]]$term]), first$words[[k]]$phi, tolerance = 1e-9)
  }
})

test_that("tidy tables have the columns of tidytext, and topic_id beside", {
  beta <- tidy(model)
  expect_named(beta, c("topic", "term", "beta", "topic_id"))
  expect_equal(nrow(beta), 3 * 24)
  expect_equal(as.vector(tapply(beta$beta, beta$topic, sum)), rep(1, 3))
  expect_equal(beta$topic_id, beta$topic - 1L)
  expect_equal(beta$beta[5], unname(topoi_phi(model)[2, 2]))
  gamma <- tidy(model, matrix = "gamma")
  expect_named(gamma, c("document", "topic", "gamma", "topic_id"))
  expect_equal(as.vector(tapply(gamma$gamma, gamma$document, sum)), rep(1, 90))
  expect_equal(gamma$gamma[91], unname(topoi_theta(model)[1, 2]))
  expect_equal(tidy(model, "beta", log = TRUE)$beta, log(beta$beta))
  expect_s3_class(beta, "tbl_df")
})

test_that("tidytext makes the same tables of the same numbers", {
  skip_if_not_installed("tidytext")
  skip_if_not_installed("reshape2")
  # A model of the package stm is a list, of which tidytext looks at these parts.
  stm <- structure(
    class = "STM",
    list(
      beta = list(logbeta = list(unname(log(topoi_phi(model))))),
      vocab = colnames(topoi_phi(model)),
      theta = unname(topoi_theta(model))
    )
  )
  for (matrix in c("beta", "gamma")) {
    theirs <- tidytext:::tidy.STM(stm, matrix)
    ours <- tidy(model, matrix)
    expect_named(theirs, names(ours)[1:3])
    expect_equal(as.data.frame(ours[1:3]), as.data.frame(theirs))
  }
})

test_that("augment says which topic words have", {
  found <- augment(model)
  expect_named(found, c("document", "term", "count", ".topic", ".topic_id"))
  expect_equal(sum(found$count), model$manifest$tokens)
  counts <- counts_of(texts)
  expect_equal(nrow(found), length(counts@x))
  i <- cbind(as.integer(found$document), match(found$term, colnames(counts)))
  expect_equal(found$count, as.integer(counts[i]))
  # Each theme has one topic, which nearly all of its words have.
  theme <- (as.integer(found$document) - 1) %% 3
  expect_gt(sum(apply(table(theme, found$.topic), 1, max)) / nrow(found), 0.95)
  given <- augment(model, data.frame(document = c(1, 1), term = c("nothing", found$term[1])))
  expect_equal(given$.topic, c(NA, found$.topic[1]))
  held <- topoi_train(
    texts,
    3,
    iterations = 20,
    holdout = 0.3,
    min_df = 1,
    max_df = 1,
    progress = FALSE
  )
  part <- augment(held)
  i <- cbind(as.integer(part$document), match(part$term, colnames(counts)))
  expect_equal(part$count, as.integer(counts[i]))
})

test_that("glance has one row", {
  g <- glance(model)
  expect_equal(nrow(g), 1)
  expect_equal(c(g$topics, g$terms, g$documents, g$tokens), c(3, 24, 90, 90 * 25))
  expect_lt(g$log_likelihood, 0)
  expect_equal(g$fingerprint, topoi_fingerprint(model))
})

test_that("topics, thoughts, inference and the page", {
  table <- topoi_topics(model, words = 4, coherence = TRUE)
  expect_equal(sort(table$topic), 1:3)
  expect_equal(table$topic_id, table$topic - 1L)
  expect_true(all(diff(table$share) <= 0))
  expect_equal(lengths(strsplit(table$words, " ")), rep(4L, 3))
  thoughts <- topoi_thoughts(model, n = 2, texts = texts)
  expect_equal(thoughts$text, texts[thoughts$doc])
  expect_equal(thoughts$document, thoughts$doc) # without ids, documents are numbers as in all tables of R
  expect_equal(
    thoughts$gamma,
    unname(topoi_theta(model)[cbind(thoughts$doc, thoughts$topic)]),
    tolerance = 1e-6
  )
  expect_equal(unique(topoi_thoughts(model, topics = 2)$topic), 2)
  theta <- topoi_infer(model, c("cat dog pet", "unknown", "bank money loan"))
  expect_equal(dim(theta), c(3, 3))
  expect_equal(rowSums(theta), rep(1, 3), tolerance = 1e-6)
  counts <- counts_of(texts)
  expect_equal(topoi_infer(model, counts[1:2, ]), topoi_infer(model, texts[1:2]))
  expect_error(topoi_infer(model, matrix(1, 1, 2)), "without names", class = "topoi_error")
  page <- topoi_explore(model, file.path(withr_dir(), "p.html"), open = FALSE)
  expect_match(readLines(page, n = 1), "doctype html")
  expect_output(print(model), "<topoi_model: 3 topics, 24 words, 90 documents")
})

test_that("damage is told", {
  dir <- withr_dir()
  file.copy(model$path, dir, recursive = TRUE)
  copy <- file.path(dir, basename(model$path))
  writeBin(raw(3), file.path(copy, "topics.u16"))
  expect_error(
    topoi_theta(topoi_load(copy)),
    "topics.u16 has 3 bytes, expected",
    class = "topoi_error"
  )
  writeLines("{}", file.path(copy, "manifest.json"))
  expect_error(topoi_load(copy), "is no model", class = "topoi_error")
})
