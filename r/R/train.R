# Training.

topoi_train <- function(x, k, ..., output = NULL, ids = NULL, labels = NULL, times = NULL, titles = NULL, vocabulary = NULL,
                        seed = NULL, iterations = NULL, holdout = NULL, resume = FALSE, overwrite = FALSE, progress = interactive()) {
  temporary <- is.null(output)
  if (temporary && isTRUE(resume)) fail("resume = TRUE needs the output of the interrupted run; without one, give the checkpoint that it left")
  if (temporary) output <- file.path(tempfile("topoi-"), "model")
  if (temporary) dir.create(dirname(output))
  options <- list(seed = seed, iterations = iterations, holdout = holdout, ...)
  if (!identical(resume, FALSE)) options$resume <- TRUE
  if (is.character(resume)) options$checkpoint <- resume
  if (overwrite) options$overwrite <- TRUE
  folder <- tempfile("topoi-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  inputs <- prepare(x, folder, ids, labels, times, titles, vocabulary)
  args <- c("train", inputs, flags(list(topics = k)), paste0("--output=", path.expand(output)), "--json", flags(options))
  if (run_events(args, listener(progress)) == "interrupted") explain_interrupt(output, options)
  topoi_load(output)
}

# explain_interrupt says what an interrupted run has left.
explain_interrupt <- function(output, options) {
  checkpoint <- if (is.null(options$checkpoint)) paste0(output, ".checkpoint") else options$checkpoint
  if (!file.exists(checkpoint)) fail("interrupted before the first iteration was done: nothing is kept", class = "topoi_interrupted")
  fail("interrupted; topoi_train() with the same documents and options and resume = ", dQuote(checkpoint, FALSE), " goes on",
       class = "topoi_interrupted", checkpoint = checkpoint)
}

# listener returns what is called with the events of a run: progress is such a
# function, TRUE for a bar, FALSE for nothing.
listener <- function(progress) {
  if (is.function(progress)) return(progress)
  if (!isTRUE(progress)) return(function(event) NULL)
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
