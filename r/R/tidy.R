# Tidy tables, with the columns that tidytext has for topic models. Topics count from
# 1; topic_id is the number that the program and all its other outputs have.

tidy.topoi_model <- function(x, matrix = c("beta", "gamma"), log = FALSE, ...) {
  matrix <- match.arg(matrix)
  k <- x$manifest$topics
  values <- if (matrix == "beta") topoi_phi(x) else t(topoi_theta(x)) # a row for each topic
  if (log) {
    values <- log(values)
  }
  names <- if (matrix == "beta") words_of(x) else names_of(x)
  topic <- rep(seq_len(k), times = length(names))
  if (matrix == "beta") {
    return(tibble::tibble(
      topic = topic,
      term = rep(names, each = k),
      beta = as.vector(values),
      topic_id = topic - 1L
    ))
  }
  # Documents vary fastest, as in tidytext.
  topic <- rep(seq_len(k), each = length(names))
  tibble::tibble(
    document = rep(names, times = k),
    topic = topic,
    gamma = as.vector(t(values)),
    topic_id = topic - 1L
  )
}

augment.topoi_model <- function(x, data = NULL, ...) {
  pairs <- assigned(x)
  if (is.null(data)) {
    return(pairs)
  }
  for (name in c("document", "term")) {
    if (!name %in% names(data)) {
      fail(
        "data has no column ",
        name,
        ": it needs document and term, as tidy() gives them of a document-term matrix"
      )
    }
  }
  at <- match(
    paste(data$document, data$term, sep = "\r"),
    paste(pairs$document, pairs$term, sep = "\r")
  )
  data$.topic <- pairs$.topic[at]
  data$.topic_id <- pairs$.topic_id[at]
  tibble::as_tibble(data)
}

# assigned returns for every word of every document the topic that most of its tokens
# have, the smallest number among equals.
assigned <- function(model) {
  lengths <- lengths_of(model)
  docs <- docs_of(model)
  tokens <- section_of(model, "tokens", "u32", 4)
  if (length(docs) < corpus_of(model)$docs) {
    ends <- section_of(model, "offsets", "u64", 8)
    tokens <- tokens[sequence(lengths, ends[docs] + 1)]
  }
  z <- array_of(model, "topics")
  doc <- rep(seq_along(lengths), lengths)
  order <- order(doc, tokens, z)
  doc <- doc[order]
  tokens <- tokens[order]
  z <- z[order]
  runs <- length(z)
  begins <- c(
    TRUE,
    doc[-1] != doc[-runs] | tokens[-1] != tokens[-runs] | z[-1] != z[-runs]
  )[seq_len(runs)]
  first <- which(begins)
  n <- diff(c(first, runs + 1L))
  triples <- data.frame(doc = doc[first], word = tokens[first], topic = z[first], n = n)
  best <- triples[order(triples$doc, triples$word, -triples$n, triples$topic), ]
  kept <- !duplicated(best[c("doc", "word")])
  count <- rowsum(triples$n, cumsum(!duplicated(triples[c("doc", "word")])))[, 1]
  best <- best[kept, ]
  tibble::tibble(
    document = names_of(model)[best$doc],
    term = words_of(model)[best$word + 1L],
    count = unname(count),
    .topic = best$topic + 1L,
    .topic_id = best$topic
  )
}

glance.topoi_model <- function(x, ...) {
  m <- x$manifest
  last <- m$history[NROW(m$history), ]
  score <- function(name) {
    if (is.null(last[[name]]) || length(last[[name]]) == 0) NA_real_ else as.numeric(last[[name]])
  }
  tibble::tibble(
    iter = m$iterations,
    terms = m$words,
    topics = m$topics,
    documents = m$docs,
    tokens = m$tokens,
    alpha = sum(array_of(x, "alpha")),
    beta = m$beta / draws_of(x),
    log_likelihood = score("log_likelihood_per_token"),
    heldout = score("heldout_per_token"),
    stopped = m$stopped,
    fingerprint = topoi_fingerprint(x)
  )
}
