# What people call with the models of other packages: methods of R's own generics, and
# generics with the names that topicmodels has.

topics <- function(x, ...) UseMethod("topics")
posterior <- function(object, newdata, ...) UseMethod("posterior")
perplexity <- function(object, newdata, ...) UseMethod("perplexity")

terms.topoi_model <- function(x, k = 1, order = "probability", ...) {
  found <- listed(x, words = k, order = order, sort = "id", ...)
  words <- vapply(
    found,
    function(t) vapply(t$words, function(w) w$term, "")[seq_len(k)],
    character(k)
  )
  if (k == 1) {
    return(stats::setNames(as.vector(words), topic_titles(x)))
  }
  matrix(words, k, dimnames = list(NULL, topic_titles(x)))
}

topic_titles <- function(model) paste("Topic", seq_len(model$manifest$topics))

topics.topoi_model <- function(x, k = 1, ...) {
  theta <- topoi_theta(x)
  k <- min(k, ncol(theta))
  best <- apply(theta, 1, function(row) order(-row)[seq_len(k)])
  if (k == 1) {
    return(stats::setNames(as.vector(best), rownames(theta)))
  }
  matrix(best, k, dimnames = list(NULL, rownames(theta)))
}

posterior.topoi_model <- function(object, newdata, ...) {
  list(
    terms = topoi_phi(object),
    topics = if (missing(newdata)) topoi_theta(object) else topoi_infer(object, newdata, ...)
  )
}

predict.topoi_model <- function(object, newdata, type = c("shares", "topic"), ...) {
  type <- match.arg(type)
  theta <- if (missing(newdata)) topoi_theta(object) else topoi_infer(object, newdata, ...)
  if (type == "shares") theta else stats::setNames(max.col(theta, "first"), rownames(theta))
}

logLik.topoi_model <- function(object, ...) {
  value <- glance(object)$log_likelihood * object$manifest$tokens
  structure(value, df = NA_integer_, nobs = object$manifest$tokens, class = "logLik")
}

perplexity.topoi_model <- function(object, newdata, vocabulary = NULL, ...) {
  if (missing(newdata)) {
    newdata <- file.path(place(object), "corpus.topoi")
  }
  score <- on_documents(object, newdata, vocabulary, function(inputs, folder) {
    measures(object, inputs, estimator = "completion", ...)
  })
  exp(-score[["document"]])
}

summary.topoi_model <- function(object, words = 7, ...) {
  structure(
    list(model = glance(object), topics = topoi_topics(object, words = words, ...)),
    class = "summary.topoi_model"
  )
}

print.summary.topoi_model <- function(x, ...) {
  m <- x$model
  cat(sprintf(
    "%d topics of %d words in %d documents (%.0f tokens), %d sweeps\n",
    m$topics,
    m$terms,
    m$documents,
    m$tokens,
    m$iter
  ))
  cat(sprintf(
    "log-likelihood %.4f nats per token; sum of alpha %.3g, beta %.3g\n\n",
    m$log_likelihood,
    m$alpha,
    m$beta
  ))
  t <- x$topics
  label <- ifelse(is.na(t$topic_label), "", paste0(" ", t$topic_label, ":"))
  cat(sprintf("%4d %5.1f %%%s %s\n", t$topic, 100 * t$share, label, t$words), sep = "")
  invisible(x)
}

plot.topoi_model <- function(
  x,
  words = 3,
  order = "probability",
  main = "Shares of topics",
  xlab = "share of all tokens",
  ...
) {
  table <- topoi_topics(x, words = words, order = order)
  table <- table[rev(seq_len(nrow(table))), ]
  name <- ifelse(
    is.na(table$topic_label),
    gsub(" ", ", ", table$words, fixed = TRUE),
    table$topic_label
  )
  at <- graphics::barplot(
    table$share,
    horiz = TRUE,
    main = main,
    xlab = xlab,
    xlim = c(0, 2 * max(table$share)),
    ...
  )
  graphics::text(table$share, at, paste0(" ", table$topic, ": ", name), adj = 0)
  invisible(table)
}
