# Texts about known themes, the same in every run.
themes <- list(
  c("cat", "dog", "pet", "fur", "paw", "tail", "kitten", "puppy"),
  c("stock", "bank", "money", "loan", "fund", "rate", "credit", "bond"),
  c("rain", "wind", "snow", "storm", "cloud", "frost", "thunder", "hail")
)

some_texts <- function(n = 90, length = 25) {
  set.seed(1, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  vapply(
    seq_len(n),
    function(i) paste(sample(themes[[(i - 1) %% 3 + 1]], length, replace = TRUE), collapse = " "),
    ""
  )
}

texts <- some_texts()
model <- topoi_train(texts, 3, iterations = 50, seed = 2, min_df = 1, max_df = 1, progress = FALSE)

# counts_of returns texts as a matrix, and the words in the order of their numbers in topoi.
counts_of <- function(texts) {
  words <- strsplit(texts, " ")
  table <- table(unlist(words))
  vocabulary <- names(table)[order(-as.integer(table), names(table), method = "radix")]
  Matrix::sparseMatrix(
    i = rep(seq_along(words), lengths(words)),
    j = match(unlist(words), vocabulary),
    x = 1,
    dims = c(length(texts), length(vocabulary)),
    dimnames = list(NULL, vocabulary)
  )
}

command <- function(...) system2(topoi_binary(), c(...), stdout = TRUE, stderr = FALSE)

withr_dir <- function() {
  dir <- tempfile("test-")
  dir.create(dir)
  dir
}

withr_options <- function(new, code) {
  old <- options(new)
  on.exit(options(old))
  force(code)
}
