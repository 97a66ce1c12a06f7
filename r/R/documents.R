# From R's objects to files that the program reads.

# prepare writes documents below folder and returns the arguments that name them; their
# attribute ids are the names of the documents, if they have some. one_text says that a
# single string may be a text.
prepare <- function(
  x,
  folder,
  ids = NULL,
  labels = NULL,
  times = NULL,
  titles = NULL,
  vocabulary = NULL,
  one_text = FALSE,
  metadata = NULL
) {
  facts <- Filter(Negate(is.null), list(id = ids, label = labels, time = times, title = titles))
  if (is.character(x) && !is.object(x) && !is.matrix(x) && names_files(x, one_text)) {
    if (length(facts) > 0) {
      fail("files have their own columns: name them with id_field, label_field and so on")
    }
    return(c(path.expand(x), metadata_flags(metadata, NULL, NULL, folder)))
  }
  x <- convert(x, vocabulary)
  if (is.null(facts$id)) {
    facts$id <- attr(x, "ids")
  }
  attr(x, "ids") <- NULL
  if (is.data.frame(x) && !is.null(metadata)) {
    fail(
      "a table has its own columns, which are kept: bind the metadata to it first, cbind(x, metadata)"
    )
  }
  args <- if (is.data.frame(x)) {
    prepare_table(x, folder, facts)
  } else if (methods::is(x, "Matrix")) {
    prepare_matrix(x, folder, facts, vocabulary)
  } else {
    if (!is.null(vocabulary)) {
      fail(
        "vocabulary names the columns of a matrix of counts; the words of texts are found in them"
      )
    }
    prepare_texts(x, folder, facts)
  }
  ids <- if (is.null(facts$id) && methods::is(x, "Matrix")) rownames(x) else facts$id
  args <- c(
    args,
    metadata_flags(metadata, ids, if (methods::is(x, "Matrix")) nrow(x) else length(x), folder)
  )
  structure(args, ids = ids)
}

# names_files tells whether strings are the names of files.
names_files <- function(x, one_text) {
  if (length(x) == 0L || anyNA(x[1L]) || nchar(x[1L], "bytes") > 1000L || !nzchar(x[1L])) {
    return(FALSE)
  }
  if (length(x) == 1L && file.exists(x)) {
    return(!one_text || !dir.exists(x))
  }
  if (
    length(x) == 1L &&
      grepl(
        "^\\S+\\.(csv|tsv|txt|jsonl?|ndjson|xlsx|parquet|mm|mtx|npz|h5ad|topoi|svm|mallet)(\\.(gz|bz2|xz|zst))?$",
        x
      )
  ) {
    fail("there is no file ", dQuote(x, FALSE))
  }
  length(x) > 1L && file.exists(x[1L]) && all(nchar(x, "bytes") <= 1000L) && all(file.exists(x))
}

# convert returns documents of other packages as texts, lists of words, a data frame or a
# Matrix, with the attribute ids where they have names.
convert <- function(x, vocabulary) {
  if (inherits(x, "Corpus")) {
    return(convert_tm(x))
  }
  if (inherits(x, "tokens_xptr")) {
    fail("documents are quanteda's external tokens: give quanteda::as.tokens(x)")
  }
  if (inherits(x, "corpus") && is.character(x)) {
    return(with_ids(as.vector(unclass(x)), names(x)))
  }
  if (inherits(x, "tokens") && is.list(x)) {
    types <- attr(x, "types")
    return(with_ids(lapply(unclass(unname(x)), function(i) types[i[i > 0L]]), names(unclass(x)))) # 0 is padding
  }
  if (inherits(x, "simple_triplet_matrix")) {
    # of tm and slam
    m <- Matrix::sparseMatrix(
      i = x$i,
      j = x$j,
      x = x$v,
      dims = c(x$nrow, x$ncol),
      dimnames = unname(x$dimnames)
    )
    return(if (inherits(x, "TermDocumentMatrix")) Matrix::t(m) else m)
  }
  if (is.data.frame(x)) {
    return(convert_counts(x))
  }
  if (methods::is(x, "dgCMatrix")) {
    # and what is made of it, such as quanteda's dfm
    return(Matrix::sparseMatrix(
      i = x@i,
      p = x@p,
      x = x@x,
      dims = x@Dim,
      dimnames = unname(x@Dimnames),
      index1 = FALSE
    ))
  }
  if (methods::is(x, "Matrix")) {
    return(x)
  }
  if (is.matrix(x)) {
    return(convert_matrix(x))
  }
  if (is.list(x) && all(c("documents", "vocab") %in% names(x))) {
    return(convert_pairs(x$documents, x$vocab))
  }
  if (inherits(x, "factor") || (is.character(x) && is.null(dim(x)))) {
    return(with_ids(as.character(x), names(x)))
  }
  if (is.list(x) && !is.object(x)) {
    return(convert_list(x, vocabulary))
  }
  fail(
    "documents are of class ",
    class(x)[1L],
    ", expected texts, lists of words, a corpus or tokens of tm or quanteda, a matrix of counts, a data frame or the name of a file"
  )
}

with_ids <- function(x, ids) {
  attributes(x) <- NULL
  if (!is.null(ids)) {
    attr(x, "ids") <- ids
  }
  x
}

convert_tm <- function(x) {
  if (!requireNamespace("tm", quietly = TRUE)) {
    fail("documents are a corpus of the package tm, which is not installed: give their texts")
  }
  texts <- vapply(seq_along(x), function(i) paste(as.character(x[[i]]), collapse = "\n"), "")
  with_ids(texts, names(x))
}

convert_matrix <- function(x) {
  if (!is.numeric(x) && !is.logical(x)) {
    fail(
      "documents are a matrix of type ",
      typeof(x),
      ", expected counts: texts are a vector, x[, 1]"
    )
  }
  methods::as(unclass(x), "CsparseMatrix")
}

# convert_counts makes a matrix of a table with a row for every document and word, as
# tidytext's count() gives it; other tables stay as they are.
convert_counts <- function(x) {
  pick <- function(...) intersect(c(...), names(x))[1L]
  at <- c(
    pick("document", "doc_id", "doc", "id"),
    pick("term", "word", "token", "feature"),
    pick("n", "count", "freq", "frequency")
  )
  if (anyNA(at) || "text" %in% names(x) || !is.numeric(x[[at[3L]]])) {
    numbers <- nrow(x) > 0 &&
      length(x) > 0 &&
      all(vapply(x, function(column) is.numeric(column) || is.logical(column), NA))
    if (!numbers) {
      return(as.data.frame(x))
    }
    return(convert_matrix(`rownames<-`(as.matrix(x), if (.row_names_info(x) > 0) rownames(x))))
  }
  doc <- as.character(x[[at[1L]]])
  term <- as.character(x[[at[2L]]])
  if (anyNA(doc) || anyNA(term)) {
    fail(
      "column ",
      at[if (anyNA(doc)) 1L else 2L],
      " has a missing value in row ",
      which(is.na(doc) | is.na(term))[1L]
    )
  }
  Matrix::sparseMatrix(
    i = match(doc, unique(doc)),
    j = match(term, unique(term)),
    x = as.double(x[[at[3L]]]),
    dimnames = list(unique(doc), unique(term))
  )
}

# convert_list takes lists of words, of texts, and of pairs of number and count.
convert_list <- function(x, vocabulary) {
  if (
    length(x) > 0 && all(vapply(x, function(d) is.matrix(d) && is.numeric(d) && nrow(d) == 2L, NA))
  ) {
    if (is.null(vocabulary)) {
      fail("documents are numbers of words with their counts: give the words as vocabulary")
    }
    return(convert_pairs(x, vocabulary))
  }
  words <- vapply(
    x,
    function(d) {
      is.character(d) ||
        is.factor(d) ||
        is.null(d) ||
        (length(d) == 1L && is.logical(d) && is.na(d))
    },
    NA
  )
  if (!all(words)) {
    i <- which(!words)[1L]
    fail(
      "document ",
      i,
      " is of class ",
      class(x[[i]])[1L],
      ", expected a character vector, the words of the document"
    )
  }
  single <- lengths(x) == 1L
  if (
    any(single) && all(lengths(x) <= 1L) && any(grepl("\\S\\s+\\S", unlist(x, use.names = FALSE)))
  ) {
    # a text each
    return(with_ids(
      vapply(x, function(d) if (length(d) == 1L) as.character(d) else NA_character_, ""),
      names(x)
    ))
  }
  with_ids(
    lapply(x, function(d) {
      d <- as.character(d)
      d[!is.na(d) & nzchar(d)]
    }),
    names(x)
  )
}

# convert_pairs makes a matrix of documents as stm and lda have them: two rows each, numbers
# of words, from 1 or from 0, and counts.
convert_pairs <- function(documents, vocabulary) {
  word <- unlist(lapply(documents, function(d) d[1L, ]), use.names = FALSE)
  count <- unlist(lapply(documents, function(d) d[2L, ]), use.names = FALSE)
  v <- length(vocabulary)
  zero <- any(word == 0)
  if (any(word < 0 | word > v - zero)) {
    fail("documents have the word number ", max(word), ", but vocabulary has ", v, " words")
  }
  if (!zero && max(word) < v) {
    fail(
      "word numbers go from ",
      min(word),
      " to ",
      max(word),
      " of ",
      v,
      ", and may begin at 0 or at 1: give a matrix of counts, or drop words that do not occur"
    )
  }
  Matrix::sparseMatrix(
    i = rep(seq_along(documents), vapply(documents, ncol, 0L)),
    j = word + zero,
    x = as.double(count),
    dims = c(length(documents), v),
    dimnames = list(names(documents), as.character(vocabulary))
  )
}

prepare_texts <- function(x, folder, facts) {
  n <- length(x)
  if (n == 0) {
    fail("there are no documents")
  }
  for (name in names(facts)) {
    if (length(facts[[name]]) != n) {
      fail(
        "there are ",
        length(facts[[name]]),
        " ",
        name,
        "s for ",
        n,
        " documents: give one for each"
      )
    }
  }
  kind <- if (is.list(x)) "tokens" else "text"
  path <- file.path(folder, "documents.jsonl")
  out <- file(path, "wb")
  on.exit(close(out))
  for (first in seq(1L, n, by = 10000L)) {
    part <- first:min(n, first + 9999L)
    lines <- paste0(
      "{\"",
      kind,
      "\":",
      if (kind == "text") json_strings(x[part], first) else json_lists(x[part], first)
    )
    for (name in names(facts)) {
      lines <- paste0(lines, ",\"", name, "\":", json_strings(facts[[name]][part], first))
    }
    writeLines(paste0(lines, "}"), out, useBytes = TRUE)
  }
  c(
    path,
    "--format=jsonl",
    paste0("--", kind, "-field=", kind),
    paste0("--", names(facts), "-field=", names(facts))[seq_along(facts)]
  )
}

json_lists <- function(x, first) {
  of <- rep(seq_along(x), lengths(x))
  words <- json_strings(unlist(x, use.names = FALSE), first, of)
  paste0("[", vapply(split(words, factor(of, seq_along(x))), paste, "", collapse = ","), "]")
}

# json_strings returns strings as JSON has them, NA as nothing. Element i is of document
# of[i], counted from first.
json_strings <- function(x, first, of = seq_along(x)) {
  x <- utf8(as.character(x), function(i) paste("document", of[i] + first - 1L))
  x[is.na(x)] <- ""
  x <- gsub("\\", "\\\\", x, fixed = TRUE, useBytes = TRUE)
  x <- gsub("\"", "\\\"", x, fixed = TRUE, useBytes = TRUE)
  if (any(grepl("[\001-\037]", x, useBytes = TRUE))) {
    for (code in 1:31) {
      x <- gsub(rawToChar(as.raw(code)), sprintf("\\u%04x", code), x, fixed = TRUE, useBytes = TRUE)
    }
  }
  paste0("\"", x, "\"")
}

# utf8 returns strings in UTF-8, whatever the locale and however they are marked. The
# function where says in which document an element is.
utf8 <- function(x, where) {
  ascii <- !grepl("[^ -~[:cntrl:]]", x, useBytes = TRUE)
  unmarked <- !ascii & Encoding(x) %in% c("unknown", "bytes")
  bad <- unmarked & !validUTF8(x)
  if (any(bad)) {
    fail(
      where(which(bad)[1L]),
      " is not in UTF-8: say what it is in, such as Encoding(x) <- \"latin1\", or convert it with iconv()"
    )
  }
  x[!unmarked] <- enc2utf8(x[!unmarked])
  Encoding(x) <- "UTF-8"
  x
}

prepare_table <- function(x, folder, facts) {
  if (length(facts) > 0) {
    fail("a table has its own columns: name them with text_field, id_field, label_field and so on")
  }
  if (nrow(x) == 0) {
    fail("there are no documents")
  }
  path <- file.path(folder, "documents.jsonl")
  out <- file(path, "wb")
  on.exit(close(out))
  for (name in names(x)) {
    if (is.factor(x[[name]])) {
      x[[name]] <- as.character(x[[name]])
    }
    if (is.character(x[[name]])) {
      x[[name]] <- utf8(x[[name]], function(i) paste0("row ", i, ", column ", name))
    }
  }
  jsonlite::stream_out(x, out, verbose = FALSE, na = "null", digits = NA)
  c(path, "--format=jsonl")
}

prepare_matrix <- function(x, folder, facts, vocabulary) {
  beyond <- setdiff(names(facts), "id")
  if (length(beyond) > 0) {
    fail(
      paste(beyond, collapse = ", "),
      ": what is known of the rows of a matrix is their ids alone; keep the rest beside it, rows keep their order"
    )
  }
  if (is.null(vocabulary)) {
    vocabulary <- colnames(x)
  }
  ids <- if (is.null(facts$id)) rownames(x) else facts$id
  counts <- methods::as(methods::as(methods::as(x, "CsparseMatrix"), "generalMatrix"), "dMatrix")
  check_counts(counts)
  path <- file.path(folder, "documents.mtx")
  write_counts(counts, path)
  write_names(vocabulary, paste0(path, ".vocab"), ncol(x), "columns", "vocabulary")
  write_names(ids, paste0(path, ".ids"), nrow(x), "rows", "ids")
  c(path, "--format=matrix-market", "--orientation=docs-rows")
}

# write_counts writes a Matrix Market file. writeMM of Matrix would write one half of a square
# matrix that happens to be symmetric.
write_counts <- function(counts, path) {
  out <- file(path, "wb")
  on.exit(close(out))
  writeLines(
    c(
      "%%MatrixMarket matrix coordinate integer general",
      sprintf("%d %d %d", nrow(counts), ncol(counts), length(counts@x))
    ),
    out
  )
  column <- rep(seq_len(ncol(counts)), diff(counts@p))
  for (first in seq(1, length(counts@x), by = 1e6)[length(counts@x) > 0]) {
    part <- first:min(length(counts@x), first + 1e6 - 1)
    writeLines(sprintf("%d %d %.0f", counts@i[part] + 1L, column[part], counts@x[part]), out)
  }
}

check_counts <- function(counts) {
  bad <- which(!is.finite(counts@x) | counts@x < 0 | counts@x != round(counts@x))
  if (length(bad) == 0) {
    return(invisible())
  }
  value <- counts@x[bad[1L]]
  column <- findInterval(bad[1L] - 1L, counts@p, rightmost.closed = FALSE)
  what <- if (is.na(value)) {
    ", a missing value, where a word that does not occur has the count 0"
  } else if (is.infinite(value) || value < 0) {
    ", but counts are whole numbers from 0 on"
  } else {
    ", but topics are found in counts, which are whole numbers from 0 on: give the counts before any weighting, or round them"
  }
  fail("row ", counts@i[bad[1L]] + 1L, ", column ", column, " holds ", format(value), what)
}

write_names <- function(names, path, expected, side, what) {
  if (is.null(names)) {
    return(invisible())
  }
  names <- utf8(as.character(names), function(i) paste("name", i, "of", what))
  if (length(names) != expected) {
    fail(what, " has ", length(names), " names, but the matrix has ", expected, " ", side)
  }
  bad <- if (what == "vocabulary") {
    is.na(names) | duplicated(names) | !nzchar(names)
  } else {
    is.na(names)
  }
  bad <- bad | grepl("[[:cntrl:]]|^[[:space:]]|[[:space:]]$", names)
  if (any(bad)) {
    fail(
      what,
      " has the name ",
      dQuote(names[bad][1L], FALSE),
      ": a name may stand once only, not be empty, have no blanks around it and hold no line ends"
    )
  }
  out <- file(path, "wb")
  on.exit(close(out))
  writeLines(names, out, useBytes = TRUE)
}
