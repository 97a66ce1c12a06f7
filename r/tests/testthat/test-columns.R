about <- data.frame(
  party = factor(rep(c("SPD", "CDU", NA), 30)),
  rating = c(NA, seq(0.5, 44.5, by = 0.5)),
  date = as.Date("2015-03-01") + 0:89,
  speaker = rep(c("M\u00fcller", "Meier, \"A.\""), 45),
  stringsAsFactors = FALSE
)
about$themes <- lapply(0:89, function(i) {
  c("tax", "war", "school", "sea", "art")[bitwAnd(i, c(1L, 2L, 4L, 8L, 16L)) > 0]
})

expect_about <- function(got, want) {
  expect_equal(as.character(got$party), as.character(want$party))
  expect_s3_class(got$party, "factor")
  expect_equal(got$rating, want$rating)
  expect_equal(got$date, want$date)
  expect_equal(as.character(got$speaker), want$speaker)
  expect_equal(got$themes, want$themes)
}

test_that("data frames go in and come out", {
  m <- topoi_train(
    texts,
    3,
    iterations = 50,
    seed = 2,
    min_df = 1,
    max_df = 1,
    metadata = about,
    labels = rep(c("a", "b", "c"), 30),
    progress = FALSE
  )
  expect_equal(topoi_fingerprint(m), topoi_fingerprint(model)) # columns change nothing that is trained
  table <- topoi_documents(m)
  expect_about(table, about)
  expect_equal(table$length, rep(25, 90))
  expect_equal(as.character(table$label), rep(c("a", "b", "c"), 30))
  table <- topoi_documents(topoi_train(
    cbind(number = sprintf("d%d", 1:90), text = texts, about[1:4]),
    2,
    iterations = 5,
    id_field = "number",
    text_field = "text",
    holdout = 0.3,
    progress = FALSE
  ))
  expect_about(
    cbind(table, themes = I(about$themes[table$doc])),
    within(about[table$doc, ], themes <- I(themes))
  )
  expect_equal(table$document, sprintf("d%d", table$doc))
  matrix <- topoi_documents(topoi_train(
    counts_of(texts),
    2,
    iterations = 5,
    metadata = about,
    progress = FALSE
  ))
  expect_about(matrix, about)
})

test_that("files are named by a table", {
  dir <- withr_dir()
  for (i in 1:20) {
    writeLines(texts[i], file.path(dir, sprintf("doc%02d.txt", i)))
  }
  m <- topoi_train(
    dir,
    2,
    iterations = 5,
    min_df = 1,
    max_df = 1,
    metadata = cbind(file = sprintf("doc%02d", 1:20), about[1:20, ]),
    progress = FALSE
  )
  expect_about(topoi_documents(m), about[1:20, ])
})

test_that("effects are tidy, and those of the program", {
  kinds <- data.frame(kind = rep(c("pets", "money", "weather"), 30))
  m <- topoi_train(
    texts,
    3,
    iterations = 50,
    seed = 2,
    min_df = 1,
    max_df = 1,
    metadata = kinds,
    progress = FALSE
  )
  effects <- topoi_effects(m, ~kind, base = c(kind = "pets"), interval = 0.8)
  table <- tidy(effects)
  expect_named(
    table,
    c(
      "topic",
      "topic_id",
      "topic_label",
      "term",
      "estimate",
      "std.error",
      "statistic",
      "p.value",
      "df",
      "conf.low",
      "conf.high"
    )
  )
  expect_equal(nrow(table), 9)
  expect_equal(unique(table$term), c("(Intercept)", "kind[money]", "kind[weather]"))
  lines <- read.csv(
    text = command(
      "effects",
      m$path,
      "'~ kind'",
      "--base",
      "kind=pets",
      "--interval",
      "0.8",
      "--format",
      "csv",
      "--quiet"
    )
  )
  expect_equal(table$estimate, lines$estimate)
  expect_equal(table$conf.low, lines$low)
  expect_output(print(effects), "~kind|~ kind")
  pets <- which.max(table$estimate[table$term == "(Intercept)"])
  expect_true(all(table$estimate[table$topic == pets & table$term != "(Intercept)"] < -0.5))
  some <- tidy(topoi_effects(m, "~ kind", where = "kind in (pets, money)", topics = 2))
  expect_equal(unique(some$topic), 2L)
  expect_equal(nrow(some), 2)
  expect_error(topoi_effects(m, ~nothing), "there is no column", class = "topoi_error")
  expect_error(
    topoi_train(texts, 2, metadata = about[1:3, ], progress = FALSE),
    "metadata has 3 rows for 90 documents",
    class = "topoi_error"
  )
  expect_error(
    topoi_train(texts, 2, metadata = 5, progress = FALSE),
    "metadata is of class numeric",
    class = "topoi_error"
  )
})
