# The program: where it is, how it is called, what becomes of its faults.

#' Where the program is: option topoi.binary, TOPOI_BINARY, or PATH.
topoi_binary <- function() {
  asked <- getOption("topoi.binary", Sys.getenv("TOPOI_BINARY"))
  if (nzchar(asked)) {
    if (!file.exists(asked)) {
      fail(
        "TOPOI_BINARY is ",
        asked,
        ", which is no program: let it name the file topoi, or unset it"
      )
    }
    return(normalizePath(asked))
  }
  found <- Sys.which("topoi")
  if (!nzchar(found)) {
    fail("the program topoi is not on PATH: install it, or let TOPOI_BINARY name the file")
  }
  unname(found)
}

# fail ends with a condition that can be told from others by its class.
fail <- function(..., class = NULL, checkpoint = NULL) {
  condition <- structure(
    class = c(class, "topoi_error", "error", "condition"),
    list(message = paste0(...), call = NULL, checkpoint = checkpoint)
  )
  stop(condition)
}

# flags turns options into flags: min_df = 5 is --min-df=5, NULL is none.
flags <- function(options) {
  options <- Filter(Negate(is.null), options)
  if (is.null(names(options)) && length(options) > 0 || any(names(options) == "")) {
    fail("an argument has no name: expected name = value, such as min_df = 5")
  }
  one <- function(name, value) {
    if (!is.atomic(value) || length(value) == 0L || anyNA(value)) {
      fail(name, " is ", deparse(value, nlines = 1L), ", expected a value")
    }
    if (is.logical(value)) {
      value <- ifelse(value, "true", "false")
    }
    if (is.numeric(value)) {
      value <- format(value, digits = 15, scientific = FALSE, trim = TRUE)
    }
    paste0("--", gsub("_", "-", name), "=", value)
  }
  unlist(Map(one, names(options), options), use.names = FALSE)
}

# speaking lets messages name arguments instead of flags while code runs.
speaking <- function(code) {
  before <- Sys.getenv("TOPOI_SPEAK", NA)
  Sys.setenv(TOPOI_SPEAK = "r,topics=k")
  on.exit(if (is.na(before)) Sys.unsetenv("TOPOI_SPEAK") else Sys.setenv(TOPOI_SPEAK = before))
  code
}

# run runs the program and returns the lines that it wrote.
run <- function(args) {
  faults <- tempfile("topoi-")
  on.exit(unlink(faults))
  lines <- speaking(suppressWarnings(system2(
    topoi_binary(),
    shQuote(args),
    stdout = TRUE,
    stderr = faults
  )))
  code <- attr(lines, "status")
  if (!is.null(code) && code != 0) {
    fail(sentences(faults, code))
  }
  lines
}

# sentences returns the faults that the program wrote.
sentences <- function(file, code) {
  lines <- if (file.exists(file)) readLines(file, warn = FALSE, encoding = "UTF-8") else character()
  faults <- sub("^topoi: ", "", grep("^topoi: ", lines, value = TRUE))
  if (length(faults) == 0) {
    faults <- lines
  }
  if (length(faults) == 0) {
    faults <- paste("the program ended with exit code", code)
  }
  # The file that documents went through is none of the user's.
  faults <- gsub("\\S*/documents\\.jsonl:([0-9]+)", "document \\1", faults)
  faults <- gsub("\\S*/documents\\.(jsonl|mtx)(:[0-9]+)?", "the documents", faults)
  paste(faults, collapse = "\n")
}

# run_events runs the program and calls listen with each of its events. An interrupt is
# passed on to the program once, which then ends in order.
run_events <- function(args, listen) {
  faults <- tempfile("topoi-")
  on.exit(unlink(faults))
  command <- paste(shQuote(c(topoi_binary(), args)), collapse = " ")
  if (.Platform$OS.type == "windows") {
    out <- pipe(paste(command, "2>", shQuote(faults)), encoding = "UTF-8")
  } else {
    # With job control (set -m) the program is in a process group of its own, so that
    # a Ctrl-C at the terminal does not reach it twice.
    out <- pipe(
      paste0(
        "set -m 2>/dev/null; ",
        command,
        " 2>",
        shQuote(faults),
        " & echo $!; wait $!; echo exit $?"
      ),
      encoding = "UTF-8"
    )
  }
  speaking(open(out, "r"))
  pid <- NA_integer_
  code <- NA_integer_
  interrupted <- FALSE
  told <- character() # warnings
  # Lines that were on their way when an interrupt came are read before the next one.
  follow <- function() {
    while (length(line <- readLines(out, n = 1L, warn = FALSE)) == 1L) {
      if (grepl("^\\{", line)) {
        event <- tryCatch(jsonlite::fromJSON(line, simplifyVector = FALSE), error = function(e) {
          NULL
        })
        told <<- c(told, unlist(event$warnings), if (identical(event$event, "warning")) event$text)
        if (!is.null(event)) listen(event)
      } else if (grepl("^exit ", line)) {
        code <<- as.integer(sub("exit ", "", line))
      } else if (is.na(pid)) {
        pid <<- as.integer(line)
      }
    }
  }
  stop_program <- function() {
    if (!is.na(pid)) {
      tools::pskill(pid, tools::SIGINT)
    }
    repeat {
      done <- tryCatch(
        {
          follow()
          TRUE
        },
        interrupt = function(i) {
          if (!is.na(pid)) {
            tools::pskill(pid, tools::SIGINT)
          }
          FALSE
        }
      )
      if (done) break
    }
  }
  tryCatch(
    follow(),
    interrupt = function(i) {
      interrupted <<- TRUE
      stop_program()
    },
    error = function(e) {
      listen <<- function(event) NULL
      stop_program()
      close(out)
      stop(e)
    }
  )
  status <- close(out)
  if (is.na(code)) {
    code <- if (is.null(status)) 0L else as.integer(status)
  }
  if (interrupted || code == 130L) {
    return("interrupted")
  }
  if (code != 0L) {
    fail(sentences(faults, code))
  }
  for (text in unique(told)) {
    warning(text, call. = FALSE)
  }
  "done"
}
