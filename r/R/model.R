# The model directory, read by R alone (docs/formats.md, "The model directory").

topoi_load <- function(path) {
  check_path(path)
  manifest <- tryCatch(
    jsonlite::fromJSON(file.path(path, "manifest.json"), simplifyDataFrame = TRUE),
    error = function(e) fail(path, " is no model of topoi: ", conditionMessage(e)),
    warning = function(w) fail(path, " is no model of topoi: ", conditionMessage(w))
  )
  if (!identical(manifest$format, "topoi model")) {
    fail(path, " is no model of topoi: its manifest.json does not say so")
  }
  if (!manifest$format_version %in% 1:3) {
    fail(
      path,
      " is of version ",
      manifest$format_version,
      " of the model format, this package reads 1 to 3: update it"
    )
  }
  structure(
    list(path = normalizePath(path), manifest = manifest, files = NULL),
    class = "topoi_model"
  )
}

topoi_save <- function(model, path, overwrite = FALSE) {
  from <- place(model)
  check_path(path)
  path <- path.expand(path)
  if (file.exists(path)) {
    if (!overwrite) {
      fail(path, " exists already: choose another name, or overwrite = TRUE")
    }
    if (!file.exists(file.path(path, "manifest.json"))) {
      fail(path, " is no model, and is not replaced: choose another name")
    }
    if (normalizePath(path) == normalizePath(from)) return(topoi_load(path))
  }
  beside <- tempfile(".topoi-", dirname(path))
  if (!dir.create(beside, showWarnings = FALSE)) {
    fail("cannot write to ", dirname(path))
  }
  on.exit(unlink(beside, recursive = TRUE))
  copied <- file.copy(list.files(from, full.names = TRUE), beside)
  if (!all(copied)) {
    fail("cannot copy the model to ", dirname(path))
  }
  before <- tempfile(".topoi-", dirname(path))
  if (file.exists(path)) {
    file.rename(path, before)
  }
  if (!file.rename(beside, path)) {
    fail("cannot write ", path)
  }
  unlink(before, recursive = TRUE)
  topoi_load(path)
}

check_model <- function(model) {
  if (inherits(model, "topoi_model")) {
    return(invisible())
  }
  fail(
    "model is of class ",
    class(model)[1L],
    ", expected what topoi_train() or topoi_load() returns",
    if (is.character(model)) ": topoi_load() opens a directory"
  )
}

check_path <- function(path) {
  if (!is.character(path) || length(path) != 1L || is.na(path)) {
    fail("path is ", deparse(path, nlines = 1L), ", expected the name of a directory")
  }
}

# carried gives a model in R's temporary directory its files, so that saveRDS() and save()
# keep it. One that is too large for that is told of.
carried <- function(model) {
  files <- list.files(model$path, full.names = TRUE)
  size <- sum(file.size(files))
  if (size > getOption("topoi.carry", 2^30)) {
    message(sprintf(
      "the model has %.1f GB and lies in R's temporary directory, and saveRDS() does not keep it: topoi_save(model, \"NAME\") does",
      size / 1e9
    ))
  } else {
    model$files <- stats::setNames(
      lapply(files, function(f) readBin(f, "raw", file.size(f))),
      basename(files)
    )
  }
  model
}

# place returns the directory of a model. That of a model from another session is written anew.
place <- function(model) {
  check_model(model)
  for (path in c(model$path, cache_of(model)$place)) {
    if (file.exists(file.path(path, "manifest.json"))) return(path)
  }
  if (is.null(model$files)) {
    fail(
      "the model was in ",
      model$path,
      ", which is not there: topoi_load() opens it where it is now; next time keep it with topoi_save(model, \"NAME\")"
    )
  }
  folder <- file.path(tempfile("topoi-"), "model")
  dir.create(folder, recursive = TRUE)
  for (name in names(model$files)) {
    writeBin(model$files[[name]], file.path(folder, name))
  }
  assign("place", folder, envir = cache_of(model))
  folder
}

print.topoi_model <- function(x, ...) {
  m <- x$manifest
  where <- if (file.exists(x$path)) {
    x$path
  } else if (is.null(x$files)) {
    paste(x$path, "(not there)")
  } else {
    "in this object"
  }
  cat(sprintf(
    "<topoi_model: %d topics, %d words, %d documents, %d iterations, %s>\n",
    m$topics,
    m$words,
    m$docs,
    m$iterations,
    where
  ))
  invisible(x)
}

# Values that were computed of the models used last. They are no part of the objects, so
# that saveRDS() does not write them.
caches <- new.env(parent = emptyenv())

cache_of <- function(model) {
  key <- paste(model$manifest$checksum, model$path)
  if (is.null(caches[[key]])) {
    if (length(ls(caches)) >= 8L) {
      rm(list = ls(caches), envir = caches)
    }
    assign(key, new.env(parent = emptyenv()), envir = caches)
  }
  caches[[key]]
}

# cached computes a value once a model.
cached <- function(model, name, value) {
  check_model(model)
  cache <- cache_of(model)
  if (is.null(cache[[name]])) {
    assign(name, value, envir = cache)
  }
  cache[[name]]
}

# array_of returns an array of the model directory as numbers.
array_of <- function(model, stem) {
  entry <- model$manifest$arrays[sub("\\.[^.]*$", "", model$manifest$arrays$file) == stem, ]
  path <- file.path(place(model), entry$file)
  width <- c(f64 = 8, u64 = 8, u32 = 4, u16 = 2, bytes = 1)[[entry$type]]
  size <- file.size(path)
  if (is.na(size) || size != entry$length * width) {
    fail(
      path,
      " has ",
      size,
      " bytes, expected ",
      entry$length * width,
      ": the model is damaged, copy it again"
    )
  }
  read_numbers(path, 0, entry$length, entry$type)
}

# read_numbers reads n little-endian numbers from an offset in bytes. uint64 become
# doubles, which are exact up to 2^53; uint32 are read as integers up to 2^31.
read_numbers <- function(path, offset, n, type) {
  f <- file(path, "rb")
  on.exit(close(f))
  seek(f, offset)
  switch(
    type,
    f64 = readBin(f, "double", n, 8, endian = "little"),
    u64 = join_halves(readBin(f, "integer", 2 * n, 4, endian = "little")),
    u32 = readBin(f, "integer", n, 4, endian = "little"),
    u16 = readBin(f, "integer", n, 2, signed = FALSE, endian = "little"),
    f32 = readBin(f, "double", n, 4, endian = "little"),
    bytes = readBin(f, "raw", n)
  )
}

join_halves <- function(halves) {
  low <- halves[c(TRUE, FALSE)] * 1.0
  low + (low < 0) * 2^32 + halves[c(FALSE, TRUE)] * 2^32
}

# cut_strings returns the strings that lie one after the other in bytes.
cut_strings <- function(bytes, ends) {
  if (length(ends) == 0) {
    return(character())
  }
  starts <- c(0, ends[-length(ends)])
  strings <- vapply(
    seq_along(ends),
    function(i) if (ends[i] > starts[i]) rawToChar(bytes[(starts[i] + 1):ends[i]]) else "",
    ""
  )
  Encoding(strings) <- "UTF-8"
  strings
}

words_of <- function(model) {
  cached(model, "words", cut_strings(array_of(model, "words"), array_of(model, "word_ends")))
}

# corpus_of returns the places of the sections of the model's corpus file.
corpus_of <- function(model) {
  cached(model, "corpus", {
    path <- file.path(place(model), "corpus.topoi")
    f <- file(path, "rb")
    on.exit(close(f))
    head <- readBin(f, "raw", 64)
    if (
      length(head) < 64 ||
        !identical(head[1:8], as.raw(c(0x89, 0x74, 0x6f, 0x70, 0x6f, 0x69, 0x1a, 0x0a)))
    ) {
      fail(path, " is no corpus file of topoi")
    }
    number <- function(bytes) sum(as.integer(bytes) * 256^(seq_along(bytes) - 1))
    if (number(head[9:10]) != 1) {
      fail(
        path,
        " is of version ",
        number(head[9:10]),
        " of the corpus format, this package reads 1: update it"
      )
    }
    sections <- list()
    for (i in seq_len(number(head[13:16]))) {
      entry <- readBin(f, "raw", 64)
      name <- entry[1:16]
      sections[[rawToChar(name[name != 0])]] <- c(number(entry[17:24]), number(entry[25:32]))
    }
    list(path = path, docs = number(head[17:24]), sections = sections)
  })
}

section_of <- function(model, name, type, width) {
  corpus <- corpus_of(model)
  place <- corpus$sections[[name]]
  if (is.null(place)) {
    return(NULL)
  }
  read_numbers(corpus$path, place[1], place[2] / width, type)
}

strings_of <- function(model, name) {
  ends <- section_of(model, paste0(name, ".ends"), "u64", 8)
  if (is.null(ends)) {
    return(NULL)
  }
  cut_strings(section_of(model, paste0(name, ".bytes"), "bytes", 1), ends)
}

# docs_of returns the numbers, from 1, of the documents that the model was trained on.
docs_of <- function(model) {
  cached(model, "docs", {
    if (model$manifest$docs == corpus_of(model)$docs) {
      seq_len(model$manifest$docs)
    } else {
      table <- run(c(
        "export",
        place(model),
        "--format=csv-doc-topics",
        "--top=1",
        "-o",
        "-",
        "--quiet"
      ))
      utils::read.csv(text = table, encoding = "UTF-8", stringsAsFactors = FALSE)$doc + 1L
    }
  })
}

# names_of returns the ids of the training documents, or their numbers.
names_of <- function(model) {
  ids <- strings_of(model, "ids")
  if (is.null(ids)) {
    return(docs_of(model))
  }
  ids <- ids[docs_of(model)]
  ifelse(nzchar(ids), ids, as.character(docs_of(model)))
}

# lengths_of returns the number of tokens of every training document.
lengths_of <- function(model) {
  cached(model, "lengths", diff(section_of(model, "offsets", "u64", 8))[docs_of(model)])
}

# draws_of returns the number of states over which counts of words and beta are summed.
draws_of <- function(model) if (is.null(model$manifest$draws)) 1 else model$manifest$draws

topoi_topic_words <- function(model) {
  cached(model, "topic_words", {
    pairs <- array_of(model, "rows")
    per_word <- diff(c(0, array_of(model, "row_ends")))
    k <- model$manifest$topics
    Matrix::sparseMatrix(
      i = pairs[c(TRUE, FALSE)] + 1L,
      j = rep(seq_along(per_word), per_word),
      x = pairs[c(FALSE, TRUE)] / draws_of(model),
      dims = c(k, length(per_word)),
      dimnames = list(topic_names(k), words_of(model))
    )
  })
}

topoi_doc_topics <- function(model) {
  cached(model, "doc_topics", {
    z <- array_of(model, "topics")
    lengths <- lengths_of(model)
    doc <- rep(seq_along(lengths), lengths)
    k <- model$manifest$topics
    Matrix::sparseMatrix(
      i = doc,
      j = z + 1L,
      x = 1,
      dims = c(length(lengths), k),
      dimnames = list(as.character(names_of(model)), topic_names(k))
    )
  })
}

topic_names <- function(k) as.character(seq_len(k))

topoi_theta <- function(model) {
  alpha <- array_of(model, "alpha")
  counts <- as.matrix(topoi_doc_topics(model))
  (counts + rep(alpha, each = nrow(counts))) / (lengths_of(model) + sum(alpha))
}

topoi_phi <- function(model) {
  counts <- as.matrix(topoi_topic_words(model))
  beta <- model$manifest$beta / draws_of(model)
  (counts + beta) / (rowSums(counts) + ncol(counts) * beta)
}
