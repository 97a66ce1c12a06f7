# What the program tells of a model, and what it does with one.

topoi_fingerprint <- function(model) strsplit(run(c("fingerprint", model$path)), " ")[[1L]][1L]

# listed returns what topoi topics --json writes.
listed <- function(model, ...) jsonlite::fromJSON(paste(run(c("topics", model$path, "--json", flags(list(...)))), collapse = "\n"), simplifyVector = FALSE)

topoi_topics <- function(model, words = 10, order = "probability", coherence = FALSE) {
  topics <- listed(model, words = words, order = order, coherence = if (coherence) TRUE)
  pick <- function(name, missing) vapply(topics, function(t) if (is.null(t[[name]])) missing else methods::as(t[[name]], class(missing)), missing)
  table <- tibble::tibble(
    topic = pick("topic", 0L) + 1L, topic_id = pick("topic", 0L), topic_label = pick("topic_label", NA_character_), share = pick("share", NA_real_),
    alpha = pick("alpha", NA_real_), tokens = pick("tokens", NA_real_),
    words = vapply(topics, function(t) paste(vapply(t$words, function(w) w$term, ""), collapse = " "), "")
  )
  if (coherence) {
    table$npmi <- pick("npmi", NA_real_)
    table$umass <- pick("umass", NA_real_)
  }
  table
}

topoi_thoughts <- function(model, topics = NULL, n = 3, texts = NULL) {
  found <- listed(model, words = 1, docs = n, sort = "id")
  if (!is.null(topics)) found <- found[topics]
  rows <- lapply(found, function(t) {
    if (length(t$docs) == 0) return(NULL)
    pick <- function(name) vapply(t$docs, function(d) if (is.null(d[[name]])) NA_character_ else as.character(d[[name]]), "")
    doc <- vapply(t$docs, function(d) as.integer(d$doc), 0L) + 1L
    tibble::tibble(
      topic = t$topic + 1L, topic_id = t$topic, rank = seq_along(t$docs), document = names_of(model)[match(doc, docs_of(model))], doc = doc,
      gamma = vapply(t$docs, function(d) d$theta, 0), title = pick("title"),
      text = if (is.null(texts)) pick("snippet") else as.character(texts)[doc]
    )
  })
  do.call(rbind, rows)
}

topoi_infer <- function(model, x, vocabulary = NULL, ...) {
  folder <- tempfile("topoi-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  if ((is.matrix(x) || methods::is(x, "Matrix")) && is.null(vocabulary) && is.null(colnames(x))) {
    if (ncol(x) != model$manifest$words) fail("the matrix has ", ncol(x), " columns without names, but the model has ", model$manifest$words, " words: name the columns")
    vocabulary <- words_of(model)
  }
  theta <- file.path(folder, "theta.npy")
  run(c("infer", model$path, prepare(x, folder, vocabulary = vocabulary), "--as=npy", "-o", theta, "--quiet", flags(list(...))))
  read_npy(theta)
}

# read_npy reads a matrix of float32 as the program writes it, rows one after the other.
read_npy <- function(path) {
  f <- file(path, "rb")
  on.exit(close(f))
  head <- readBin(f, "raw", 10)
  size <- as.integer(head[9]) + 256L * as.integer(head[10])
  dict <- rawToChar(readBin(f, "raw", size))
  shape <- as.numeric(strsplit(sub(".*'shape': \\(([0-9]+), *([0-9]+),?\\).*", "\\1 \\2", dict), " ")[[1L]][1:2])
  matrix(readBin(f, "double", prod(shape), 4, endian = "little"), shape[1], shape[2], byrow = TRUE, dimnames = list(NULL, topic_names(shape[2])))
}

topoi_explore <- function(model, file = tempfile("topoi-", fileext = ".html"), open = interactive(), ...) {
  run(c("explore", model$path, "-o", path.expand(file), "--overwrite", "--quiet", flags(list(...))))
  if (open) utils::browseURL(file)
  invisible(file)
}
