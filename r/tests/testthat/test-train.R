test_that("a model has the bytes that the command line gives it", {
  dir <- withr_dir()
  writeLines(texts, file.path(dir, "texts.txt"))
  command(
    "train",
    file.path(dir, "texts.txt"),
    "--format",
    "lines",
    "-k",
    3,
    "--iterations",
    50,
    "--seed",
    2,
    "--min-df",
    1,
    "--max-df",
    1,
    "-o",
    file.path(dir, "m")
  )
  want <- topoi_fingerprint(topoi_load(file.path(dir, "m")))
  expect_match(want, "^[0-9a-f]{32}$")
  expect_equal(topoi_fingerprint(model), want)
  train <- function(x, ...) {
    topoi_fingerprint(topoi_train(x, 3, iterations = 50, seed = 2, progress = FALSE, ...))
  }
  expect_equal(train(strsplit(texts, " ")), want)
  expect_equal(train(file.path(dir, "texts.txt"), format = "lines", min_df = 1, max_df = 1), want)
  expect_equal(train(data.frame(text = texts, other = "x"), min_df = 1, max_df = 1), want)
  counts <- counts_of(texts)
  expect_equal(train(counts), want)
  expect_equal(train(as.matrix(counts)), want)
  expect_equal(train(methods::as(counts, "RsparseMatrix"), threads = 1), want)
  triplets <- methods::as(counts, "TsparseMatrix")
  slam <- structure(
    class = c("DocumentTermMatrix", "simple_triplet_matrix"),
    list(
      i = triplets@i + 1L,
      j = triplets@j + 1L,
      v = triplets@x,
      nrow = nrow(counts),
      ncol = ncol(counts),
      dimnames = list(Docs = NULL, Terms = colnames(counts))
    )
  )
  expect_equal(train(slam), want)
})

test_that("what is known of documents is kept", {
  m <- topoi_train(
    texts,
    2,
    ids = sprintf("d%02d", seq_along(texts)),
    labels = rep("x", 90),
    titles = rep("t", 90),
    iterations = 5,
    progress = FALSE
  )
  expect_equal(tidy(m, "gamma")$document[2], "d02")
  counts <- counts_of(texts)
  rownames(counts) <- paste0("r", seq_along(texts))
  expect_equal(
    rownames(topoi_doc_topics(topoi_train(counts, 2, iterations = 5, progress = FALSE)))[90],
    "r90"
  )
  m <- topoi_train(c(texts, NA, "\"quoted\" \\ back"), 2, iterations = 5, progress = FALSE)
  expect_equal(m$manifest$docs, 92)
})

test_that("faults are sentences", {
  faults <- function(code, message) expect_error(code, message, class = "topoi_error")
  faults(
    topoi_train(texts, 3, iteration = 5),
    "^unknown argument iteration: did you mean iterations"
  )
  faults(topoi_train(character(), 3), "there are no documents")
  faults(topoi_train(matrix(0.5, 2, 2), 3), "row 1, column 1 holds 0.5")
  faults(topoi_train(matrix(c(1, 1, 1, -1), 2, 2), 3), "row 2, column 2 holds -1")
  faults(topoi_train(matrix(1, 2, 2, dimnames = list(NULL, c("a", "a"))), 3), "the name \"a\"")
  faults(
    topoi_train(matrix(1, 2, 2), 3, vocabulary = "a"),
    "vocabulary has 1 names, but the matrix has 2 columns"
  )
  faults(topoi_train(texts, 3, labels = "a"), "there are 1 labels for 90 documents")
  faults(topoi_train(quote(x), 3), "documents are of class name")
  faults(topoi_train(texts, 3, resume = TRUE), "needs the output")
  faults(topoi_load("nowhere"), "nowhere is no model of topoi")
  withr_options(
    list(topoi.binary = "/nowhere/topoi"),
    faults(topoi_train(texts, 3), "is no program")
  )
})

test_that("warnings of the program are told", {
  expect_warning(
    expect_warning(
      topoi_train(diag(3), 9, iterations = 2, progress = FALSE),
      "more topics \\(9\\) than training documents \\(3\\)"
    ),
    "than words"
  )
})

test_that("an interrupted run goes on with the same bytes", {
  skip_on_os("windows")
  # The program waits when a pipe full of events, some hundred sweeps, has not been read:
  # it cannot be done before it is interrupted.
  train <- function(...) {
    topoi_train(texts, 3, iterations = 2000, tolerance = 0, min_df = 1, max_df = 1, ...)
  }
  stop_at <- function(n) {
    function(event) {
      if (event$event == "iteration" && event$iteration == n) {
        tools::pskill(Sys.getpid(), tools::SIGINT)
      }
    }
  }
  dir <- withr_dir()
  stopped <- expect_error(
    train(output = file.path(dir, "m"), progress = stop_at(3)),
    "goes on",
    class = "topoi_interrupted"
  )
  expect_true(file.exists(stopped$checkpoint))
  begun <- NULL
  resumed <- train(output = file.path(dir, "m"), resume = TRUE, progress = function(event) {
    if (event$event == "start") begun <<- event$iteration
  })
  expect_gte(begun, 3)
  expect_equal(topoi_fingerprint(resumed), topoi_fingerprint(train(progress = FALSE)))
})

test_that("a bar is shown and events are told", {
  shown <- capture.output(topoi_train(texts, 2, iterations = 20, progress = TRUE), type = "message")
  expect_match(paste(shown, collapse = ""), "100%")
})
