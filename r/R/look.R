# What the program tells of a model, and what it does with one.

topoi_fingerprint <- function(model) {
  strsplit(run(c("info", "--fingerprint", place(model))), " ")[[1L]][1L]
}

# listed returns what topoi topics --json writes.
listed <- function(model, ...) {
  jsonlite::fromJSON(
    paste(run(c("topics", place(model), "--json", flags(list(...)))), collapse = "\n"),
    simplifyVector = FALSE
  )
}

topoi_topics <- function(model, words = 10, order = "probability", coherence = FALSE, ...) {
  topics <- listed(model, words = words, order = order, coherence = if (coherence) TRUE, ...)
  pick <- function(name, missing) {
    vapply(
      topics,
      function(t) if (is.null(t[[name]])) missing else methods::as(t[[name]], class(missing)),
      missing
    )
  }
  table <- tibble::tibble(
    topic = pick("topic", 0L) + 1L,
    topic_id = pick("topic", 0L),
    topic_label = pick("topic_label", NA_character_),
    share = pick("share", NA_real_),
    alpha = pick("alpha", NA_real_),
    tokens = pick("tokens", NA_real_),
    words = vapply(
      topics,
      function(t) paste(vapply(t$words, function(w) w$term, ""), collapse = " "),
      ""
    )
  )
  if (coherence) {
    table$npmi <- pick("npmi", NA_real_)
    table$umass <- pick("umass", NA_real_)
  }
  table
}

topoi_thoughts <- function(model, topics = NULL, n = 3, texts = NULL) {
  found <- listed(model, words = 1, docs = n, sort = "id")
  if (!is.null(topics)) {
    found <- found[topics]
  }
  rows <- lapply(found, function(t) {
    if (length(t$docs) == 0) {
      return(NULL)
    }
    pick <- function(name) {
      vapply(
        t$docs,
        function(d) if (is.null(d[[name]])) NA_character_ else as.character(d[[name]]),
        ""
      )
    }
    doc <- vapply(t$docs, function(d) as.integer(d$doc), 0L) + 1L
    tibble::tibble(
      topic = t$topic + 1L,
      topic_id = t$topic,
      rank = seq_along(t$docs),
      document = names_of(model)[match(doc, docs_of(model))],
      doc = doc,
      gamma = vapply(t$docs, function(d) d$theta, 0),
      title = pick("title"),
      text = if (is.null(texts)) pick("snippet") else as.character(texts)[doc]
    )
  })
  do.call(rbind, rows)
}

topoi_infer <- function(model, x, vocabulary = NULL, ...) {
  theta <- NULL
  on_documents(model, x, vocabulary, function(inputs, folder) {
    file <- file.path(folder, "theta.npy")
    run(c("infer", place(model), inputs, "--as=npy", "-o", file, "--quiet", flags(list(...))))
    theta <<- read_npy(file)
    if (length(attr(inputs, "ids")) == nrow(theta)) rownames(theta) <<- attr(inputs, "ids")
  })
  theta
}

# on_documents calls do with the arguments that name documents, and a directory.
on_documents <- function(model, x, vocabulary, do) {
  folder <- tempfile("topoi-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  if ((is.matrix(x) || methods::is(x, "Matrix")) && is.null(vocabulary) && is.null(colnames(x))) {
    if (ncol(x) != model$manifest$words) {
      fail(
        "the matrix has ",
        ncol(x),
        " columns without names, but the model has ",
        model$manifest$words,
        " words: name the columns"
      )
    }
    vocabulary <- words_of(model)
  }
  do(prepare(x, folder, vocabulary = vocabulary, one_text = TRUE), folder)
}

# measures returns what topoi eval measures, by the first word of their names.
measures <- function(model, inputs, ...) {
  found <- jsonlite::fromJSON(paste(
    run(c("eval", place(model), inputs, "--json", flags(list(...)))),
    collapse = "\n"
  ))
  stats::setNames(found$value, tolower(sub("[ ,].*", "", found$measure)))
}

topoi_coherence <- function(model, texts = NULL, words = 10) {
  if (is.null(texts)) {
    return(measures(model, NULL, words = words))
  }
  on_documents(model, texts, NULL, function(inputs, folder) {
    measures(model, inputs, words = words, estimator = "coherence")
  })
}

# read_npy reads a matrix of float32 as the program writes it, rows one after the other.
read_npy <- function(path) {
  f <- file(path, "rb")
  on.exit(close(f))
  head <- readBin(f, "raw", 10)
  size <- as.integer(head[9]) + 256L * as.integer(head[10])
  dict <- rawToChar(readBin(f, "raw", size))
  shape <- as.numeric(strsplit(
    sub(".*'shape': \\(([0-9]+), *([0-9]+),?\\).*", "\\1 \\2", dict),
    " "
  )[[1L]][1:2])
  matrix(
    readBin(f, "double", prod(shape), 4, endian = "little"),
    shape[1],
    shape[2],
    byrow = TRUE,
    dimnames = list(NULL, topic_names(shape[2]))
  )
}

topoi_explore <- function(
  model,
  file = tempfile("topoi-", fileext = ".html"),
  open = interactive(),
  ...
) {
  if (inherits(model, "topoi_sweep")) {
    file <- file.path(model$path, "index.html")
  } else {
    name <- if (is.null(model$files) || "name" %in% names(list(...))) NULL else "--name=topics"
    run(c(
      "explore",
      place(model),
      "-o",
      path.expand(file),
      "--overwrite",
      "--quiet",
      name,
      flags(list(...))
    ))
  }
  if (open) {
    show_page(file)
  }
  invisible(file)
}

# show_page shows a page in the viewer of RStudio and the like, which takes files of the
# temporary directory, or in the browser.
show_page <- function(file) {
  viewer <- getOption("viewer")
  inside <- startsWith(normalizePath(file), normalizePath(tempdir()))
  if (is.function(viewer) && inside) {
    viewer(file)
  } else {
    utils::browseURL(paste0("file://", normalizePath(file)))
  }
}

topoi_label <- function(model, labels) {
  check_model(model)
  k <- model$manifest$topics
  topics <- if (is.null(names(labels))) {
    seq_along(labels)
  } else {
    suppressWarnings(as.integer(names(labels)))
  }
  if (is.null(names(labels)) && length(labels) != k) {
    fail(
      "there are ",
      length(labels),
      " labels for ",
      k,
      " topics: give one for each, or name them by topic, c(\"3\" = \"energy\")"
    )
  }
  if (anyNA(topics) || any(topics < 1 | topics > k)) {
    fail(
      "labels are named ",
      paste(names(labels), collapse = ", "),
      ", expected numbers of topics from 1 to ",
      k
    )
  }
  labels <- as.character(labels)
  given <- !is.na(labels) & nzchar(labels)
  gone <- topics[!is.na(labels) & !nzchar(labels)]
  gone <- gone[!is.na(labels(model)[gone])]
  changes <- c(
    paste0(topics[given] - 1L, "=", labels[given])[seq_len(sum(given))],
    sprintf("--remove=%d", gone - 1L)
  )
  if (length(changes) > 0) {
    run(c("name", place(model), "--quiet", changes))
  }
  if (is.null(model$files)) model else carried(model_at(model, place(model)))
}

# model_at is the same model in another place.
model_at <- function(model, path) {
  model$path <- path
  model
}

labels.topoi_model <- function(object, ...) {
  found <- listed(object, words = 1, sort = "id")
  vapply(found, function(t) if (is.null(t$topic_label)) NA_character_ else t$topic_label, "")
}

topoi_prevalence <- function(model, by = "label", topics = NULL, ...) {
  check_model(model)
  if (!is.null(topics) && !all(topics %in% seq_len(model$manifest$topics))) {
    fail("topics are numbers from 1 to ", model$manifest$topics)
  }
  options <- list(
    by = paste(by, collapse = ","),
    topics = if (!is.null(topics)) paste(topics - 1L, collapse = ","),
    ...
  )
  lines <- run(c("prevalence", place(model), "--format=csv", "--quiet", flags(options)))
  table <- utils::read.csv(
    text = lines,
    encoding = "UTF-8",
    stringsAsFactors = FALSE,
    na.strings = "",
    colClasses = c(label = "character", time = "character", topic_label = "character")
  )
  table$topic_id <- table$topic
  table$topic <- table$topic + 1L
  table <- tibble::as_tibble(table[c(
    "label",
    "time",
    "start",
    "topic",
    "topic_id",
    setdiff(names(table), c("label", "time", "start", "topic", "topic_id"))
  )])
  table[
    !vapply(table, function(column) all(is.na(column)), NA) | names(table) %in% c("low", "high")
  ]
}
