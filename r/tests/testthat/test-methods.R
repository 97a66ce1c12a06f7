test_that("models have the methods that others have", {
  words <- terms(model, 5)
  expect_equal(dim(words), c(5, 3))
  expect_equal(colnames(words), paste("Topic", 1:3))
  expect_equal(words[1, ], terms(model))
  expect_equal(unname(words[, 2]), colnames(topoi_phi(model))[order(-topoi_phi(model)[2, ])][1:5])
  theta <- topoi_theta(model)
  expect_equal(unname(topics(model)), unname(apply(theta, 1, which.max)))
  expect_equal(topics(model, 2)[1, ], topics(model))
  expect_equal(names(topics(model))[90], "90")
  expect_equal(posterior(model), list(terms = topoi_phi(model), topics = theta))
  new <- c(first = "cat dog pet", second = "bank money loan")
  expect_equal(posterior(model, new)$topics, topoi_infer(model, new))
  expect_equal(predict(model, new), topoi_infer(model, new))
  expect_equal(predict(model), theta)
  expect_equal(names(predict(model, new, type = "topic")), c("first", "second"))
  expect_equal(unname(predict(model, new, type = "topic")), unname(max.col(predict(model, new))))
})

test_that("likelihood, perplexity and coherence are those of the program", {
  expect_equal(as.numeric(logLik(model)), glance(model)$log_likelihood * 2250)
  expect_equal(attr(logLik(model), "nobs"), 2250)
  dir <- withr_dir()
  writeLines(texts[1:30], file.path(dir, "new.txt"))
  said <- jsonlite::fromJSON(paste(
    command(
      "eval",
      model$path,
      file.path(dir, "new.txt"),
      "--format",
      "lines",
      "--estimator",
      "completion",
      "--json"
    ),
    collapse = "\n"
  ))
  expect_equal(perplexity(model, texts[1:30]), exp(-said$value))
  expect_gt(perplexity(model), 1)
  expect_equal(perplexity(model), perplexity(model, counts_of(texts)), tolerance = 1e-6)
  expect_named(topoi_coherence(model), c("npmi", "umass", "diversity"))
  expect_true("c_v" %in% names(topoi_coherence(model, texts, words = 5)))
  frex <- jsonlite::fromJSON(paste(
    command("topics", model$path, "--json", "--sort", "id", "--order", "frex", "--words", 3),
    collapse = "\n"
  ))
  expect_equal(unname(terms(model, 3, order = "frex")[, 1]), frex$words[[1]]$term)
})

test_that("a model is shown", {
  expect_output(
    print(summary(model, words = 4)),
    "3 topics of 24 words in 90 documents \\(2250 tokens\\)"
  )
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  shown <- plot(model)
  grDevices::dev.off()
  expect_equal(sort(shown$topic), 1:3)
  expect_gt(file.size(file), 2000)
  seen <- NULL
  withr_options(list(viewer = function(url) seen <<- url), topoi_explore(model, open = TRUE))
  expect_match(seen, "\\.html$")
  expect_true(any(grepl("<title>topics", readLines(seen, warn = FALSE))))
  seen <- NULL
  withr_options(
    list(viewer = function(url) seen <<- url, browser = function(url) {
      seen <<- paste("browser", url)
    }),
    {
      page <- tempfile(tmpdir = dirname(tempdir()), fileext = ".html") # where the viewer may not look
      topoi_explore(model, page, open = TRUE)
      unlink(page)
    }
  )
  expect_match(seen, "^browser file://")
})

test_that("topics get names", {
  named <- topoi_label(
    topoi_train(texts, 3, iterations = 5, progress = FALSE),
    c("2" = "pets and = more")
  )
  expect_equal(labels(named), c(NA, "pets and = more", NA))
  expect_equal(labels(topoi_label(named, c("a", NA, "c"))), c("a", "pets and = more", "c"))
  expect_equal(topoi_topics(named)$topic_label[topoi_topics(named)$topic == 2], "pets and = more")
  expect_equal(labels(topoi_label(named, c("1" = "", "2" = ""))), c(NA_character_, NA, "c"))
  expect_error(
    topoi_label(named, c(x = "a")),
    "expected numbers of topics from 1 to 3",
    class = "topoi_error"
  )
  expect_error(
    topoi_label(named, c("4" = "a")),
    "expected numbers of topics from 1 to 3",
    class = "topoi_error"
  )
  expect_error(topoi_label(named, "a"), "there are 1 labels for 3 topics", class = "topoi_error")
  expect_true("labels.json" %in% names(topoi_label(named, c("1" = "x"))$files)) # they go where the model goes
})

test_that("prevalence is a tidy table", {
  grouped <- topoi_train(
    texts,
    3,
    labels = rep(c("a", "b", "c"), 30),
    times = rep(2001:2010, 9),
    iterations = 20,
    progress = FALSE
  )
  table <- topoi_prevalence(grouped, replicates = 20)
  expect_named(
    table,
    c("label", "topic", "topic_id", "share", "low", "high", "tokens", "total", "docs")
  )
  expect_equal(as.vector(tapply(table$share, table$label, sum)), rep(1, 3))
  expect_equal(table$topic_id, table$topic - 1L)
  both <- topoi_prevalence(
    grouped,
    by = c("label", "time"),
    bins = "year",
    topics = 2,
    replicates = 20
  )
  expect_equal(unique(both$topic), 2L)
  expect_equal(sort(unique(both$time)), as.character(2001:2010))
  expect_error(topoi_prevalence(grouped, topics = 4), "numbers from 1 to 3", class = "topoi_error")
  expect_error(topoi_prevalence(model), "label_field", class = "topoi_error")
})

test_that("a sweep compares numbers of topics", {
  swept <- topoi_sweep(
    texts,
    c(2, 3),
    seeds = 2,
    iterations = 10,
    min_df = 1,
    max_df = 1,
    pages = "none",
    progress = FALSE
  )
  expect_equal(swept$runs$topics, c(2, 2, 3, 3))
  expect_true(swept$recommendation$topics %in% 2:3)
  expect_output(print(swept), "recommended: [23] topics")
  grDevices::pdf(NULL)
  expect_equal(plot(swept)$topics, 2:3)
  grDevices::dev.off()
  expect_equal(topoi_load(file.path(swept$path, "models", "k3-seed1"))$manifest$topics, 3)
  expect_match(readLines(topoi_explore(swept, open = FALSE), n = 1, warn = FALSE), "doctype html")
  expect_error(topoi_sweep(texts), "numbers of topics are missing", class = "topoi_error")
})

test_that("saveRDS keeps a model", {
  dir <- withr_dir()
  small <- topoi_train(texts, 3, iterations = 5, progress = FALSE)
  topoi_theta(small) # what is computed of a model is not saved
  saveRDS(small, file.path(dir, "model.rds"))
  saveRDS(topoi_save(small, file.path(dir, "kept")), file.path(dir, "kept.rds"))
  theta <- topoi_infer(small, texts[1:3])
  code <- paste0(
    "library(topoi); m <- readRDS('model.rds'); print(m); t <- topoi_infer(m, readLines('texts.txt')); k <- readRDS('kept.rds');",
    "stopifnot(identical(topoi_fingerprint(k), topoi_fingerprint(m)), identical(topoi_theta(k), topoi_theta(m)));",
    "topoi_save(m, 'again'); file.rename('kept', 'moved'); print(k); f <- tryCatch(topoi_theta(k), error = conditionMessage); saveRDS(list(t, f), 'out.rds')"
  )
  writeLines(texts[1:3], file.path(dir, "texts.txt"))
  old <- setwd(dir)
  on.exit(setwd(old))
  shown <- system2(
    file.path(R.home("bin"), "Rscript"),
    c("-e", shQuote(code)),
    stdout = TRUE,
    stderr = TRUE
  )
  expect_match(shown[1], "in this object>|/model>")
  out <- readRDS("out.rds")
  expect_equal(out[[1]], theta)
  expect_match(out[[2]], "kept, which is not there: topoi_load\\(\\) opens it where it is now")
  expect_equal(topoi_fingerprint(topoi_load("again")), topoi_fingerprint(small))
})

test_that("a model that went with its session says so, or carries itself", {
  lost <- topoi_train(texts, 3, iterations = 5, progress = FALSE)
  want <- topoi_fingerprint(lost)
  unlink(dirname(lost$path), recursive = TRUE)
  expect_output(print(lost), "in this object>")
  expect_equal(topoi_fingerprint(lost), want)
  expect_message(
    withr_options(
      list(topoi.carry = 10),
      large <- topoi_train(texts, 3, iterations = 5, progress = FALSE)
    ),
    "saveRDS\\(\\) does not keep it: topoi_save"
  )
  unlink(dirname(large$path), recursive = TRUE)
  expect_output(print(large), "not there")
  expect_error(
    topoi_theta(large),
    "which is not there: .* topoi_save\\(model",
    class = "topoi_error"
  )
})

test_that("saving replaces models alone", {
  dir <- withr_dir()
  path <- file.path(dir, "m")
  expect_equal(topoi_save(model, path)$path, normalizePath(path))
  expect_error(
    topoi_save(model, path),
    "exists already: choose another name, or overwrite = TRUE",
    class = "topoi_error"
  )
  expect_equal(
    topoi_fingerprint(topoi_save(model, path, overwrite = TRUE)),
    topoi_fingerprint(model)
  )
  expect_equal(list.files(dir, all.files = TRUE, no.. = TRUE), "m")
  expect_error(
    topoi_save(model, dir, overwrite = TRUE),
    "is no model, and is not replaced",
    class = "topoi_error"
  )
  expect_error(topoi_save(model, file.path(dir, "no", "m")), "cannot write", class = "topoi_error")
})

test_that("messages speak R", {
  said <- function(code) tryCatch(code, topoi_error = conditionMessage)
  for (message in c(
    said(topoi_train(texts, 0)),
    said(topoi_train(texts, 3, iteration = 5)),
    said(topoi_train(texts, 3, sampler = "wrap")),
    said(topoi_train(texts, 3, min_df = -1)),
    said(topoi_train(rep("the", 5), 3)),
    said(topoi_topics(model, words = 0)),
    said(topoi_topics(model, order = "best")),
    said(topoi_topics(model, lambda = 2, order = "relevance")),
    said(topoi_prevalence(model)),
    said(topoi_train(model$path, 3)),
    said(topoi_train(texts, 3, output = model$path)),
    said(topoi_infer(model, texts, iterations = -1))
  )) {
    expect_type(message, "character")
    expect_no_match(message, "(^|\\s)--?[a-z]")
  }
  expect_match(said(topoi_train(texts, 0)), "^k is 0")
  expect_match(said(topoi_train(texts, 3, output = model$path)), "overwrite = TRUE")
  expect_match(said(topoi_train(texts, 3, 5)), "an argument has no name")
  expect_match(said(topoi_train(texts, 3, min_df = NA)), "min_df is NA")
  expect_match(said(topoi_train(texts)), "the number of topics is missing")
  for (k in list(2.5, "3", 2:3, NA, NULL, 0)) {
    expect_match(said(topoi_train(texts, k)), "^k is .*, expected the number of topics")
  }
  expect_match(
    said(topoi_topics("news.model")),
    "^model is of class character, expected .*: topoi_load\\(\\) opens"
  )
  expect_match(said(topoi_theta(NULL)), "^model is of class NULL")
  expect_match(said(topoi_save(model, NA)), "^path is NA, expected the name")
  expect_match(
    said(topoi_train(data.frame(a = 1:3, b = letters[1:3]), 2)),
    "^document 1: no field holds text or tokens; found .*; name the field with text_field or tokens_field"
  )
  expect_equal(nrow(topics(model, 9)), 3)
})
