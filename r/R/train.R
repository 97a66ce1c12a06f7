# Training.

topoi_train <- function(
  x,
  k,
  ...,
  output = NULL,
  ids = NULL,
  labels = NULL,
  times = NULL,
  titles = NULL,
  metadata = NULL,
  vocabulary = NULL,
  seeds = NULL,
  seed = NULL,
  iterations = NULL,
  holdout = NULL,
  resume = FALSE,
  overwrite = FALSE,
  progress = interactive()
) {
  if (missing(k)) {
    if (!isTRUE(list(...)$prior %in% c("hdp", "labels"))) {
      fail("the number of topics is missing: k = 20")
    }
    k <- NULL
  } else if (length(k) != 1L || !is_count(k)) {
    fail(
      "k is ",
      deparse(k, nlines = 1L),
      ", expected the number of topics, a whole number from 1 on; topoi_sweep() takes several"
    )
  }
  temporary <- is.null(output)
  if (temporary && isTRUE(resume)) {
    fail(
      "resume = TRUE needs the output of the interrupted run; without one, give the checkpoint that it left"
    )
  }
  if (temporary) {
    output <- file.path(tempfile("topoi-"), "model")
  }
  if (temporary) {
    dir.create(dirname(output))
  }
  options <- list(seed = seed, iterations = iterations, holdout = holdout, ...)
  if (!identical(resume, FALSE)) {
    options$resume <- TRUE
  }
  if (is.character(resume)) {
    options$checkpoint <- resume
  }
  if (overwrite) {
    options$overwrite <- TRUE
  }
  folder <- tempfile("topoi-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  inputs <- prepare(x, folder, ids, labels, times, titles, vocabulary, metadata = metadata)
  options$seeds <- seed_file(seeds, folder)
  args <- c(
    "study",
    inputs,
    flags(list(topics = k)),
    paste0("--output=", path.expand(output)),
    "--json",
    flags(word_file(options, folder))
  )
  if (run_events(args, listener(progress)) == "interrupted") {
    explain_interrupt(output, options)
  }
  if (temporary) carried(topoi_load(output)) else topoi_load(output)
}

# seed_file returns a file with the seed words of a list by name.
seed_file <- function(seeds, folder) {
  if (is.null(seeds) || (is.character(seeds) && length(seeds) == 1L && is.null(names(seeds)))) {
    return(seeds)
  }
  if (is.null(names(seeds)) || !all(vapply(seeds, is.character, TRUE))) {
    fail(
      "seeds must be a named list of words, such as list(space = c(\"orbit\", \"moon\")), or the path of a file"
    )
  }
  path <- file.path(folder, "seeds.yaml")
  writeLines(jsonlite::toJSON(lapply(as.list(seeds), as.character)), path, useBytes = TRUE)
  path
}

# made returns the model that a command makes at output, or in a temporary directory.
made <- function(output, make) {
  temporary <- is.null(output)
  if (temporary) {
    output <- file.path(tempfile("topoi-"), "model")
  }
  if (temporary) {
    dir.create(dirname(output))
  }
  make(paste0("--output=", path.expand(output)))
  if (temporary) carried(topoi_load(output)) else topoi_load(output)
}

topoi_update <- function(model, x, ..., output = NULL, vocabulary = NULL) {
  folder <- tempfile("topoi-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  inputs <- prepare(x, folder, NULL, NULL, NULL, NULL, vocabulary)
  made(output, function(to) run(c("update", place(model), inputs, to, "--quiet", flags(list(...)))))
}

topoi_edit <- function(
  model,
  merge = list(),
  drop = NULL,
  split = NULL,
  move = list(),
  ...,
  output = NULL
) {
  if (is.numeric(merge)) {
    merge <- list(merge)
  }
  args <- c(
    vapply(merge, function(topics) paste0("--merge=", paste(topics, collapse = ",")), ""),
    sprintf("--drop=%d", as.integer(drop)),
    if (length(split)) sprintf("--split=%s=%d", names(split), as.integer(split)),
    vapply(move, function(m) sprintf("--move=%s:%s:%s", m[[1L]], m[[2L]], m[[3L]]), "")
  )
  made(output, function(to) run(c("edit", place(model), to, "--quiet", args, flags(list(...)))))
}

is_count <- function(k) is.numeric(k) && !anyNA(k) && all(k >= 1 & k == round(k) & k < 2^31)

# word_file returns options with a file of the words that stopwords lists.
word_file <- function(options, folder) {
  words <- options$stopwords
  if (is.character(words) && length(words) > 0L && !all(file.exists(words))) {
    options$stopwords <- file.path(folder, "stopwords.txt")
    writeLines(utf8(words, function(i) paste("stop word", i)), options$stopwords, useBytes = TRUE)
  }
  options
}

# explain_interrupt says what an interrupted run has left.
explain_interrupt <- function(output, options) {
  checkpoint <- if (is.null(options$checkpoint)) {
    paste0(output, ".checkpoint")
  } else {
    options$checkpoint
  }
  if (!file.exists(checkpoint)) {
    fail(
      "interrupted before the first iteration was done: nothing is kept",
      class = "topoi_interrupted"
    )
  }
  fail(
    "interrupted; topoi_train() with the same documents and options and resume = ",
    dQuote(checkpoint, FALSE),
    " goes on",
    class = "topoi_interrupted",
    checkpoint = checkpoint
  )
}

# listener returns what is called with the events of a run: progress is such a
# function, TRUE for a bar, FALSE for nothing.
listener <- function(progress) {
  if (is.function(progress)) {
    return(progress)
  }
  if (!isTRUE(progress)) {
    return(function(event) NULL)
  }
  bar <- NULL
  function(event) {
    if (event$event == "start") {
      bar <<- utils::txtProgressBar(max = event$iterations, style = 3, file = stderr())
    } else if (event$event == "iteration" && !is.null(bar)) {
      utils::setTxtProgressBar(bar, event$iteration)
    } else if (event$event == "done" && !is.null(bar)) {
      close(bar)
    }
  }
}

topoi_sweep <- function(
  x,
  k,
  ...,
  output = NULL,
  seeds = 5,
  ids = NULL,
  labels = NULL,
  times = NULL,
  titles = NULL,
  vocabulary = NULL,
  progress = interactive()
) {
  if (missing(k)) {
    fail("the numbers of topics are missing: k = c(10, 20, 50)")
  }
  if (length(k) == 0L || !is_count(k)) {
    fail("k is ", deparse(k, nlines = 1L), ", expected numbers of topics, whole numbers from 1 on")
  }
  if (is.null(output)) {
    output <- tempfile("topoi-sweep-")
  }
  folder <- tempfile("topoi-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  inputs <- prepare(x, folder, ids, labels, times, titles, vocabulary)
  args <- c(
    "sweep",
    inputs,
    paste0("--topics=", paste(k, collapse = ",")),
    paste0("--output=", path.expand(output)),
    "--json",
    flags(word_file(list(seeds = seeds, ...), folder))
  )
  if (isTRUE(progress)) {
    progress <- function(event) {
      if (event$event == "run") {
        message(
          "run ",
          event$run,
          " of ",
          event$runs,
          ": ",
          event$topics,
          " topics, seed ",
          event$seed
        )
      }
    }
  }
  if (run_events(args, listener(progress)) == "interrupted") {
    fail(
      "interrupted; topoi_sweep() with output = ",
      dQuote(output, FALSE),
      " and resume = TRUE goes on",
      class = "topoi_interrupted"
    )
  }
  read <- function(name) {
    tibble::as_tibble(utils::read.csv(
      file.path(output, name),
      encoding = "UTF-8",
      stringsAsFactors = FALSE
    ))
  }
  structure(
    class = "topoi_sweep",
    list(
      path = normalizePath(output),
      runs = read("sweep.csv"),
      recommendation = jsonlite::fromJSON(file.path(output, "recommendation.json"))
    )
  )
}

print.topoi_sweep <- function(x, ...) {
  r <- x$recommendation
  cat("<topoi_sweep: ", nrow(x$runs), " runs, ", x$path, ">\n", sep = "")
  cat("recommended: ", if (is.null(r$topics)) "none" else paste(r$topics, "topics"), "\n", sep = "")
  cat(paste0("  ", c(r$reasons, r$cautions), "\n"), sep = "")
  print(means_of(x), ...)
  invisible(x)
}

# means_of returns the means of the measures over seeds.
means_of <- function(sweep) {
  names <- intersect(
    c("heldout", "stability", "npmi", "c_v", "exclusivity", "diversity"),
    names(sweep$runs)
  )
  tibble::as_tibble(stats::aggregate(
    as.data.frame(sweep$runs[names]),
    list(topics = sweep$runs$topics),
    mean
  ))
}

plot.topoi_sweep <- function(x, measures = c("heldout", "stability", "npmi", "exclusivity"), ...) {
  means <- means_of(x)
  measures <- Filter(function(name) !all(is.na(means[[name]])), intersect(measures, names(means)))
  before <- graphics::par(mfrow = grDevices::n2mfrow(length(measures)))
  on.exit(graphics::par(before))
  for (name in measures) {
    graphics::plot(x$runs$topics, x$runs[[name]], xlab = "topics", ylab = name, ...)
    graphics::lines(means$topics, means[[name]])
  }
  invisible(means)
}
