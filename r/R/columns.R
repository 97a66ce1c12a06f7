# Columns of documents: data frames in and out, and how topics depend on them.

# The columns in which topoi looks for the ids or file names of documents.
key_columns <- c("id", "doc_id", "file", "filename", "file_name", "path", "name")

# metadata_flags writes a table with a row for each document and returns the flag that names it.
# Documents in files (n is NULL) are named by a column of the table, or by its row names.
metadata_flags <- function(metadata, ids, n, folder) {
  if (is.null(metadata)) {
    return(NULL)
  }
  if (is.character(metadata) && length(metadata) == 1L && is.null(dim(metadata))) {
    return(paste0("--metadata=", path.expand(metadata)))
  }
  if (!is.data.frame(metadata)) {
    fail(
      "metadata is of class ",
      class(metadata)[1L],
      ", expected a data frame with a row for each document, or the name of a file with one"
    )
  }
  if (is.null(n)) {
    key <- intersect(key_columns, names(metadata))[1L]
    ids <- if (is.na(key)) rownames(metadata) else metadata[[key]]
  } else {
    if (nrow(metadata) != n) {
      fail("metadata has ", nrow(metadata), " rows for ", n, " documents: give one for each")
    }
    if (is.null(ids)) ids <- format(seq_len(n) - 1L, scientific = FALSE, trim = TRUE)
  }
  table <- as.data.frame(metadata)[!names(metadata) %in% key_columns]
  if (length(table) == 0L) {
    return(NULL)
  }
  for (name in names(table)) {
    table[[name]] <- cells(table[[name]], name)
  }
  path <- file.path(folder, "metadata.jsonl")
  out <- file(path, "wb")
  on.exit(close(out))
  jsonlite::stream_out(
    cbind(data.frame(id = utf8(as.character(ids), function(i) paste("id", i))), table),
    out,
    verbose = FALSE,
    na = "null"
  )
  paste0("--metadata=", path)
}

# cells returns the values of a column as text: dates as ISO 8601, lists with | between their items.
cells <- function(x, name) {
  if (is.list(x)) {
    x <- vapply(x, function(items) paste(items, collapse = "|"), "")
  }
  if (inherits(x, "POSIXt")) {
    x <- format(x, "%Y-%m-%dT%H:%M:%S")
  }
  if (is.numeric(x) && !is.object(x)) {
    return(ifelse(
      is.na(x),
      NA_character_,
      format(x, digits = 15L, trim = TRUE, scientific = FALSE, drop0trailing = TRUE)
    ))
  }
  utf8(as.character(x), function(i) paste0("row ", i, ", column ", name))
}

topoi_documents <- function(model) {
  docs <- docs_of(model)
  table <- list(document = names_of(model), doc = docs)
  about <- section_of(model, "columns", "bytes", 1)
  infos <- if (is.null(about)) {
    list()
  } else {
    jsonlite::fromJSON(rawToChar(as.raw(about)), simplifyVector = FALSE)
  }
  roles <- c(label = "labels", time = "times")
  named <- character()
  for (i in seq_along(infos)) {
    role <- infos[[i]]$role
    values <- strings_of(model, if (is.null(role)) paste0("c", i - 1L) else roles[[role]])
    named <- c(named, role)
    if (!is.null(values)) table[[infos[[i]]$name]] <- typed(values[docs], infos[[i]]$kind)
  }
  for (role in setdiff(names(roles), named)) {
    values <- strings_of(model, roles[[role]])
    if (!is.null(values) && is.null(table[[role]])) {
      table[[role]] <- typed(values[docs], c(label = "category", time = "date")[[role]])
    }
  }
  if (is.null(table$length)) {
    table$length <- lengths_of(model)
  }
  tibble::as_tibble(table)
}

# typed returns the values of a column as R has its kind.
typed <- function(values, kind) {
  values[
    values %in% c("", "NA", "N/A", "#N/A", "n/a", "<NA>", "NaN", "nan", "NULL", "null", "None")
  ] <- NA
  switch(
    kind,
    number = suppressWarnings(as.numeric(sub(",", ".", values, fixed = TRUE))),
    date = if (all(grepl("^\\d{4}-\\d\\d-\\d\\d$", values[!is.na(values)]))) {
      as.Date(values)
    } else {
      values
    },
    category = factor(values),
    list = lapply(strsplit(values, "[|;]"), function(items) {
      trimws(items[!is.na(items) & nzchar(trimws(items))])
    }),
    values
  )
}

topoi_effects <- function(
  model,
  formula,
  base = NULL,
  where = NULL,
  topics = NULL,
  interval = 0.95,
  ...
) {
  check_model(model)
  if (inherits(formula, "formula")) {
    formula <- paste(
      "~",
      paste(deparse(formula[[length(formula)]], width.cutoff = 500L), collapse = " ")
    )
  }
  if (!is.character(formula) || length(formula) != 1L) {
    fail("formula is of class ", class(formula)[1L], ", expected one such as ~ party + s(date)")
  }
  if (!is.null(topics) && !all(topics %in% seq_len(model$manifest$topics))) {
    fail("topics are numbers from 1 to ", model$manifest$topics)
  }
  if (!is.null(base)) {
    base <- paste0(names(base), "=", base)
  }
  options <- list(
    base = base,
    where = where,
    topics = if (!is.null(topics)) paste(topics - 1L, collapse = ","),
    interval = interval,
    ...
  )
  lines <- run(c("effects", place(model), formula, "--format=csv", "--quiet", flags(options)))
  table <- utils::read.csv(
    text = lines,
    encoding = "UTF-8",
    stringsAsFactors = FALSE,
    na.strings = "",
    colClasses = c(topic_label = "character", term = "character")
  )
  structure(list(formula = formula, interval = interval, table = table), class = "topoi_effects")
}

tidy.topoi_effects <- function(x, ...) {
  t <- x$table
  tibble::tibble(
    topic = t$topic + 1L,
    topic_id = t$topic,
    topic_label = t$topic_label,
    term = t$term,
    estimate = t$estimate,
    std.error = t$std_error,
    statistic = t$estimate / t$std_error,
    p.value = t$p_value,
    df = t$df,
    conf.low = t$low,
    conf.high = t$high
  )
}

print.topoi_effects <- function(x, ...) {
  cat(
    "Effects on shares of topics, ",
    x$formula,
    ", ",
    100 * x$interval,
    " % intervals\n",
    sep = ""
  )
  print(tidy.topoi_effects(x), ...)
  invisible(x)
}
