# From R's objects to files that the program reads.

# prepare writes documents below folder and returns the arguments that name them.
prepare <- function(x, folder, ids = NULL, labels = NULL, times = NULL, titles = NULL, vocabulary = NULL) {
  facts <- Filter(Negate(is.null), list(id = ids, label = labels, time = times, title = titles))
  if (is.character(x) && length(x) == 1L && file.exists(x)) {
    if (length(facts) > 0) fail("files have their own columns: name them with id_field, label_field and so on")
    return(path.expand(x))
  }
  if (inherits(x, "simple_triplet_matrix")) { # tm's matrices of documents and terms
    if (inherits(x, "TermDocumentMatrix")) fail("documents must be rows: give the DocumentTermMatrix")
    x <- Matrix::sparseMatrix(i = x$i, j = x$j, x = x$v, dims = c(x$nrow, x$ncol), dimnames = x$dimnames)
  }
  if (is.data.frame(x)) return(prepare_table(x, folder, facts))
  if (is.matrix(x) || methods::is(x, "Matrix")) return(prepare_matrix(x, folder, facts, vocabulary))
  if (is.character(x) || is.list(x) || is.factor(x)) return(prepare_texts(x, folder, facts))
  fail("documents are of class ", class(x)[1L], ", expected texts, lists of words, a matrix of counts, a data frame or the name of a file")
}

prepare_texts <- function(x, folder, facts) {
  n <- length(x)
  if (n == 0) fail("there are no documents")
  if (is.factor(x)) x <- as.character(x)
  if (is.null(facts$id) && !is.null(names(x))) facts$id <- names(x)
  for (name in names(facts)) {
    if (length(facts[[name]]) != n) fail("there are ", length(facts[[name]]), " ", name, "s for ", n, " documents: give one for each")
  }
  kind <- if (is.list(x)) "tokens" else "text"
  path <- file.path(folder, "documents.jsonl")
  out <- file(path, "wb")
  on.exit(close(out))
  for (first in seq(1L, n, by = 10000L)) {
    part <- first:min(n, first + 9999L)
    content <- if (kind == "text") json_strings(x[part]) else vapply(x[part], function(words) paste0("[", paste(json_strings(words), collapse = ","), "]"), "")
    lines <- paste0("{\"", kind, "\":", content)
    for (name in names(facts)) lines <- paste0(lines, ",\"", name, "\":", json_strings(as.character(facts[[name]][part])))
    writeLines(enc2utf8(paste0(lines, "}")), out, useBytes = TRUE)
  }
  c(path, "--format=jsonl", paste0("--", kind, "-field=", kind), paste0("--", names(facts), "-field=", names(facts))[seq_along(facts)])
}

# json_strings returns strings as JSON has them, NA as nothing.
json_strings <- function(x) {
  x <- enc2utf8(as.character(x))
  x[is.na(x)] <- ""
  vapply(x, function(s) as.character(jsonlite::toJSON(s, auto_unbox = TRUE)), "", USE.NAMES = FALSE)
}

prepare_table <- function(x, folder, facts) {
  if (all(vapply(x, is.numeric, NA))) return(prepare_matrix(as.matrix(x), folder, facts, NULL))
  if (length(facts) > 0) fail("a table has its own columns: name them with text_field, id_field, label_field and so on")
  path <- file.path(folder, "documents.jsonl")
  out <- file(path, "wb")
  on.exit(close(out))
  jsonlite::stream_out(x, out, verbose = FALSE, na = "null", digits = NA)
  c(path, "--format=jsonl")
}

prepare_matrix <- function(x, folder, facts, vocabulary) {
  beyond <- setdiff(names(facts), "id")
  if (length(beyond) > 0) fail(paste(beyond, collapse = ", "), ": what is known of the rows of a matrix is their ids alone; keep the rest beside it, rows keep their order")
  if (is.null(vocabulary)) vocabulary <- colnames(x)
  ids <- if (is.null(facts$id)) rownames(x) else facts$id
  counts <- methods::as(methods::as(methods::as(x, "CsparseMatrix"), "generalMatrix"), "dMatrix")
  check_counts(counts)
  path <- file.path(folder, "documents.mtx")
  Matrix::writeMM(counts, path)
  write_names(vocabulary, paste0(path, ".vocab"), ncol(x), "columns", "vocabulary")
  write_names(ids, paste0(path, ".ids"), nrow(x), "rows", "ids")
  c(path, "--format=matrix-market", "--orientation=docs-rows")
}

check_counts <- function(counts) {
  bad <- which(!is.finite(counts@x) | counts@x < 0 | counts@x != round(counts@x))
  if (length(bad) > 0) {
    column <- findInterval(bad[1L] - 1L, counts@p, rightmost.closed = FALSE)
    fail("row ", counts@i[bad[1L]] + 1L, ", column ", column, " holds ", format(counts@x[bad[1L]]), ", but topics are found in counts, which are whole numbers from 0 on: give the counts before any scaling, or round them")
  }
}

write_names <- function(names, path, expected, side, what) {
  if (is.null(names)) return(invisible())
  names <- enc2utf8(as.character(names))
  if (length(names) != expected) fail(what, " has ", length(names), " names, but the matrix has ", expected, " ", side)
  bad <- if (what == "vocabulary") duplicated(names) | !nzchar(names) else logical(length(names))
  bad <- bad | grepl("[[:cntrl:]]|^[[:space:]]|[[:space:]]$", names)
  if (any(bad)) fail(what, " has the name ", dQuote(names[bad][1L], FALSE), ": a name may stand once only, not be empty, have no blanks around it and hold no line ends")
  out <- file(path, "wb")
  on.exit(close(out))
  writeLines(names, out, useBytes = TRUE)
}
