# Documents as people have them: each kind is read as what it is, or refused by a sentence.

docs <- rep(
  list(c("cat", "dog", "cat"), c("bank", "loan"), character(), c("rain", "dog", "hail", "rain")),
  5
)
joined <- vapply(docs, paste, "", collapse = " ")
train <- function(x, ...) topoi_train(x, 2, iterations = 2, progress = FALSE, ...)
all_words <- function(x, ...) train(x, min_df = 1, max_df = 1, ...)

# contents returns the words of every document of a model, sorted.
contents <- function(model) {
  ends <- topoi:::section_of(model, "offsets", "u64", 8)
  words <- topoi:::words_of(model)[topoi:::section_of(model, "tokens", "u32", 4) + 1L]
  lapply(seq_len(length(ends) - 1L), function(d) {
    sort(words[seq_len(ends[d + 1] - ends[d]) + ends[d]], method = "radix")
  })
}
want <- lapply(docs, sort, method = "radix")
ids_of <- function(model) rownames(topoi_doc_topics(model))

test_that("corpora and matrices of tm are read", {
  skip_if_not_installed("tm")
  corpus <- tm::VCorpus(tm::VectorSource(joined))
  read <- all_words(corpus)
  expect_equal(contents(read), want)
  expect_equal(ids_of(read)[3], "3")
  expect_equal(contents(all_words(tm::SimpleCorpus(tm::VectorSource(joined)))), want)
  named <- tm::VCorpus(tm::DataframeSource(data.frame(
    doc_id = sprintf("d%d", 1:20),
    text = joined
  )))
  expect_equal(ids_of(all_words(named))[20], "d20")
  lines <- tm::VCorpus(tm::VectorSource(list(c("cat dog", "cat"), "bank loan")))
  expect_equal(contents(all_words(lines)), want[1:2])
  dtm <- tm::DocumentTermMatrix(corpus)
  expect_equal(contents(train(dtm)), want)
  expect_equal(contents(train(t(dtm))), want) # a TermDocumentMatrix
  expect_error(
    train(tm::weightTfIdf(dtm[c(1, 2, 4), ])),
    "holds .* before any weighting",
    class = "topoi_error"
  )
})

# These are built as quanteda 4 builds them (its object-builder.R).
docvars <- data.frame(docname_ = sprintf("text%d", 1:20), docid_ = factor(1:20), segid_ = 1L)
types <- unique(unlist(docs))

test_that("corpora, tokens and matrices of quanteda are read", {
  corpus <- structure(
    joined,
    names = docvars$docname_,
    class = c("corpus", "character"),
    docvars = docvars,
    meta = list(user = list())
  )
  read <- all_words(corpus)
  expect_equal(contents(read), want)
  expect_equal(ids_of(read)[20], "text20")
  padded <- lapply(docs, function(d) c(match(d, types), 0L)) # 0 is what tokens_remove(padding = TRUE) leaves
  tokens <- structure(
    padded,
    names = docvars$docname_,
    class = "tokens",
    types = types,
    padding = TRUE,
    docvars = docvars,
    meta = list()
  )
  read <- train(tokens)
  expect_equal(contents(read), want)
  expect_equal(ids_of(read)[20], "text20")
  dfm <- methods::setClass(
    "test_dfm",
    slots = c(docvars = "data.frame", meta = "list"),
    contains = "dgCMatrix"
  )
  i <- rep(seq_along(docs), lengths(docs))
  matrix <- Matrix::sparseMatrix(
    i = i,
    j = match(unlist(docs), types),
    x = 1,
    dims = c(20, length(types))
  )
  made <- dfm(matrix, docvars = docvars, meta = list())
  made@Dimnames <- list(docs = docvars$docname_, features = types)
  read <- train(made)
  expect_equal(contents(read), want)
  expect_equal(ids_of(read)[20], "text20")
  pointer <- structure(list(), class = c("tokens_xptr", "tokens"))
  expect_error(train(pointer), "quanteda::as.tokens", class = "topoi_error")
})

test_that("quanteda itself is read", {
  skip_if_not_installed("quanteda")
  name <- "quanteda" # no package that the tests need
  quanteda <- asNamespace(name)
  corpus <- quanteda$corpus(stats::setNames(joined, docvars$docname_))
  tokens <- quanteda$tokens(corpus)
  for (x in list(
    corpus,
    tokens,
    quanteda$dfm(tokens),
    quanteda$tokens_remove(tokens, "nothing", padding = TRUE)
  )) {
    model <- all_words(x)
    expect_equal(contents(model), want)
    expect_equal(ids_of(model)[20], "text20")
  }
  expect_error(train(quanteda$as.tokens_xptr(tokens)), "quanteda::as.tokens", class = "topoi_error")
})

test_that("numbers of words with counts are read", {
  pairs <- lapply(docs, function(d) {
    n <- table(factor(d, types))
    n <- n[n > 0]
    rbind(match(names(n), types), as.integer(n))
  })
  expect_equal(contents(train(pairs, vocabulary = types)), want) # stm
  expect_equal(contents(train(list(documents = pairs, vocab = types, meta = NULL))), want) # prepDocuments of stm
  expect_equal(
    contents(train(lapply(pairs, function(p) rbind(p[1, ] - 1L, p[2, ])), vocabulary = types)),
    want
  ) # lda
  expect_error(train(pairs), "give the words as vocabulary", class = "topoi_error")
  expect_error(
    train(pairs, vocabulary = types[1:3]),
    "but vocabulary has 3 words",
    class = "topoi_error"
  )
  expect_error(
    train(pairs, vocabulary = c(types, "more")),
    "may begin at 0 or at 1",
    class = "topoi_error"
  )
})

test_that("data frames are read", {
  expect_equal(contents(all_words(data.frame(doc_id = sprintf("d%d", 1:20), text = joined))), want)
  expect_equal(contents(all_words(tibble::tibble(text = factor(joined)))), want)
  long <- data.frame(document = rep(1:20, lengths(docs)), word = unlist(docs), n = 1L) # a row for each word
  expect_equal(contents(train(long)), want[lengths(docs) > 0])
  names(long) <- c("doc_id", "term", "count")
  expect_equal(ids_of(train(tibble::as_tibble(long)))[3], "4") # document 3 is empty
  counts <- data.frame(a = c(1, 0, 2), b = c(0, 1, 0), row.names = c("x", "y", "z"))
  read <- train(counts)
  expect_equal(contents(read), list("a", "b", c("a", "a")))
  expect_equal(ids_of(read), c("x", "y", "z"))
  expect_error(
    train(data.frame(text = character())),
    "there are no documents",
    class = "topoi_error"
  )
  long$term[2] <- NA
  expect_error(train(long), "column term has a missing value in row 2", class = "topoi_error")
})

test_that("vectors and lists of many kinds are read", {
  expect_equal(contents(all_words(factor(joined))), want)
  expect_equal(contents(all_words(as.list(joined))), want) # a text each, not a word
  expect_equal(ids_of(all_words(stats::setNames(joined, letters[1:20])))[2], "b")
  expect_equal(contents(train(lapply(docs, factor))), want)
  expect_equal(
    contents(train(c(docs, list(NULL, NA, c("cat", NA, ""))))),
    c(want, list(character(), character(), "cat"))
  )
  expect_equal(
    contents(train(unclass(table(c("a", "b", "b"), c("x", "y", "y"))))),
    list("x", c("y", "y"))
  )
  expect_equal(
    contents(train(table(doc = c("a", "b", "b"), word = c("x", "y", "y")))),
    list("x", c("y", "y"))
  )
  square <- matrix(c(1, 5, 5, 0), 2, dimnames = list(NULL, c("x", "y"))) # symmetric by chance
  expect_equal(contents(train(square)), list(c("x", rep("y", 5)), rep("x", 5)))
  expect_equal(sum(topoi_topic_words(train(matrix(c(100000, 1, 1, 1), 2)))), 100003) # not 1e+05
})

test_that("files are read", {
  dir <- withr_dir()
  paths <- file.path(dir, c("a.txt", "b.txt"))
  for (path in paths) {
    writeLines(joined, path)
  }
  expect_equal(all_words(paths, format = "lines")$manifest$docs, 40)
  expect_equal(all_words(paths[1], format = "lines")$manifest$docs, 20)
  expect_error(
    train(file.path(dir, "no.csv")),
    "there is no file \".*no.csv\"",
    class = "topoi_error"
  )
})

test_that("letters arrive in every encoding and locale", {
  umlaut <- "m\u00fcll \u4e2d \\ \"quoted\" \u0001 tab\there"
  latin <- iconv("m\u00fcll", "UTF-8", "latin1")
  expect_equal(Encoding(latin), "latin1")
  words <- function(...) train(list(c("x", ...), "x"))
  expect_true("m\u00fcll" %in% contents(words(latin))[[1]])
  bytes <- "m\xc3\xbcll" # not marked, as readLines() leaves it in the locale C
  expect_true("m\u00fcll" %in% contents(words(bytes))[[1]])
  expect_error(
    train(c("a", "m\xfcll")),
    "^document 2 is not in UTF-8: say what it is in",
    class = "topoi_error"
  )
  expect_error(
    train(list("a", c("b", "m\xfcll"))),
    "^document 2 is not in UTF-8",
    class = "topoi_error"
  )
  expect_error(
    train(data.frame(text = c("a", "m\xfcll"))),
    "^row 2, column text is not in UTF-8",
    class = "topoi_error"
  )
  written <- topoi:::json_strings(umlaut, 1)
  Encoding(written) <- "UTF-8"
  expect_equal(jsonlite::fromJSON(written), umlaut)
  expect_equal(jsonlite::fromJSON(topoi:::json_strings(c(a = NA), 1)), "")
})

test_that("long vectors take little time", {
  x <- rep(joined, 2000)
  expect_lt(system.time(topoi:::prepare(x, withr_dir()))[["elapsed"]], 10)
  expect_lt(system.time(topoi:::prepare(rep(docs, 500), withr_dir()))[["elapsed"]], 10)
})

test_that("what is no document is refused", {
  faults <- function(x, message, ...) expect_error(train(x, ...), message, class = "topoi_error")
  faults(1:3, "^documents are of class integer, expected texts")
  faults(NA, "^documents are of class logical")
  faults(NULL, "^documents are of class NULL")
  faults(mean, "^documents are of class function")
  faults(as.Date("2024-01-01"), "^documents are of class Date")
  faults(list("a", 2), "^document 2 is of class numeric, expected a character vector")
  faults(list("a", list("b")), "^document 2 is of class list")
  faults(matrix("a text", 2, 1), "^documents are a matrix of type character, expected counts")
  faults(structure(list(1), class = "unknown"), "^documents are of class unknown")
  faults(joined, "^vocabulary names the columns", vocabulary = "a")
  faults(matrix(c(1, NA), 1), "^row 1, column 2 holds NA, a missing value")
  faults(matrix(c(1, Inf), 1), "^row 1, column 2 holds Inf, but counts")
  faults(matrix(1:2, 1, dimnames = list(NULL, c("a", NA))), "vocabulary has the name")
})

test_that("one text is one document", {
  dir <- withr_dir()
  old <- setwd(dir)
  on.exit(setwd(old))
  expect_equal(dim(topoi_infer(model, "cat dog kitten")), c(1, 3))
  dir.create("cat")
  expect_equal(dim(topoi_infer(model, "cat")), c(1, 3))
  expect_error(topoi_infer(model, "new.csv"), "there is no file", class = "topoi_error")
  expect_equal(rownames(topoi_infer(model, c(a = "cat", b = "bank"))), c("a", "b"))
})

test_that("stop words may be words", {
  expect_false(any(
    c("cat", "dog") %in% unlist(contents(all_words(joined, stopwords = c("cat", "dog"))))
  ))
  expect_equal(length(unique(unlist(contents(all_words(joined, stopwords = "cat"))))), 5)
})

test_that("a matrix is read by a session that has not used the package Matrix yet", {
  code <- "m <- topoi::topoi_train(matrix(1:4, 2), 2, iterations = 2, progress = FALSE); cat(m$manifest$tokens)"
  expect_equal(
    system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code)), stdout = TRUE),
    "10"
  )
})
